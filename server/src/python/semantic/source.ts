/**
 * The input of the analysis: Python text as the user edits it. A script is one cell; a notebook is its Python code
 * cells in order, which together form one program.
 */
import type { Span } from '../syntax/nodes.ts';

export type { Span };

export interface Cell {
  /** 0-based position among all cells of the notebook, Markdown cells included; 0 for a script. */
  readonly index: number;
  /** The text as in the editor or the file, with its line ends, BOM and IPython magics. */
  readonly text: string;
}

export interface Source {
  /** File path or URI path; only the name and the folders are used, for example to detect test files. */
  readonly path: string;
  readonly kind: 'script' | 'notebook';
  readonly cells: readonly Cell[];
}

/** A position in one cell, as LSP counts: 0-based line, 0-based UTF-16 character. */
export interface Place {
  /** Index into `Source.cells` (not `Cell.index`). */
  readonly cell: number;
  readonly line: number;
  readonly character: number;
}

/** The path of unnamed standard input, which is treated as a pasted snippet. */
export const STANDARD_INPUT = '-';

/** Creates the source of a script. */
export function script(path: string, text: string): Source {
  return { path, kind: 'script', cells: [{ index: 0, text }] };
}

/** The span of a node, without the node. */
export const spanOf = ({ start, end }: Span): Span => ({ start, end });
