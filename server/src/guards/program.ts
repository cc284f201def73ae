/** A parsed program: what rules ask their questions of. */

import { loadGrammar } from '../python/grammar.ts';
import { mask } from '../python/mask.ts';
import { type Parsed, parse } from '../python/parse.ts';
import { lineStarts, placeIn } from '../python/semantic/lines.ts';
import { once } from '../python/semantic/once.ts';
import { type SemanticModel, semanticModelOf } from '../python/semantic/semanticModel.ts';
import type { Place, Source, Span } from '../python/semantic/source.ts';
import type { Statement } from '../python/syntax.ts';
import type { GuardNames } from './conditions.ts';
import { createGuards, type Guards } from './guards.ts';

/** Offsets are UTF-16 offsets into `text`. */
export interface Program extends SemanticModel {
  readonly guards: Guards;
  readonly source: Source;
  /** All cells' texts joined by one line feed each. */
  readonly text: string;
  /** The statements of each cell; one list for a script. */
  readonly cells: readonly (readonly Statement[])[];
  /** True when some part of the program is not Python that the parser could read. */
  readonly hasErrors: boolean;
  /** The same span as offsets into the text of the cell that it lies in. */
  toCell(span: Span): { readonly cell: number; readonly start: number; readonly end: number };
  /** Where an offset is, as LSP counts. Lines end at LF, CRLF or CR. */
  placeOf(offset: number): Place;
  /** The offset of a place; characters beyond the line's end are clamped to it. */
  offsetOf(place: Place): number;
  /** What was read of each cell. */
  readonly parsed: readonly Parsed[];
}

export interface ParseOptions {
  /** Names that the project declares to mean "a GPU is there". */
  readonly guardNames?: GuardNames;
}

const NO_GUARD_NAMES: GuardNames = { decorators: new Set(), functions: new Set(), variables: new Set() };

/** Loads the grammar; must have been awaited once before the first `parseProgram`. */
export const loadParser = loadGrammar;

/** Parses a source: each cell by itself, so that one that is broken hides nothing of the others. */
export function parseProgram(source: Source, { guardNames = NO_GUARD_NAMES }: ParseOptions = {}): Program {
  const starts: number[] = [];
  let length = 0;
  for (const cell of source.cells) {
    starts.push(length);
    length += cell.text.length + 1;
  }
  const text =
    source.cells.length === 1 ? (source.cells[0]?.text ?? '') : source.cells.map((cell) => cell.text).join('\n');
  const parsed = source.cells.map((cell, index) => parse(mask(cell.text), starts[index] ?? 0));
  const cells = parsed.map(({ body }) => body);
  // While a text is broken, nobody may ask what it means.
  const model = once(() => semanticModelOf(cells));
  const guards = once(() => createGuards(model().index, model().names, model().values, guardNames));

  const lines: (readonly number[])[] = [];
  const textOf = (cell: number) => source.cells[cell]?.text ?? '';
  const linesOf = (cell: number) => {
    lines[cell] ??= lineStarts(textOf(cell));
    return lines[cell];
  };
  const cellAt = (offset: number) => placeIn(starts, offset);
  return {
    source,
    text,
    cells,
    hasErrors: parsed.some((cell) => cell.hasErrors),
    get index() {
      return model().index;
    },
    get names() {
      return model().names;
    },
    get values() {
      return model().values;
    },
    get guards() {
      return guards();
    },
    parsed,
    toCell(span) {
      const cell = cellAt(span.start);
      const base = starts[cell] ?? 0;
      return { cell, start: span.start - base, end: span.end - base };
    },
    placeOf(offset) {
      const cell = cellAt(offset);
      const local = offset - (starts[cell] ?? 0);
      const line = placeIn(linesOf(cell), local);
      return { cell, line, character: local - (linesOf(cell)[line] ?? 0) };
    },
    offsetOf({ cell, line, character }) {
      const own = linesOf(cell);
      const start = own[Math.min(line, own.length - 1)] ?? 0;
      const next = own[line + 1];
      const end = next === undefined ? textOf(cell).length : next - (textOf(cell).startsWith('\r\n', next - 2) ? 2 : 1);
      return (starts[cell] ?? 0) + Math.min(start + character, end);
    },
  };
}
