import { diffArrays } from 'diff';
import { readNotebook } from './notebook.ts';
import { type LineRange, notebookLines } from './notebookLines.ts';
import { Trouble } from './trouble.ts';

/** A line of code and its position. */
interface CodeLine {
  /** From 0, among all cells. */
  readonly cell: number;
  /** From 1. */
  readonly row: number;
  readonly text: string;
}

/**
 * Finds the lines of a notebook's file that contain new or changed code. Outputs, and JSON's commas between lines, are
 * not code. Undefined if one of the texts is not a notebook.
 */
export function changedNotebookLines(before: string, after: string): LineRange[] | undefined {
  const [old, now] = [codeLines(before), codeLines(after)];
  if (!old || !now) return undefined;
  const lineOf = notebookLines(after);
  const changed: LineRange[] = [];
  let at = 0;
  for (const { added, removed, count } of diffArrays(
    old.map(({ text }) => text),
    now.map(({ text }) => text),
  )) {
    if (removed) continue;
    if (added)
      for (const { cell, row } of now.slice(at, at + count)) {
        const line = lineOf(cell, row);
        changed.push({ first: line, last: line });
      }
    at += count;
  }
  return changed;
}

function codeLines(json: string): CodeLine[] | undefined {
  try {
    return readNotebook('notebook.ipynb', json).source.cells.flatMap(({ index, text }) =>
      text.split(/\r\n|\r|\n/).map((line, row) => ({ cell: index, row: row + 1, text: line })),
    );
  } catch (error) {
    if (error instanceof Trouble) return undefined;
    throw error;
  }
}
