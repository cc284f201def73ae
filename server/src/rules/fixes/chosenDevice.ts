/** The device that a fix writes in place of a fixed one: CUDA where there is one, the CPU elsewhere. */

import type { Program } from '../../guards/program.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import type { Expression, Node } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';
import type { Edit } from '../engine/contract.ts';
import { defineDevice } from './deviceDefinition.ts';
import type { DeviceValue } from './deviceValue.ts';
import { deviceVariableAt } from './deviceVariable.ts';
import { torchAt } from './modules.ts';
import { quotedNear } from './quotes.ts';

export interface ChosenDevice {
  /** As it is written at the place: `device`, `"cuda" if torch.cuda.is_available() else "cpu"`. */
  readonly text: string;
  /** What has to be written elsewhere for it. */
  readonly edits: readonly Edit[];
  /** The variable that these define. */
  readonly defines?: string;
}

/** True for what can stand where code names CUDA without an index. */
export const isAnyGpu = ({ choice, index }: DeviceValue): boolean =>
  (choice === 'gpu' || choice === 'given') && index === 0;

/** A variable in scope that is the GPU where there is one, and that no test around the place asks what it is. */
export function variableAt(
  program: Program,
  node: Expression,
  fits: (value: DeviceValue) => boolean = isAnyGpu,
): ChosenDevice | undefined {
  const variable = deviceVariableAt(program, node, fits);
  return variable && !isTested(program, node, variable.text) ? { text: variable.text, edits: [] } : undefined;
}

/** Under `if "cuda" not in str(device):` the variable is no device of the kind that it is elsewhere. */
function isTested(program: Program, node: Expression, variable: string): boolean {
  for (let at = conditionsOf(node); at && at.kind !== 'body'; at = at.outer) {
    if (at.kind !== 'test') continue;
    let isAsked = false;
    walk(at.test, (inner) => {
      isAsked ||= program.text.slice(inner.start, inner.end) === variable;
    });
    if (isAsked) return true;
  }
  return false;
}

/** A new variable, defined after the imports. */
export function newVariableAt(program: Program, node: Node): ChosenDevice | undefined {
  const defined = defineDevice(program, node);
  return defined && { text: defined.name, edits: [defined.edit], defines: defined.name };
}

/** The choice itself, as an expression. */
export function expressionAt(program: Program, node: Node): ChosenDevice | undefined {
  const torch = torchAt(program, node);
  if (!torch) return undefined;
  const [cuda, cpu] = [quotedNear(program, node, 'cuda'), quotedNear(program, node, 'cpu')];
  return { text: `${cuda} if ${torch.text}.cuda.is_available() else ${cpu}`, edits: torch.edits };
}

/** The ways to write a device at a place, the best first. */
export function devicesAt(program: Program, node: Expression): ChosenDevice[] {
  const held = variableAt(program, node);
  const named = held ?? newVariableAt(program, node);
  return [named, expressionAt(program, node)].filter((device) => device !== undefined);
}

/** The title of a fix that writes `written`, which uses the device. */
export function titleOf(written: string, { defines }: ChosenDevice): string {
  if (written === defines) return `Define \`${defines}\` and use it`;
  return defines ? `Define \`${defines}\` and replace with \`${written}\`` : `Replace with \`${written}\``;
}
