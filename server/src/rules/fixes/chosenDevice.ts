/** The device that a fix writes in place of a fixed one: CUDA if available, otherwise the CPU. */

import type { Program } from '../../guards/program.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { argumentOf, argumentsOf, parametersOf } from '../../python/semantic/arguments.ts';
import { isNone, isNumber, isString } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Call, Expression, Lambda, Node } from '../../python/syntax/nodes.ts';
import { someNode } from '../../python/syntax/walk.ts';
import { hasBrackets, prependArgument } from '../edits/arguments.ts';
import type { Edit } from '../edits/fix.ts';
import { needsParentheses, replacement } from '../edits/placement.ts';
import { matchesIn } from '../engine/dispatch.ts';
import { type DeviceUse, deviceUses } from '../queries/deviceUses.ts';
import { type DeviceForm, defineDevice } from './deviceDefinition.ts';
import { receiverOfDevice } from './deviceReceiver.ts';
import { type DeviceValue, deviceValueOf } from './deviceValue.ts';
import { deviceVariableAt } from './deviceVariable.ts';
import { torchAt } from './modules.ts';
import type { Offer } from './offers.ts';
import { quotedNear } from './quotes.ts';

export interface ChosenDevice {
  /** The expression to write: `device`, `"cuda" if torch.cuda.is_available() else "cpu"`. */
  readonly text: string;
  /** Further edits that the expression needs. */
  readonly edits: readonly Edit[];
  /** The variable that these edits define. */
  readonly defines?: string;
}

/** True for a device that can replace CUDA without an index. */
export const isAnyGpu = ({ choice, index }: DeviceValue): boolean =>
  (choice === 'gpu' || choice === 'user') && index === 0;

/** Returns a variable in scope that holds the GPU if one is available, and that no enclosing test checks. */
export function variableAt(
  program: Program,
  node: Expression,
  fits: (value: DeviceValue) => boolean = isAnyGpu,
): ChosenDevice | undefined {
  const variable = deviceVariableAt(program, node, fits);
  return variable && !isTested(program, node, variable.text) ? { text: variable.text, edits: [] } : undefined;
}

/** Under `if "cuda" not in str(device):`, the variable is a different kind of device than elsewhere. */
function isTested(program: Program, node: Expression, variable: string): boolean {
  for (let at = conditionsOf(node); at && at.kind !== 'body'; at = at.outer) {
    if (at.kind === 'test' && someNode(at.test, ({ start, end }) => program.text.slice(start, end) === variable))
      return true;
  }
  return false;
}

function newVariableAt(program: Program, node: Node, form: DeviceForm = formOf(program)): ChosenDevice | undefined {
  const defined = defineDevice(program, node, form);
  return defined && { text: defined.name, edits: defined.edits, defines: defined.name };
}

/** Returns a device name if one of the places accepts only names: one variable serves all places. */
const formOf = memoize((program: Program): DeviceForm => {
  const takesName = ({ literals, expression }: DeviceUse) =>
    literals.some(
      ({ node, index = 0, evidence }) =>
        isString(node) &&
        index === 0 &&
        evidence.level === 'none' &&
        receiverOfDevice(program, node, expression).kind === 'deviceName',
    );
  return matchesIn(program, deviceUses).some(takesName) ? 'string' : 'object';
});

/** Returns the choice itself, as an expression. */
export function expressionAt(program: Program, node: Node): ChosenDevice | undefined {
  const torch = torchAt(program, node);
  if (!torch) return undefined;
  const [cuda, cpu] = [quotedNear(program, node, 'cuda'), quotedNear(program, node, 'cpu')];
  return { text: `${cuda} if ${torch.text}.cuda.is_available() else ${cpu}`, edits: torch.edits };
}

/** Returns a name for the device at a place, which may need a definition. */
export function namedAt(program: Program, node: Expression): ChosenDevice | undefined {
  return variableAt(program, node) ?? newVariableAt(program, node);
}

