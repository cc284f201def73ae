import type { LineRange, NotebookLines } from '../files/notebookLines.ts';
import { isInOtherFile, type OtherPlace, type Reason } from '../guards/reason.ts';
import { type FindingKey, findingKey } from '../lint/baseline.ts';
import type { JudgedText } from '../lint/judgedText.ts';
import { nameOfRule } from '../lint/ruleNames.ts';
import { type ReportRange, reportRangeOf } from '../python/semantic/reportRange.ts';
import type { Finding, RelatedPlace, Severity } from '../rules/engine/contract.ts';
import { pageOf } from '../rules/queries/pages.ts';

interface ProblemEdit extends ReportRange {
  readonly content: string;
}

export interface ProblemFix {
  readonly applicability: 'safe' | 'unsafe' | 'display';
  readonly edits: readonly ProblemEdit[];
  readonly message: string;
}

/** A line of source code for the excerpt; the underlined range is in UTF-16 units of `text`. */
export interface ExcerptLine {
  readonly row: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The reason why a problem is only a hint, and the code that shows it, if any. */
export interface ProblemReason {
  /** A clause that completes "hint because". */
  readonly because: string;
  /** `filename` is null for a place in the problem's own file. Rows and columns are counted from 1. */
  readonly at: (Pick<ReportRange, 'cell' | 'location'> & { readonly filename: string | null }) | null;
}

/** A place that explains a problem. */
export interface RelatedProblem extends ReportRange {
  /** Lines of the file; absent for a cell of another notebook. */
  readonly fileRows?: LineRange;
  readonly message: string;
  /** Absolute path; absent for a place in the problem's own file. */
  readonly filename?: string;
}

/** A finding as plain data, independent of its program, from which every report can be written. */
export interface Problem extends ReportRange {
  /** Absolute path, or `-` for standard input without a name. */
  readonly filename: string;
  /** Lines in the file: the rows of a script, or for a notebook the lines of its JSON. */
  readonly fileRows: LineRange;
  /** The text with which a baseline identifies the problem. */
  readonly key: FindingKey;
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
  readonly message: string;
  /** The first fix. */
  readonly fix: ProblemFix | null;
  /** Address of the rule's page. */
  readonly url: string;
  readonly related: readonly RelatedProblem[];
  /** The reasons why it is only a hint; empty for anything else. */
  readonly reasons: readonly ProblemReason[];
  readonly excerpt: readonly ExcerptLine[];
}

/** Maximum number of source lines in an excerpt. */
const EXCERPT_LINES = 5;

/** Converts a finding to plain data. `lineOf` maps the lines of a notebook's cells to its file. */
export function problemOf(
  filename: string,
  program: JudgedText,
  finding: Finding,
  lineOf: NotebookLines = (_, row) => row,
): Problem {
  const range = reportRangeOf(program, finding.span);
  return {
    filename,
    ...range,
    fileRows: fileRowsOf(range, lineOf),
    key: findingKey(program, finding),
    code: finding.code,
    name: nameOfRule(finding.code),
    severity: finding.severity,
    message: finding.message,
    fix: fixOf(program, finding),
    url: pageOf(finding.code),
    related: finding.related.map((related) => relatedOf(program, related, lineOf)),
    reasons: finding.reasons.map(({ because, at }) => ({ because, at: at ? placeOfReason(program, at) : null })),
    excerpt: excerptOf(program, finding.span),
  };
}

function placeOfReason(program: JudgedText, at: NonNullable<Reason['at']>): ProblemReason['at'] {
  if (isInOtherFile(at)) return placeElsewhere(at);
  const { cell, location } = reportRangeOf(program, at);
  return { filename: null, cell, location };
}

function fileRowsOf({ cell, location, end_location }: ReportRange, lineOf: NotebookLines): LineRange {
  const lineIn = (row: number) => (cell === null ? row : lineOf(cell - 1, row));
  return { first: lineIn(location.row), last: lineIn(end_location.row) };
}

function relatedOf(program: JudgedText, related: RelatedPlace, lineOf: NotebookLines): RelatedProblem {
  const { message } = related;
  if ('span' in related) {
    const range = reportRangeOf(program, related.span);
    return { ...range, fileRows: fileRowsOf(range, lineOf), message };
  }
  const place = placeElsewhere(related.elsewhere);
  const { row } = place.location;
  const fileRows = place.cell === null && { fileRows: { first: row, last: row } };
  return { ...place, end_location: place.location, ...fileRows, message };
}

function placeElsewhere({ path, cell, line, character }: OtherPlace) {
  return { filename: path, cell: cell ?? null, location: { row: line + 1, column: character + 1 } };
}

function fixOf(program: JudgedText, finding: Finding): ProblemFix | null {
  const fix = finding.fixes()[0];
  if (!fix) return null;
  const edits = fix.edits.map(({ span, newText }) => ({ content: newText, ...reportRangeOf(program, span) }));
  const applicability = fix.tier === 'suggestion' ? 'unsafe' : fix.tier;
  return { applicability, edits, message: fix.title };
}

function excerptOf(program: JudgedText, span: Finding['span']): ExcerptLine[] {
  const { cell, line: first } = program.placeOf(span.start);
  const { line: last } = program.placeOf(span.end);
  const lines: ExcerptLine[] = [];
  for (let line = first; line <= Math.min(last, first + EXCERPT_LINES - 1); line++) {
    const from = program.offsetOf({ cell, line, character: 0 });
    const text = program.text.slice(from, program.offsetOf({ cell, line, character: Number.MAX_SAFE_INTEGER }));
    const indentation = text.length - text.trimStart().length;
    const start = line === first ? span.start - from : Math.min(indentation, text.length);
    const end = line === last ? span.end - from : text.trimEnd().length;
    lines.push({ row: line + 1, text, start, end: Math.max(start, end) });
  }
  return lines;
}
