/** What a program means: which definitions its names stand for, and which values its expressions may hold. */
import type { Statement } from '../syntax.ts';
import { flowOf } from './binder.ts';
import { optionsOf } from './commandLineOptions.ts';
import { createNames, type Names } from './nameResolution.ts';
import type { ProgramIndex } from './programIndex.ts';
import { createValues, type Values } from './values.ts';

export interface SemanticModel {
  /** Its calls, strings, attributes and functions, by how they are spelled. */
  readonly index: ProgramIndex;
  readonly names: Names;
  readonly values: Values;
}

/** `cells` are the statements of each cell: one list for a script. */
export function semanticModelOf(cells: readonly (readonly Statement[])[]): SemanticModel {
  const index = flowOf(cells);
  const names = createNames(index);
  return { index, names, values: createValues(names, optionsOf(index)) };
}