/** Returns the offer that replaces `x.cuda(...)` with `x.to(device)`. */
export function moveCallTo(program: Program, call: Call, device: ChosenDevice): MoveOffer | undefined {
  const { func } = call;
  if (func.kind !== 'Attribute' || !hasBrackets(program, call) || hasOwnCuda(func.value, program)) return undefined;
  const args = argumentsOf(call);
  if (args.some(({ star, name }) => star || name === 'async')) return undefined;
  const lambda = storageLambda(program, call);
  if (lambda) return { ...inPlaceOf(program, lambda, device), isUnsure: false };
  const given = args.find(({ name }, index) => name === 'device' || (index === 0 && name === undefined))?.value;
  const value = given && !isNone(given) ? deviceValueOf(given, program) : undefined;
  // Another index than 0, and a value that may be a number, are the program's own choice.
  if (given && !isNone(given) && !isNumber(given) && !(value && isAnyGpu(value))) return undefined;
  const isUsers = value !== undefined && value.choice !== 'gpu';
  const text = isUsers && given ? program.text.slice(given.start, given.end) : device.text;
  const method = func.end - func.attr.length;
  const flag = args.find(({ name }, index) => index === 1 && name === undefined);
  return {
    title: titleOf(`.to(${text})`, device, `.${program.text.slice(method, call.end)}`),
    edits: [
      ...(isUsers ? [] : device.edits),
      replacement(method, func.end, 'to'),
      ...(given ? [replacement(given.start, given.end, text)] : prependArgument(program, call, text)),
      // The second argument of `to` is a dtype.
      ...(flag ? [replacement(flag.start, flag.start, 'non_blocking=')] : []),
    ],
    isUnsure: isUsers,
  };
}

/** An offer to move a value, unsure if the device may be a number. */
interface MoveOffer extends Offer {
  readonly isUnsure: boolean;
}

/** True if the receiver's class in this program has its own `cuda`, but no `to`. */
function hasOwnCuda(receiver: Expression, program: Program): boolean {
  if (receiver.kind === 'Name' && receiver.id === 'self') return false;
  const isUse = receiver.kind === 'Name' || receiver.kind === 'Attribute';
  const values = isUse ? program.names.definitionsOf(receiver).map(({ value }) => value) : [receiver];
  return values.some((value) => {
    const owner = value?.kind === 'Call' ? program.names.declarationOf(value.func) : undefined;
    if (owner?.kind !== 'ClassDef') return false;
    const methods = owner.body.flatMap((each) => (each.kind === 'FunctionDef' ? [each.name] : []));
    return methods.includes('cuda') && !methods.includes('to');
  });
}

/** In `lambda storage, location: storage.cuda()`, storages have no `to`; the device itself is equivalent. */
function storageLambda(program: Program, { func, parent }: Call): Lambda | undefined {
  if (parent?.kind !== 'Lambda' || func.kind !== 'Attribute' || func.value.kind !== 'Name') return undefined;
  const parameters = parametersOf(parent.args);
  const isFirst = parameters.length === 2 && parameters[0]?.name === func.value.id;
  const argument = argumentOf(parent);
  const isArgument = argument?.name === 'map_location' || argument?.call.args[1] === parent;
  return isFirst && isArgument && !needsParentheses(program, parent) ? parent : undefined;
}

/** Returns the title of a fix that writes `newCode`, which uses the device, in place of `replaced`. */
function titleOf(newCode: string, { defines }: ChosenDevice, replaced: string): string {
  if (newCode === defines) return `Define \`${defines}\` and use it`;
  const isLong = replaced.length > LONGEST_SHOWN || /[\r\n`]/.test(replaced) || newCode.startsWith(replaced);
  const replaces = `eplace ${isLong ? '' : `\`${replaced}\` `}with \`${newCode}\``;
  return defines ? `Define \`${defines}\` and r${replaces}` : `R${replaces}`;
}

/** Maximum length, in characters, of replaced code in a title. */
const LONGEST_SHOWN = 40;

/** Returns the offer that writes the device in place of an expression. */
export function inPlaceOf(program: Program, node: Expression, device: ChosenDevice): Offer {
  return {
    title: titleOf(device.text, device, program.text.slice(node.start, node.end)),
    edits: [...device.edits, replacement(node.start, node.end, device.text)],
  };
}
