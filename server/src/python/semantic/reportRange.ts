/** Ranges in reports, with rows and columns counted from 1. */
import type { Span } from '../syntax/nodes.ts';
import type { SourceText } from './sourceText.ts';

/** 1-based; columns count characters (code points) without a byte order mark. */
interface Position {
  readonly row: number;
  readonly column: number;
}

export interface ReportRange {
  /** 1-based among all cells of the notebook; `null` in a script. */
  readonly cell: number | null;
  readonly location: Position;
  readonly end_location: Position;
}

export function reportRangeOf(text: SourceText, span: Span): ReportRange {
  const { cell } = text.toCell(span);
  return {
    cell: text.source.kind === 'notebook' ? (text.source.cells[cell]?.index ?? 0) + 1 : null,
    location: positionOf(text, span.start),
    end_location: positionOf(text, span.end),
  };
}

function positionOf({ text, placeOf }: SourceText, offset: number): Position {
  const { line, character } = placeOf(offset);
  const before = text.slice(offset - character, offset).replace(/^\uFEFF/, '');
  return { row: line + 1, column: [...before].length + 1 };
}
