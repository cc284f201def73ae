/** The text of a program, and the mapping from offsets to cells. */
import type { Span } from '../syntax/nodes.ts';
import { lineStarts, placeIn } from './lines.ts';
import type { Place, Source } from './source.ts';

/** Offsets are UTF-16 offsets into `text`. */
export interface SourceText {
  readonly source: Source;
  /** All cells' texts joined by one line feed each. */
  readonly text: string;
  /** The offset at which the text of each cell begins. */
  readonly starts: readonly number[];
  /** Returns the span as offsets into the text of its cell. */
  toCell(span: Span): { readonly cell: number; readonly start: number; readonly end: number };
  /** Returns the place of an offset as LSP counts. Lines end at LF, CRLF or CR. */
  placeOf(offset: number): Place;
  /** Returns the offset of a place; characters beyond the line's end are clamped to it. */
  offsetOf(place: Place): number;
}

export function sourceTextOf(source: Source): SourceText {
  const starts: number[] = [];
  let length = 0;
  for (const cell of source.cells) {
    starts.push(length);
    length += cell.text.length + 1;
  }
  const text =
    source.cells.length === 1 ? (source.cells[0]?.text ?? '') : source.cells.map((cell) => cell.text).join('\n');
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
    starts,
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
