/** What a program means: its names, values and guards. */
import type { GuardNames } from './conditions.ts';
import { flowOf } from './flow.ts';
import { createGuards, type Guards } from './guards.ts';
import { createNames, type Names } from './names.ts';
import { optionsOf } from './options.ts';
import type { ProgramIndex } from './programIndex.ts';
import type { Statement } from './syntax.ts';
import { createValues, type Values } from './values.ts';

export interface Meaning {
  /** Its calls, strings, attributes and functions, by how they are spelled. */
  readonly index: ProgramIndex;
  readonly names: Names;
  readonly values: Values;
  readonly guards: Guards;
}

export function meaningOf(cells: readonly (readonly Statement[])[], guardNames: GuardNames): Meaning {
  const index = flowOf(cells);
  const names = createNames(index);
  const values = createValues(names, optionsOf(index));
  return { index, names, values, guards: createGuards(index, names, values, guardNames) };
}
