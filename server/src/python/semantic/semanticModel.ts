/** The semantic model of a program: the definitions of its names, and the possible values of its expressions. */
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
  /** The parsed module of each cell; a script has only one. */
  readonly modules: readonly Module[];
  /** The statements of each cell. */
  readonly cells: readonly (readonly Statement[])[];
  /** True if the parser could not read some part of the program. */
  readonly hasErrors: boolean;
  /** Calls, strings, attributes and functions, by spelling. */
  readonly index: ProgramIndex;
  readonly names: NameResolution;
  readonly values: Values;
}

/** Parses and binds a source. Each cell is parsed separately, so that a broken cell does not hide the others. */
export function semanticModelOf(source: Source): SemanticModel {
  const sourceText = sourceTextOf(source);
  // Scripts exported from notebooks contain IPython lines, too.
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
