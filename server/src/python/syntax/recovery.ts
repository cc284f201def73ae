/** Signs of where code that is no Python ends. */
import { afterLineEnd, endOfLine } from './characters.ts';
import type { Span } from './nodes.ts';

/** Words that begin a statement and are in no expression. */
const STATEMENT =
  /(?:def|class|return|while|with|try|except|finally|raise|del|pass|break|continue|global|nonlocal|assert|import|elif|async[ \t]+def|from[ \t]+[\w.]+[ \t]+import)(?![\w])/y;

/** True when a word at an offset, the first of its line, begins a statement wherever it is. */
export function beginsStatement(text: string, at: number): boolean {
  STATEMENT.lastIndex = at;
  if (!STATEMENT.test(text)) return false;
  // An argument may be the name of a statement in Python 2 only; `=` and `.` behind it tell.
  return !/[=.]/.test(text.charAt(STATEMENT.lastIndex));
}

/** A line of a merge that was not resolved. */
export function isConflictMarker(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code !== 60 && code !== 61 && code !== 62 && code !== 124) return false;
  for (let index = 1; index < 7; index++) if (text.charCodeAt(at + index) !== code) return false;
  const next = text.charCodeAt(at + 7);
  return Number.isNaN(next) || next === 32 || next === 10 || next === 13;
}

/** Statements as they stand in code and hardly ever in prose: behind `if x` there is a colon. */
const CODE =
  /^(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*[([]|class[ \t]+\w+[ \t]*[([:]|@\w|import[ \t]+[\w.]+[ \t]*(?:as\b|,|$)|from[ \t]+[\w.]+[ \t]+import\b|(?:return|raise|pass|break|continue)(?:[ \t]+[\w.]+[(]|[ \t]*$)|(?:if|elif|while|for|with|try|else|except|finally)\b.*:[ \t]*(?:#.*)?$)/;

const DEFINITION = /^[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*[([]|class[ \t]+\w+[ \t]*[([:])/m;

/** From an offset on, the end of the line before the first one where a statement begins in a block of `indents`. */
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
 * True for what was read as a string with triple quotes and looks as if it were what is between two strings: there are
 * definitions in it, and prose follows it or a header that has no body precedes its end.
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
