import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import type { Source } from '../python/semantic/source.ts';
import { maskNonFinite, rawOffsets } from './notebookJson.ts';

/** Positions of a notebook's code in its JSON text. */
export interface NotebookPlaces {
  /**
   * Returns the offset in the JSON text for an offset in a cell's text; `cell` counts the cells of the source. Between
   * two strings of a source, the end of a range is in the first string and its start in the second.
   */
  inJson(cell: number, offset: number, end: 'start' | 'end'): number;
}

/** A JSON string that contains a part of a cell's text. */
interface Part {
  readonly node: Node;
  /** Offset of the part in the cell's text, in UTF-16 code units. */
  readonly start: number;
  readonly length: number;
}

/**
 * Finds the cells of a source in the JSON text that it was read from. The text is parsed when the first position is
 * requested.
 */
export function notebookPlaces(json: string, { cells }: Source): NotebookPlaces {
  const mark = json.startsWith('\uFEFF') ? 1 : 0;
  const text = json.slice(mark);
  let root: Node | undefined;
  const parts = new Map<number, readonly Part[]>();
  const partsOf = (cell: number): readonly Part[] => {
    root ??= parseTree(maskNonFinite(text));
    const known =
      parts.get(cell) ?? partsIn(root && findNodeAtLocation(root, ['cells', cells[cell]?.index ?? 0, 'source']));
    parts.set(cell, known);
    return known;
  };
  return {
    inJson(cell, offset, end) {
      const own = partsOf(cell);
      const holds = ({ start, length }: Part) =>
        end === 'start' ? start <= offset && offset < start + length : start < offset && offset <= start + length;
      const part = own.find(holds) ?? (offset === 0 ? own[0] : own.at(-1));
      if (!part) return mark;
      const within = Math.max(0, Math.min(offset - part.start, part.length));
      return mark + (rawOffsets(text, part.node, part.length)[within] ?? part.node.offset);
    },
  };
}

function partsIn(source: Node | undefined): Part[] {
  const strings = source?.type === 'string' ? [source] : (source?.children ?? []);
  let start = 0;
  return strings.map((node) => {
    const part = { node, start, length: String(node.value).length };
    start += part.length;
    return part;
  });
}
