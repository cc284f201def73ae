import type { Source } from '../../python/semantic/source.ts';
import type { Line } from '../judgedLine.ts';
import type { Paste } from './paste.ts';
import { plainText } from './plainText.ts';
import { type Frame, isInCell } from './traceback.ts';

/**
 * Where in a notebook a call of a traceback is: kernels number cells by their runs, which says nothing of a notebook that
 * was run again or was only saved with its outputs, so that the line is known by how it was printed. Of several cells with
 * that line the preferred one counts, else the first. Undefined where the line is not there any more.
 */
export function lineInCells(frame: Frame, { cells }: Source, preferred: number): Line | undefined {
  const { code } = frame;
  if (code === undefined || !isInCell(frame)) return undefined;
  const order = [preferred, ...cells.keys()].filter((cell) => cell in cells);
  const lines = (cell: number) => (cells[cell]?.text ?? '').split(/\r\n?|\n/).map((line) => plainText(line).trim());
  const same = order.find((cell) => frame.line !== undefined && lines(cell)[frame.line - 1] === code);
  if (same !== undefined) return { cell: same, line: frame.line ?? 1 };
  // What was written above or below it since has moved it.
  const moved = order.find((cell) => lines(cell).filter((line) => line === code).length === 1);
  return moved === undefined ? undefined : { cell: moved, line: lines(moved).indexOf(code) + 1 };
}

/** The line of a cell that ended in the error of a paste: the innermost call there that led to it. */
export function failingLine({ frames, messages }: Paste, source: Source, cell: number): Line | undefined {
  const offset = messages[0]?.start ?? 0;
  const before = frames.filter(({ start }) => start <= offset);
  return (before.length > 0 ? before : frames)
    .map((frame) => lineInCells(frame, source, cell))
    .filter((line) => line?.cell === cell)
    .at(-1);
}
