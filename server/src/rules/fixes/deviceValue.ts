/** Classifies a device expression, so that a fix does not replace one kind of device with another. */

import type { Program } from '../../guards/program.ts';
import { lastPartOf, rootOf } from '../../python/semantic/accessPaths.ts';
import { argumentFor, argumentsOf, callTaking, parametersOf } from '../../python/semantic/arguments.ts';
import { returnedBy } from '../../python/semantic/functionBodies.ts';
import { isNumber, stringOf } from '../../python/semantic/literals.ts';
import type { Definition } from '../../python/semantic/scopes.ts';
import type { Arg, Attribute, Call, Expression, JoinedStr } from '../../python/syntax/nodes.ts';

export interface DeviceValue {
  /** A `torch.device` or a device name; `any` if it may be either. */
  readonly form: 'object' | 'string' | 'any';
  /**
   * `gpu`: CUDA if available. `cpu`: never CUDA. `user`: a device that the caller of the function or the user of the
   * program provides. `borrowed`: the device of some tensor, or the default of a parameter.
   */
  readonly choice: 'gpu' | 'cpu' | 'user' | 'borrowed';
  /** The highest pinned index; 0 if there is none. */
  readonly index: number;
}

/** Names that by convention hold a device. */
export const DEVICE_NAME = /^(\w+_)?(device|dev)$/i;

/** The maximum number of assignments to follow. */
const FARTHEST = 8;
/** The maximum number of expressions to visit for one value, since assignments in a loop can refer to each other. */
const MOST_FOLLOWED = 200;
/** Functions of other modules that return a device, by the last part of their name. */
const MAKES_DEVICE =
  /^(get|select|choose|setup|set_up|pick|find|init|auto|default|infer|detect|try|best|resolve|make|parse)(_\w+)?_device$|^try_gpu$/;

const FROM_USER: DeviceValue = { form: 'any', choice: 'user', index: 0 };

type Follow = (next: Expression) => DeviceValue | undefined;

/** A search for the device that a value names, with the expressions that it has visited. */
interface Search {
  readonly program: Program;
  followed: number;
}

export function deviceValueOf(expression: Expression, program: Program): DeviceValue | undefined {
  return follow(expression, { program, followed: 0 }, 0);
}

/** Returns the device that a definition assigns to its name. */
export function deviceValueOfDefinition(definition: Definition, program: Program): DeviceValue | undefined {
  return followDefinition(definition, { program, followed: 0 }, 0);
}

function follow(expression: Expression, search: Search, steps: number): DeviceValue | undefined {
  if (steps > FARTHEST || ++search.followed > MOST_FOLLOWED) return undefined;
  const { program } = search;
  const on = (next: Expression) => follow(next, search, steps + 1);
  switch (expression.kind) {
    case 'Constant':
      return expression.type === 'str' ? named(expression.value) : undefined;
    case 'JoinedStr':
      return ofFormatted(expression);
    case 'BinOp':
      // `"cuda:" + str(gpu)`, `"cuda:%d" % gpu`
      return /^cuda:/.test(stringOf(expression.left) ?? '') ? { ...FROM_USER, form: 'string' } : undefined;
    case 'IfExp':
      return joined(onUnlessNone(expression.body, on), onUnlessNone(expression.orelse, on));
    case 'BoolOp':
      return expression.op === 'or'
        ? joinedAll(
            expression.values.map((value, index, { length }) =>
              index < length - 1 ? onUnlessNone(value, on) : on(value),
            ),
          )
        : undefined;
    case 'NamedExpr':
      return on(expression.value);
    case 'Call':
      return ofCall(expression, program, on);
    case 'Attribute':
      return expression.attr === 'device' ? ofDeviceAttribute(expression, program, on) : undefined;
    case 'Name':
      return joinedAll(
        program.names.definitionsOf(expression).map((definition) => followDefinition(definition, search, steps + 1)),
      );
    default:
      return undefined;
  }
}

function followDefinition(definition: Definition, search: Search, steps: number): DeviceValue | undefined {
  const { program } = search;
  const { kind, value, node, name } = definition;
  if (kind === 'value') return value && follow(value, search, steps);
  if (kind !== 'parameter' || node?.kind !== 'arg' || isStarred(node) || !DEVICE_NAME.test(name)) return undefined;
  if (node.annotation && /\bint\b/.test(program.text.slice(node.annotation.start, node.annotation.end)))
    return undefined;
  if (!namesComputeDevice(node, definition, program)) return undefined;
  const byDefault = value && follow(value, search, steps);
  if (!value) return FROM_USER;
  // If the default checks the machine, the function chooses a device when its caller provides none.
  const isChosen = byDefault?.choice === 'gpu' && byDefault.index === 0 && isChoice(value);
  return byDefault && { ...byDefault, choice: isChosen ? 'user' : 'borrowed' };
}

/** `"cuda" if torch.cuda.is_available() else "cpu"`, also as a `torch.device`. */
const isChoice = (value: Expression): boolean =>
  value.kind === 'IfExp' || (value.kind === 'Call' && value.args.some((arg) => arg.kind === 'IfExp'));

