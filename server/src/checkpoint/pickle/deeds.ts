/** What a pickle may do with objects that no pickler writes, and that makes more of harmless imports than data. */
import { nameOf, type Value } from './symbols.ts';
import type { Workspace } from './workspace.ts';

/** Something is put into what is no object of the pickle's own: what it imports belongs to the whole program. */
export function meddle({ seen }: Workspace, target: Value): void {
  const name = nameOf(target);
  seen.deeds.push(
    name === undefined
      ? { standing: 'unknown', what: 'puts values into what takes none' }
      : { standing: 'dangerous', what: `changes \`${name}\` itself, for the whole program` },
  );
}

/** Something is called that is no import. */
export function callComputed({ seen }: Workspace): void {
  seen.deeds.push({ standing: 'unknown', what: 'calls what it makes itself' });
}

/** The state of an object is set once more. */
export function setTwice({ seen }: Workspace, before: Value): void {
  seen.states.push(before);
  seen.deeds.push({ standing: 'unknown', what: 'sets the state of an object twice' });
}

/** An object is put on the stack twice: picklers refer to it by its number instead. */
export function duplicate({ seen }: Workspace): void {
  if (seen.deeds.some(({ what }) => what === DUPLICATED)) return;
  seen.deeds.push({ standing: 'unknown', what: DUPLICATED });
}

const DUPLICATED = 'puts objects on its stack twice';

/** Objects are left when it ends. */
export function leaveBehind({ seen }: Workspace): void {
  seen.deeds.push({ standing: 'unknown', what: 'leaves objects behind that belong to nothing' });
}

/** A container is put into itself more than once. */
export function holdItself({ seen }: Workspace): void {
  seen.deeds.push({ standing: 'unknown', what: 'puts a list into itself again and again' });
}
