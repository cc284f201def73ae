/** How a program uses an object that it loads, which decides which devices the object may be on. */

import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { callTaking } from '../../python/semantic/arguments.ts';
import { isDisplay, isNone, isNumber, isString, stringOf } from '../../python/semantic/literals.ts';
import type { Attribute, Call, Expression, Node } from '../../python/syntax/nodes.ts';
import { usesBound, usesInCallee } from '../queries/definedUses.ts';
import { deviceOfSaved } from '../queries/savedDevice.ts';

export interface Usage {
  /** True for a model that is called, trained or queried, and must be on the device of its inputs. */
  readonly runs: boolean;
  /** True if it is an operand and must be on the device of the other operands. */
  readonly calculates: boolean;
  /** The inputs of the model, and other operands. */
  readonly beside: readonly Expression[];
  /** True if `load_state_dict` copies it into a model or an optimizer, which works from any device. */
  readonly isCopied: boolean;
  /** The devices that the program moves it to, as text; `cuda` and `cpu` for the methods of that name. */
  readonly movedTo: readonly string[];
  /** True if the program moves parts of it. */
  readonly hasMovedParts: boolean;
  /** True if parts of it must be in main memory: `.numpy()`, random states. */
  readonly needsCpu: boolean;
  /** True if it becomes half precision, in which the CPU of many releases computes nothing. */
  readonly isHalved: boolean;
}

const MODEL_METHODS = new Set([
  'eval',
  'train',
  'parameters',
  'generate',
  'forward',
  'predict',
  'encode',
  'zero_grad',
  'named_parameters',
  'modules',
]);
/** Methods that return the object itself, or a copy on the same device. */
const FLUENT = new Set([
  'eval',
  'train',
  'float',
  'half',
  'double',
  'bfloat16',
  'requires_grad_',
  'detach',
  'clone',
  'contiguous',
]);
/** Methods that return parts of it. */
const PARTS = new Set(['get', 'pop', 'items', 'values']);
const MOVES = new Set(['to', 'cuda', 'cpu']);
/** Functions and methods that copy tensors to the device of the model, optimizer or tensor that receives them. */
const COPIES = /^(load|set)_\w*state_dict$|^load_lora_weights$|^copy_$/;
const CPU_FUNCTIONS =
  /^torch\.(random\.)?set_rng_state$|^torch\.cuda\.(random\.)?set_rng_state(_all)?$|^torch\.from_numpy$|^numpy\./;
/** Methods of tensors that compute with another one. */
const IN_PLACE =
  /^(add|sub|mul|div|lerp|addcmul|addcdiv|matmul|mm|bmm|dot|eq|ne|lt|le|gt|ge|equal|allclose|isclose|where|masked_fill)_?$/;
/** The maximum number of assignments to follow. */
const FARTHEST = 6;

