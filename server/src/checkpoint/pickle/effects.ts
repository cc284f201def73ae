/** Effects that no pickler writes and that make harmless imports do more than build data. */

import { isDangerous } from './dangerous.ts';
import { isInGrammar } from './grammar.ts';
import { COST } from './limits.ts';
import { recordMisuse } from './plainData.ts';
import { type GlobalValue, importName, type Value } from './symbols.ts';
import type { Effect, Workspace } from './workspace.ts';

function record({ seen, at, count }: Workspace, effect: Omit<Effect, 'code' | 'offset'>): void {
  count(COST.effect);
  seen.effects.push({ ...effect, ...at });
}

/** Records a change to an object that the pickle did not create. An imported object belongs to the whole program. */
export function recordForeignChange(workspace: Workspace, target: Value): void {
  recordMisuse(workspace, 'changes an object that it did not create');
  const name = importName(target);
  record(
    workspace,
    name === undefined
      ? { standing: 'unknown', what: 'adds values to an object that does not accept any' }
      : { standing: 'dangerous', what: `changes \`${name}\` itself, for the whole program` },
  );
}

/** Records a call to something that is not an import. */
export function recordComputedCall(workspace: Workspace): void {
  record(workspace, { standing: 'unknown', what: 'calls an object that it creates' });
}

/** Records a call to a function that plain data also calls, but with arguments that make the call harmful. */
export function recordDangerousCall(workspace: Workspace, { module, name, fullName }: GlobalValue): void {
  if (!isInGrammar({ module, name }) || !isDangerous(module, name)) return;
  record(workspace, { standing: 'dangerous', what: `calls \`${fullName}\`, which can create classes or run code` });
}

/** Records a second change to an object's state. */
export function recordSecondState(workspace: Workspace, before: Value): void {
  workspace.seen.states.push(before);
  record(workspace, { standing: 'unknown', what: 'sets the state of an object twice' });
}

/** Records that an object is duplicated on the stack; picklers use the object's memo number instead. */
export function recordDuplicate(workspace: Workspace): void {
  if (workspace.seen.effects.some(({ what }) => what === DUPLICATED)) return;
  record(workspace, { standing: 'unknown', what: DUPLICATED });
}

const DUPLICATED = 'duplicates objects on its stack';

/** Records that objects are left on the stack at the end. */
export function recordLeftovers(workspace: Workspace): void {
  record(workspace, { standing: 'unknown', what: 'leaves unused objects on its stack' });
}

/** Records that a container is added to itself more than once. */
export function recordSelfReference(workspace: Workspace): void {
  record(workspace, { standing: 'unknown', what: 'adds a list to itself repeatedly' });
}
