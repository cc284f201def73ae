import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { lineStarts, placeIn } from '../python/semantic/lines.ts';
import { once } from '../python/semantic/memoize.ts';
import { maskNonFinite } from './notebookJson.ts';

/** Lines of a file, counted from 1, including the first and the last. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Returns the line of a notebook's file for a line of a cell; lines count from 1, cells from 0. */
export type NotebookLines = (cell: number, row: number) => number;

/**
 * Finds the lines of a notebook's JSON text. If a cell's source is a single string, all its lines are on one line of
 * the file. The text is parsed when the first line is requested.
 */
export function notebookLines(json: string): NotebookLines {
  const parsed = once(() => ({
    root: parseTree(maskNonFinite(json.replace(/^\uFEFF/, ' '))),
    starts: lineStarts(json),
  }));
  return (cell, row) => {
    const { root, starts } = parsed();
    const source = root && findNodeAtLocation(root, ['cells', cell, 'source']);
    if (!source) return 1;
    const offset =
      source.type === 'string' ? source.offset : (offsetOfRow(source.children ?? [], row) ?? source.offset);
    return placeIn(starts, offset) + 1;
  };
}

/**
 * Returns the offset of the string in which a row, counted from 1, begins. Usually each line is a string, but not
 * always.
 */
function offsetOfRow(
  strings: readonly { readonly offset: number; readonly value?: unknown }[],
  row: number,
): number | undefined {
  let before = 0;
  for (const { offset, value } of strings) {
    before += String(value).match(/\r\n|\r|\n/g)?.length ?? 0;
    if (before >= row) return offset;
  }
  return strings.at(-1)?.offset;
}
