/** Effects that no pickler writes, and that make more of harmless imports than data. */

import { isDangerous } from './dangerous.ts';
import { isInGrammar } from './grammar.ts';
import { COST } from './limits.ts';
import { misuse } from './plainData.ts';
import { type Global, nameOf, type Value } from './symbols.ts';
import type { Effect, Workspace } from './workspace.ts';

function note({ seen, at, count }: Workspace, effect: Omit<Effect, 'code' | 'offset'>): void {
  count(COST.effect);
  seen.effects.push({ ...effect, ...at });
}

/** Something is put into what is no object of the pickle's own: what it imports belongs to the whole program. */
export function meddle(workspace: Workspace, target: Value): void {
  misuse(workspace, 'changes what is not its own');
  const name = nameOf(target);
  note(
    workspace,
    name === undefined
      ? { standing: 'unknown', what: 'puts values into what takes none' }
      : { standing: 'dangerous', what: `changes \`${name}\` itself, for the whole program` },
  );
}

/** Something is called that is no import. */
export function callComputed(workspace: Workspace): void {
  note(workspace, { standing: 'unknown', what: 'calls what it makes itself' });
}

/** A function is called that plain data calls with other arguments, and that does harm with these. */
export function callOfDangerous(workspace: Workspace, { module, name, fullName }: Global): void {
  if (!isInGrammar({ module, name }) || !isDangerous(module, name)) return;
  note(workspace, { standing: 'dangerous', what: `calls \`${fullName}\`, which can make classes or run code` });
}

/** The state of an object is set once more. */
export function setTwice(workspace: Workspace, before: Value): void {
  workspace.seen.states.push(before);
  note(workspace, { standing: 'unknown', what: 'sets the state of an object twice' });
}

/** An object is put on the stack twice: picklers refer to it by its number instead. */
export function duplicate(workspace: Workspace): void {
  if (workspace.seen.effects.some(({ what }) => what === DUPLICATED)) return;
  note(workspace, { standing: 'unknown', what: DUPLICATED });
}

const DUPLICATED = 'puts objects on its stack twice';

/** Objects are left when it ends. */
export function leaveBehind(workspace: Workspace): void {
  note(workspace, { standing: 'unknown', what: 'leaves objects behind that belong to nothing' });
}

/** A container is put into itself more than once. */
export function holdItself(workspace: Workspace): void {
  note(workspace, { standing: 'unknown', what: 'puts a list into itself again and again' });
}
