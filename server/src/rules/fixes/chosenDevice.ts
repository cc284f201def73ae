/** The device that a fix writes in place of a fixed one: CUDA if available, otherwise the CPU. */

import type { Program } from '../../guards/program.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { isString } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Expression, Node } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';
import type { Edit } from '../edits/fix.ts';
import { replacement } from '../edits/placement.ts';
import { matchesIn } from '../engine/dispatch.ts';
import { type DeviceUse, deviceUses } from '../queries/deviceUses.ts';
import { type DeviceForm, defineDevice, defineLocally } from './deviceDefinition.ts';
import { placesBeside } from './devicePlaces.ts';
import { receiverOfDevice } from './deviceReceiver.ts';
import type { DeviceValue } from './deviceValue.ts';
import { deviceVariableAt } from './deviceVariable.ts';
import { inputDeviceAt } from './inputDevice.ts';
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
    if (at.kind !== 'test') continue;
    let isTested = false;
    walk(at.test, (inner) => {
      isTested ||= program.text.slice(inner.start, inner.end) === variable;
    });
    if (isTested) return true;
  }
  return false;
}

/** Returns a new variable. */
export function newVariableAt(
  program: Program,
  node: Node,
  form: DeviceForm = formOf(program),
): ChosenDevice | undefined {
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

/**
 * Returns the ways to write a device at a place, the best first: the function's own variable, its input's device,
 * another variable, the choice itself.
 */
export function devicesAt(program: Program, node: Expression): ChosenDevice[] {
  return [namedAt(program, node), expressionAt(program, node)].filter((device) => device !== undefined);
}

/** Returns a name for the device at a place, which may need a definition. */
export function namedAt(program: Program, node: Expression): ChosenDevice | undefined {
  const held = variableAt(program, node);
  const root = held?.text.split('.')[0] ?? '';
  if (held && program.names.scopeOf(node).definitions.has(root)) return held;
  const input = inputDeviceAt(program, node);
  if (!input) return held ?? newVariableAt(program, node);
  const defined =
    input.isLong && placesBeside(program, node) > 1 ? defineLocally(program, node, input.text) : undefined;
  return defined
    ? { text: defined.name, edits: defined.edits, defines: defined.name }
    : { text: input.text, edits: [] };
}

/** Returns the title of a fix that writes `newCode`, which uses the device, in place of `replaced`. */
export function titleOf(newCode: string, { defines }: ChosenDevice, replaced: string): string {
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