/** False for a parameter named `device` that means something else: a phone, a mouse. */
function namesComputeDevice(parameter: Arg, definition: Definition, program: Program): boolean {
  const home = parameter.parent?.parent;
  if (home?.kind !== 'FunctionDef') return true;
  const uses = program.index
    .usesOf(parameter.arg)
    .filter(
      (use) => use.kind === 'Name' && program.names.definitionsOf(use).some(({ node }) => node === definition.node),
    );
  if (uses.length > 0 && !uses.some(isUsedAsDevice)) return false;
  const values = program.index.usesOf(home.name).flatMap((use) => {
    const call = use.parent?.kind === 'Call' && use.parent.func === use ? use.parent : undefined;
    if (!call || program.names.declarationOf(use) !== home) return [];
    const parameters = parametersOf(home.args);
    const isBound = parameters[0]?.name === 'self' || parameters[0]?.name === 'cls';
    const position = parameters.findIndex(({ node }) => node === parameter) - (isBound ? 1 : 0);
    return stringOf(argumentFor(argumentsOf(call), parameter.arg, position).argument?.value) ?? [];
  });
  return values.every((text) => named(text) !== undefined);
}

/** Printing, returning or concatenating a value does not show that it is a device. */
function isUsedAsDevice(use: Expression): boolean {
  const around = use.parent;
  const receiver = callTaking(use)?.func;
  if (receiver) return !(receiver.kind === 'Name' && /^(print|str|len|open|repr)$/.test(receiver.id));
  return (
    around?.kind === 'Attribute' ||
    around?.kind === 'Compare' ||
    around?.kind === 'Assign' ||
    around?.kind === 'AugAssign' ||
    around?.kind === 'AnnAssign' ||
    around?.kind === 'BoolOp' ||
    around?.kind === 'IfExp' ||
    around?.kind === 'UnaryOp'
  );
}

/** Returns the kind that all values share; undefined if one of them is not a device. */
export function joinedAll(values: readonly (DeviceValue | undefined)[]): DeviceValue | undefined {
  const [first, ...others] = values;
  return others.reduce(joined, first);
}

const LOUDNESS = ['cpu', 'user', 'gpu', 'borrowed'] as const;

function joined(a: DeviceValue | undefined, b: DeviceValue | undefined): DeviceValue | undefined {
  if (!a || !b) return undefined;
  const choice = LOUDNESS[Math.max(LOUDNESS.indexOf(a.choice), LOUDNESS.indexOf(b.choice))] ?? 'borrowed';
  return { form: a.form === b.form ? a.form : 'any', choice, index: Math.max(a.index, b.index) };
}

function named(text: string): DeviceValue | undefined {
  const found = /^(cpu|cuda|mps|xpu|hpu|npu)(?::(\d+))?$/.exec(text);
  return found
    ? { form: 'string', choice: found[1] === 'cuda' ? 'gpu' : 'cpu', index: Number(found[2] ?? 0) }
    : undefined;
}

/** `f"cuda:{gpu}"` */
function ofFormatted(expression: JoinedStr): DeviceValue | undefined {
  const text = stringOf(expression);
  if (text !== undefined) return named(text);
  return /^cuda:/.test(stringOf(expression.values[0]) ?? '') ? { ...FROM_USER, form: 'string' } : undefined;
}

/** True for `*args` and `**kwargs`. */
const isStarred = ({ parent, arg }: Arg) =>
  parent?.kind === 'arguments' && (parent.vararg?.arg === arg || parent.kwarg?.arg === arg);

function ofCall(call: Call, program: Program, on: Follow): DeviceValue | undefined {
  const qualified = program.names.qualify(call.func);
  if (qualified.includes('torch.device')) {
    const args = argumentsOf(call);
    const index = argumentFor(args, 'index', 1).argument?.value;
    const type = argumentFor(args, 'device', 0).argument ?? args.find((arg) => arg.name === 'type');
    const inner = (type && on(type.value)) ?? FROM_USER;
    if (!index) return { ...inner, form: 'object' };
    return {
      form: 'object',
      ...(isNumber(index) ? { choice: inner.choice, index: Number(index.value) } : { choice: 'user', index: 0 }),
    };
  }
  const declaration = program.names.declarationOf(call.func);
  if (declaration?.kind === 'FunctionDef') return joinedAll(returnedBy(declaration).map((value) => value && on(value)));
  const func = call.func;
  const isMethod = func.kind === 'Attribute' && qualified.length === 0;
  if (isMethod || declaration || (func.kind !== 'Name' && func.kind !== 'Attribute')) return undefined;
  return MAKES_DEVICE.test(lastPartOf(func) ?? '') ? FROM_USER : undefined;
}

function ofDeviceAttribute(expression: Attribute, program: Program, on: Follow): DeviceValue | undefined {
  const holder = expression.value;
  // Values of command-line options and configurations. Options named `device` also accept numbers.
  const options = program.values.optionsOf(expression);
  if (options.length > 0)
    return joinedAll(options.map((option) => (option.default ? on(option.default) && FROM_USER : FROM_USER)));
  if (holder.kind === 'Name' && holder.id === 'self') return FROM_USER;
  const root = rootOf(holder)?.id ?? '';
  if (
    /^(args|arg|opts?|options|cfg|conf|config|flags|hparams|hps?|params|settings|parsed|accelerator|fabric)$/i.test(
      root,
    )
  )
    return FROM_USER;
  // A model is wherever its user put it.
  if (holder.kind === 'Call' && /\.parameters\s*\(\s*\)\s*\)\s*$/.test(program.text.slice(holder.start, holder.end)))
    return { ...FROM_USER, form: 'object' };
  return { form: 'object', choice: 'borrowed', index: 0 };
}

/**
 * Returns the branch of a choice such as `device or "cpu"`; a parameter that defaults to `None` does not count while it
 * is `None`.
 */
function onUnlessNone(branch: Expression, on: Follow): DeviceValue | undefined {
  const isUse = branch.kind === 'Name' || branch.kind === 'Attribute';
  return on(branch) ?? (isUse && DEVICE_NAME.test(lastPartOf(branch) ?? '') ? FROM_USER : undefined);
}
