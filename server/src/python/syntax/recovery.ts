/** Heuristics for where invalid code ends. */
import { afterLineEnd, endOfLine } from './characters.ts';
import type { Span } from './nodes.ts';

/** Keywords that begin a statement and never occur in an expression. */
const STATEMENT =
  /(?:def|class|return|while|with|try|except|finally|raise|del|pass|break|continue|global|nonlocal|assert|import|elif|async[ \t]+def|from[ \t]+[\w.]+[ \t]+import)(?![\w])/y;

/** True if a word, the first of its line, begins a statement in any context. */
export function beginsStatement(text: string, at: number): boolean {
  STATEMENT.lastIndex = at;
  if (!STATEMENT.test(text)) return false;
  // In Python 2, an argument may be named like one of these keywords; it is followed by `=` or `.`.
  return !/[=.]/.test(text.charAt(STATEMENT.lastIndex));
}

/** True for a marker of an unresolved merge conflict. */
export function isConflictMarker(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code !== 60 && code !== 61 && code !== 62 && code !== 124) return false;
  for (let index = 1; index < 7; index++) if (text.charCodeAt(at + index) !== code) return false;
  const next = text.charCodeAt(at + 7);
  return Number.isNaN(next) || next === 32 || next === 10 || next === 13;
}

/** Statements as written in code and hardly ever in prose: `if x` must end in a colon. */
const CODE =
  /^(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*[([]|class[ \t]+\w+[ \t]*[([:]|@\w|import[ \t]+[\w.]+[ \t]*(?:as\b|,|$)|from[ \t]+[\w.]+[ \t]+import\b|(?:return|raise|pass|break|continue)(?:[ \t]+[\w.]+[(]|[ \t]*$)|(?:if|elif|while|for|with|try|else|except|finally)\b.*:[ \t]*(?:#.*)?$)/;

const DEFINITION = /^[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*[([]|class[ \t]+\w+[ \t]*[([:])/m;

/** Returns the end of the line before the next statement in a block of `indents`. */
export function nextStatement(text: string, from: number, indents: readonly number[]): number {
  let end = endOfLine(text, from);
  while (end < text.length) {
    const start = afterLineEnd(text, end);
    const next = endOfLine(text, start);
    const line = text.slice(start, Math.min(next, start + 500));
    const code = line.trimStart();
    if (code !== '' && indents.includes(columnOf(line, line.length - code.length)) && CODE.test(code)) return end;
    end = next;
  }
  return end;
}

function columnOf(line: string, length: number): number {
  let column = 0;
  for (let at = 0; at < length; at++) column = line.charCodeAt(at) === 9 ? (column | 7) + 1 : column + 1;
  return column;
}

/**
 * True if a triple-quoted string seems to be the code between two strings: it contains definitions, and it is followed
 * by prose or ends after a header without a body.
 */
export function isInverted(text: string, { start, end }: Span): boolean {
  const contents = text.slice(start + 3, end - 3);
  if (!DEFINITION.test(contents)) return false;
  if (/[\w]/.test(text.charAt(end))) return true;
  return (
    /:\s*$/.test(contents) &&
    DEFINITION.test(
      contents
        .trimEnd()
        .split(/[\r\n]/)
        .at(-1) ?? '',
    )
  );
}
