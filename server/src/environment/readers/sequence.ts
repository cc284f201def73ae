/** The packages that are installed after successive commands in one environment. */
import { normalized } from '../../published/packageName.ts';
import type { ReplacedPin, Requirement } from '../environmentFile.ts';
import { admits } from '../versions.ts';
import type { Installed } from './shell.ts';

/** Packages that commands have installed so far. */
export interface InstalledSoFar {
  readonly requirements: readonly Requirement[];
  /** Pinned requirements that a later command replaces. */
  readonly replaced: readonly ReplacedPin[];
}

export const NOTHING_YET: InstalledSoFar = { requirements: [], replaced: [] };

/** Returns the packages after one more command, which replaces those whose versions it does not accept. */
export function installInto({ requirements, replaced }: InstalledSoFar, command: Installed): InstalledSoFar {
  const removed = new Set(command.removed.map(normalized));
  const there = requirements.filter(({ name }) => !removed.has(name));
  const added = command.requirements.filter(
    (requirement) => command.upgrades || !there.some((each) => satisfies(each, requirement)),
  );
  const replacedNames = new Set(added.map(({ name }) => name));
  const again = added.flatMap((by) =>
    there.flatMap((before) =>
      before.name === by.name && before.manager === by.manager && before.pin ? [{ before, by }] : [],
    ),
  );
  return {
    requirements: [...there.filter(({ name }) => !replacedNames.has(name)), ...added],
    replaced: [...replaced, ...again],
  };
}

/** True for a pinned package that is installed and that pip keeps. */
function satisfies(there: Requirement, { name, manager, specifier, url }: Requirement): boolean {
  if (there.name !== name || there.manager !== 'pip' || manager !== 'pip') return false;
  return there.pin !== undefined && url === undefined && specifier !== undefined && admits(specifier, there.pin.text);
}
