import { memoize } from '../python/semantic/memoize.ts';
import { push } from '../python/semantic/multimap.ts';
import type { Span } from '../python/semantic/source.ts';
import type { Finding } from '../rules/engine/contract.ts';
import type { JudgedText } from './judgedText.ts';
import { codeOfRule, RULE_PREFIXES } from './ruleNames.ts';

/** A comment that suppresses findings. Offsets are into the program's text. */
export interface Suppression {
  /** From its number sign to its end; another number sign begins another remark. */
  readonly span: Span;
  /** The whole comment that contains it. */
  readonly comment: Span;
  readonly scope: 'line' | 'file';
  /** Absent for every code. */
  readonly codes?: readonly WrittenCode[];
  /** Set if the comment is addressed to GPU Doctor but cannot be understood. It then suppresses nothing. */
  readonly malformed?: true;
  /**
   * The start of the line that it applies to: its own line, or if the comment is on a line of its own, the next line
   * with code.
   */
  readonly line: number;
}

export interface WrittenCode {
  readonly code: string;
  readonly span: Span;
}

const MAY_SUPPRESS = /noqa|gpu-doctor/i;
const OURS = /#\s*gpu-doctor\s*:[^#]*/gi;
const OURS_PARTS = /^#\s*gpu-doctor\s*:\s*(ignore-file|ignore)(?![-\w])(?:\s*\[([^\]]*)\]|(?!\s*[[(:=]|\s+GPU\d))/i;
/** Ruff's form: a bare `noqa`, or codes after a colon, separated by commas or spaces; other text may follow a space. */
const NOQA = /#\s*noqa(?:\s*:[\s,]*((?:(?:[A-Z]+\d+)+[\s,]*)+)(?=$|[\s#,])|(?=\s|#|$)(?!\s*:))[^#]*/gi;

interface Suppressions {
  readonly own: readonly Suppression[];
  readonly ofFile: readonly Suppression[];
  /** GPU Doctor's own suppressions that cover a line, by the start of the line. */
  readonly byLine: ReadonlyMap<number, readonly Suppression[]>;
  /**
   * Comments that may hold a `noqa`, by the start of their line. They are parsed on demand, since most are never
   * needed.
   */
  readonly noqa: ReadonlyMap<number, Span>;
}

/** GPU Doctor's own suppressions in a program, in source order; not `noqa`, which is for all tools. */
export function suppressionsOf(program: JudgedText): readonly Suppression[] {
  return suppressionsIn(program).own;
}

/**
 * The suppressions that apply to a finding: those on the lines where it starts and ends, and those for the whole file.
 */
export function suppressing(program: JudgedText, finding: Finding): Suppression[] {
  const { ofFile, byLine, noqa } = suppressionsIn(program);
  if (ofFile.length === 0 && byLine.size === 0 && noqa.size === 0) return [];
  const ofLines = lineStartsOf(program, finding.span).flatMap((line) => [
    ...(byLine.get(line) ?? []),
    ...noqaIn(noqa.get(line), line, program),
  ]);
  return [...ofFile, ...ofLines].filter(
    ({ codes }) => codes === undefined || codes.some(({ code }) => coversRule(code, finding.code)),
  );
}

/** True if a code in a comment, which may be a prefix such as `GPU20`, covers a rule. */
export function coversRule(written: string, code: string): boolean {
  return written === code || (RULE_PREFIXES.includes(written) && code.startsWith(written));
}

/** True if a comment suppresses the finding. */
export function isSuppressed(program: JudgedText, finding: Finding): boolean {
  return suppressing(program, finding).length > 0;
}

/** The `noqa` comments on a line, given its start. */
export function noqaAt(program: JudgedText, line: number): Suppression[] {
  return noqaIn(suppressionsIn(program).noqa.get(line), line, program);
}

/** The starts of the lines on which a span begins and ends. */
export function lineStartsOf(program: JudgedText, span: Span): number[] {
  const first = lineAt(program, span.start);
  const last = lineAt(program, Math.max(span.start, span.end - 1));
  return first === last ? [first] : [first, last];
}

function lineAt(program: JudgedText, offset: number): number {
  return offset - program.placeOf(offset).character;
}

const suppressionsIn = memoize((program: JudgedText): Suppressions => {
  const own: Suppression[] = [];
  const noqa = new Map<number, Span>();
  program.source.cells.forEach((cell, index) => {
    if (!MAY_SUPPRESS.test(cell.text)) return;
    for (const comment of program.modules[index]?.comments ?? []) {
      const text = program.text.slice(comment.start, comment.end);
      if (!MAY_SUPPRESS.test(text)) continue;
      for (const match of text.matchAll(OURS))
        own.push(readOurs(program, comment, match[0], comment.start + match.index));
      if (/noqa/i.test(text)) noqa.set(lineAt(program, comment.start), comment);
    }
  });
  const ofFile: Suppression[] = [];
  const byLine = new Map<number, Suppression[]>();
  for (const suppression of own) {
    if (suppression.malformed) continue;
    if (suppression.scope === 'file') ofFile.push(suppression);
    else push(byLine, suppression.line, suppression);
  }
  return { own, ofFile, byLine, noqa };
});

/** Returns the `noqa` remarks in the comment on a line, which apply to all tools. */
function noqaIn(comment: Span | undefined, line: number, program: JudgedText): Suppression[] {
  if (!comment) return [];
  const text = program.text.slice(comment.start, comment.end);
  return [...text.matchAll(NOQA)].map((match): Suppression => {
    const span = trimmed(match[0], comment.start + match.index);
    const codes = match[1] === undefined ? undefined : writtenCodes(match[1], span.start + match[0].indexOf(match[1]));
    return { span, comment, scope: 'line', codes, line };
  });
}

function readOurs(program: JudgedText, comment: Span, text: string, start: number): Suppression {
  const span = trimmed(text, start);
  const parts = OURS_PARTS.exec(text);
  const line = coveredLine(program, comment);
  if (!parts) return { span, comment, scope: 'line', malformed: true, line };
  const list = parts[2];
  return {
    span,
    comment,
    scope: parts[1]?.toLowerCase() === 'ignore-file' ? 'file' : 'line',
    codes: list === undefined ? undefined : writtenCodes(list, start + text.indexOf('[') + 1),
    line,
  };
}

function writtenCodes(list: string, start: number): WrittenCode[] {
  return [...list.matchAll(/[^\s,]+/g)].map((match) => ({
    code: codeOfRule(match[0]) ?? (match[0].includes('-') ? match[0] : match[0].toUpperCase()),
    span: { start: start + match.index, end: start + match.index + match[0].length },
  }));
}

function trimmed(text: string, start: number): Span {
  return { start, end: start + text.trimEnd().length };
}

/**
 * The start of the line that a comment applies to: its own line if the comment follows code, otherwise the next line
 * with code in its cell.
 */
function coveredLine(program: JudgedText, comment: Span): number {
  const { cell, start, end } = program.toCell(comment);
  const text = program.source.cells[cell]?.text ?? '';
  const line = lineAt(program, comment.start);
  const own = line - (comment.start - start);
  if (text.slice(own, start).replace('\uFEFF', '').trim() !== '') return line;
  const below = /(?:\r\n|\r|\n)([^\r\n]*)/y;
  below.lastIndex = end;
  for (let next = below.exec(text); next; next = below.exec(text)) {
    const code = next[1] ?? '';
    if (!/^\s*(?:#|$)/.test(code)) return line + below.lastIndex - code.length - own;
  }
  return line;
}
