import type { Cell, Place, Source, Span } from './source.ts';

/** A parsed program: what rules ask their questions of. Offsets are UTF-16 offsets into `text`. */
export interface Program {
  readonly source: Source;
  /** All cells' texts joined by one line feed each. */
  readonly text: string;
  /** The same span as offsets into the text of the cell that it lies in. */
  toCell(span: Span): { readonly cell: number; readonly start: number; readonly end: number };
  /** Where an offset is, as LSP counts. Lines end at LF, CRLF or CR. */
  placeOf(offset: number): Place;
  /** The offset of a place; characters beyond the line's end are clamped to it. */
  offsetOf(place: Place): number;
}

/** Loads the grammar; must have been awaited once before the first `parseProgram`. */
export async function loadParser(): Promise<void> {}

/**
 * Parses a source. Handing in the program's previous state makes it incremental: cells and statements whose text did
 * not change are taken over. The previous program must not be used afterwards.
 */
export function parseProgram(source: Source, _previous?: Program): Program {
  const starts: number[] = [];
  let length = 0;
  for (const cell of source.cells) {
    starts.push(length);
    length += cell.text.length + 1;
  }
  const text = source.cells.map((cell: Cell) => cell.text).join('\n');
  const cellAt = (offset: number) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const lineTables: number[][] = [];
  const linesOf = (cell: number): number[] => {
    let table = lineTables[cell];
    if (!table) {
      table = [0];
      const cellText = source.cells[cell]?.text ?? '';
      for (const end of cellText.matchAll(/\r\n|\r|\n/g)) table.push(end.index + end[0].length);
      lineTables[cell] = table;
    }
    return table;
  };
  return {
    source,
    text,
    toCell(span) {
      const cell = cellAt(span.start);
      const base = starts[cell] ?? 0;
      return { cell, start: span.start - base, end: span.end - base };
    },
    placeOf(offset) {
      const cell = cellAt(offset);
      const local = offset - (starts[cell] ?? 0);
      const lines = linesOf(cell);
      let low = 0;
      let high = lines.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((lines[middle] ?? 0) <= local) low = middle;
        else high = middle - 1;
      }
      return { cell, line: low, character: local - (lines[low] ?? 0) };
    },
    offsetOf({ cell, line, character }) {
      const lines = linesOf(cell);
      const base = starts[cell] ?? 0;
      const start = lines[Math.min(line, lines.length - 1)] ?? 0;
      const next = lines[line + 1];
      const cellText = source.cells[cell]?.text ?? '';
      const limit = next === undefined ? cellText.length : next - (cellText.startsWith('\r\n', next - 2) ? 2 : 1);
      return base + Math.min(start + character, limit);
    },
  };
}