export function usageOf(load: Call, program: Program): Usage {
  const usage = {
    runs: false,
    calculates: false,
    isCopied: false,
    hasMovedParts: false,
    needsCpu: false,
    isHalved: false,
  };
  const beside: Expression[] = [];
  const movedTo: string[] = [];
  const seen = new Set<Node>();

  const follow = (value: Expression, isWhole: boolean, steps: number): void => {
    const around = value.parent;
    if (!around || seen.has(value) || steps > FARTHEST) return;
    seen.add(value);
    const on = (next: Expression, stillWhole = isWhole) => follow(next, stillWhole, steps + 1);
    const bind = (target: Expression, statement: Node, stillWhole = isWhole) => {
      for (const use of usesOf([target], statement, program)) on(use, stillWhole);
    };
    switch (around.kind) {
      case 'Call':
        // The object itself is called.
        if (around.func === value) {
          usage.runs = true;
          beside.push(...around.args);
        } else takenBy(around, value, isWhole, steps);
        return;
      case 'keyword':
      case 'Starred': {
        const call = callTaking(value);
        if (call) takenBy(call, value, isWhole, steps);
        return;
      }
      case 'BinOp': {
        const other = around.left === value ? around.right : around.left;
        // `ckpt["epoch"] + 1` is bookkeeping.
        if (isString(other) || (!isWhole && isNumber(other))) return;
        usage.calculates = true;
        beside.push(other);
        return;
      }
      case 'Compare': {
        const others = [around.left, ...around.comparators].filter((each) => each !== value);
        const isBookkeeping = others.every((each) => isString(each) || (!isWhole && isNumber(each)) || isNone(each));
        if (isBookkeeping || !around.ops.every((op) => /^[<>=!]/.test(op))) return;
        usage.calculates = true;
        beside.push(...others);
        return;
      }
      case 'AugAssign':
        usage.calculates = true;
        beside.push(around.target === value ? around.value : around.target);
        return;
      case 'UnaryOp':
        usage.calculates ||= around.op !== 'not';
        return;
      case 'IfExp':
        if (around.test !== value) on(around);
        return;
      case 'Attribute':
        return followAttribute(around, isWhole, on);
      case 'Subscript':
        if (around.value === value) on(around, false);
        return;
      case 'NamedExpr':
        on(around);
        return bind(around.target, around);
      case 'For':
        if (around.iter === value) bind(around.target, around, false);
        return;
      case 'AnnAssign':
        if (around.value === value) bind(around.target, around);
        return;
      case 'Assign':
        if (around.value === value)
          for (const target of around.targets) bind(target, around, isWhole && !isDisplay(target));
        return;
      case 'Tuple':
      case 'List':
      case 'Set': {
        const statement = around.parent;
        const [target] = statement?.kind === 'Assign' && statement.value === around ? statement.targets : [];
        const own = isDisplay(target) ? target.elts[around.elts.indexOf(value)] : undefined;
        if (own && statement) bind(own, statement);
        // `torch.cat([x, torch.load(p)])`
        const call = callTaking(around);
        if (call && isCalculation(call, program)) takenBy(call, around, isWhole, steps);
        return;
      }
      default:
        return;
    }
  };

  const takenBy = (call: Call, value: Expression, isWhole: boolean, steps: number): void => {
    if (program.names.qualify(call.func).some((name) => CPU_FUNCTIONS.test(name))) usage.needsCpu = true;
    else if (COPIES.test(calledName(call))) usage.isCopied = true;
    else if (isCalculation(call, program)) {
      usage.calculates = true;
      beside.push(...operandsOf(call, value));
    } else {
      const others = operandsOf(call, value);
      if (others.some((each) => deviceOfSaved(each, program) === 'gpu')) {
        usage.calculates = true;
        beside.push(...others);
      }
      const declaration = program.names.declarationOf(call.func);
      for (const use of declaration ? usesInCallee(call, value, declaration, program) : [])
        follow(use, isWhole, steps + 1);
    }
  };

  const followAttribute = (
    attribute: Attribute,
    isWhole: boolean,
    on: (next: Expression, stillWhole?: boolean) => void,
  ): void => {
    const call =
      attribute.parent?.kind === 'Call' && attribute.parent.func === attribute ? attribute.parent : undefined;
    if (!call) return on(attribute);
    if (attribute.attr === 'numpy') usage.needsCpu = true;
    else if (MOVES.has(attribute.attr)) {
      const [device] = call.args;
      const text = attribute.attr === 'to' && device ? program.text.slice(device.start, device.end) : attribute.attr;
      if (isWhole) movedTo.push(text);
      else usage.hasMovedParts = true;
    } else if (MODEL_METHODS.has(attribute.attr)) {
      usage.runs = true;
      beside.push(...call.args);
    }
    // `weight.add_(step)`, `mask.eq(other)`
    else if (call.args.length > 0 && IN_PLACE.test(attribute.attr) && isWhole) {
      usage.calculates = true;
      beside.push(...call.args);
    }
    usage.isHalved ||= attribute.attr === 'half';
    if (FLUENT.has(attribute.attr)) on(call);
    else if (PARTS.has(attribute.attr)) on(call, false);
  };

  follow(load, true, 0);
  return { ...usage, beside, movedTo };
}

/** Returns the model in a call and the other arguments, with the items of lists. */
function operandsOf(call: Call, value: Expression): Expression[] {
  const others = call.args.flatMap((arg) => (isDisplay(arg) ? arg.elts : [arg]));
  return [call.func, ...others].filter((each) => each.start !== value.start && !isNumber(each));
}

/** Functions of torch that do not compute with their arguments. */
const KEEPS = /^torch\.(save|load|is_tensor|manual_seed|device|numel|compile|no_grad|typename)$/;

/** Makes a weight of a module, whose inputs must be on the same device. */
const PARAMETER = /^torch\.nn\.(parameter\.)?Parameter$/;

/** True for a torch operation, and for a call of an object that the program created: a model, a loss. */
function isCalculation({ func }: Call, program: Program): boolean {
  if (
    program.names
      .qualify(func)
      .some(
        (name) =>
          PARAMETER.test(name) ||
          (!KEEPS.test(name) && /^torch\.(nn\.functional\.|special\.|linalg\.|fft\.)?[a-z0-9_]+$/.test(name)),
      )
  )
    return true;
  if (func.kind !== 'Name' && func.kind !== 'Attribute') return false;
  return program.names.definitionsOf(func).some(({ kind, value }) => kind === 'value' && value?.kind === 'Call');
}

/** Returns the uses of the variable that receives the result of a call; the call itself if it is not assigned. */
export function usesOfResult(program: Program, call: Call): Expression[] {
  const around = call.parent;
  if (around?.kind === 'Assign') return usesOf(around.targets, around, program);
  return around?.kind === 'AnnAssign' ? usesOf([around.target], around, program) : [call];
}

/** Returns the uses of the names that an assignment binds. */
function usesOf(targets: readonly Expression[], statement: Node, program: Program): Expression[] {
  return targets.flatMap((target) => usesBound(target, statement, program));
}

/** True for a program that uses a GPU if available. */
export function usesGpu(program: Program): boolean {
  return (
    program.index.usesOf('cuda').length > 0 ||
    program.index.strings.some((string) => /^cuda(:\d+)?$/.test(stringOf(string) ?? ''))
  );
}
