import type { Source } from '../../python/semantic/source.ts';
import type { Line } from '../judgedLine.ts';
import type { Paste } from './paste.ts';
import { plainText } from './plainText.ts';
import { type Frame, isInCell } from './traceback.ts';

/**
 * The place in a notebook of a call in a traceback. Kernels number cells by execution, which does not identify a cell
 * in a notebook that was run again or only saved with its outputs, so the line is found by its printed text. If several
 * cells contain that line, the preferred cell counts, otherwise the first one. Undefined if the line no longer exists.
 */
export function lineInCells(frame: Frame, { cells }: Source, preferred: number): Line | undefined {
  const { code } = frame;
  if (code === undefined || !isInCell(frame)) return undefined;
  const order = [preferred, ...cells.keys()].filter((cell) => cell in cells);
  const lines = (cell: number) => (cells[cell]?.text ?? '').split(/\r\n?|\n/).map((line) => plainText(line).trim());
  const same = order.find((cell) => frame.line !== undefined && lines(cell)[frame.line - 1] === code);
  if (same !== undefined) return { cell: same, line: frame.line ?? 1 };
  // Edits above or below have moved it.
  const moved = order.find((cell) => lines(cell).filter((line) => line === code).length === 1);
  return moved === undefined ? undefined : { cell: moved, line: lines(moved).indexOf(code) + 1 };
}

/** The cell line that ended in the error of a pasted text: the innermost call in the cell. */
export function failingLine({ frames, messages }: Paste, source: Source, cell: number): Line | undefined {
  const offset = messages[0]?.start ?? 0;
  const before = frames.filter(({ start }) => start <= offset);
  return (before.length > 0 ? before : frames)
    .map((frame) => lineInCells(frame, source, cell))
    .filter((line) => line?.cell === cell)
    .at(-1);
}
