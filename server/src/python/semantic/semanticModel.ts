/** The semantic model of a program: which definitions its names stand for, and which values its expressions may hold. */
import type { Module, Statement } from '../syntax/nodes.ts';
import { parseModule } from '../syntax/parse.ts';
import { bind } from './binder.ts';
import { optionsOf } from './commandLineOptions.ts';
import { createNameResolution, type NameResolution } from './nameResolution.ts';
import type { ProgramIndex } from './programIndex.ts';
import { type Source, STANDARD_INPUT } from './source.ts';
import { type SourceText, sourceTextOf } from './sourceText.ts';
import { createValues, type Values } from './values.ts';

export interface SemanticModel extends SourceText {
  /** What was read of each cell; of a script, one. */
  readonly modules: readonly Module[];
  /** The statements of each cell. */
  readonly cells: readonly (readonly Statement[])[];
  /** True when some part of the program is not Python that the parser could read. */
  readonly hasErrors: boolean;
  /** Its calls, strings, attributes and functions, by how they are spelled. */
  readonly index: ProgramIndex;
  readonly names: NameResolution;
  readonly values: Values;
}

/** Reads a source: each cell by itself, so that one that is broken hides nothing of the others. */
export function semanticModelOf(source: Source): SemanticModel {
  const sourceText = sourceTextOf(source);
  // Scripts have lines of IPython, too, where they were notebooks.
  const modules = source.cells.map(({ text }, cell) =>
    parseModule(text, { base: sourceText.starts[cell] ?? 0, notebook: true }),
  );
  const cells = modules.map(({ body }) => body);
  const index = bind(cells);
  const names = createNameResolution(index, source.path === STANDARD_INPUT);
  const values = createValues(names, optionsOf(index));
  const hasErrors = modules.some(({ errors }) => errors.length > 0);
  return { ...sourceText, modules, cells, hasErrors, index, names, values };
}
