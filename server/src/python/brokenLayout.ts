import { columnOf } from './semantic/lines.ts';
import { endOfString } from './strings.ts';

/**
 * True when the lines of a Python text cannot stand as they do: one stops short, after an operator, a dot or a word that
 * something must follow, a colon has no block, or a line is indented as no line before it. Python refuses such a text,
 * while the grammar reads something else in it: to it, `model.` above `net.cuda()` is a use of `model.net`.
 */
export function hasBrokenLayout(text: string): boolean {
  let depth = 0;
  /** The last character of the logical line at hand that is code; -1 before its first. */
  let last = -1;
  /** The columns of the blocks that the logical line at hand stands in. */
  const columns: number[] = [];
  let isBlockAwaited = false;
  let lineStart = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : LINE_FEED;
    if (code >= LOWER_A && code <= LOWER_Z && last !== -1) {
      // Most of a text: names, inside of a line.
      last = at;
      continue;
    }
    if (code === SPACE || code === TAB || code === RETURN || code === FORM_FEED) continue;
    if (code === LINE_FEED) {
      lineStart = at + 1;
      if (depth > 0 || last === -1) continue;
      if (cannotEnd(text, last)) return true;
      isBlockAwaited = text.charCodeAt(last) === COLON;
      last = -1;
    } else if (code === NUMBER_SIGN) {
      at = endOfLine(text, at) - 1;
    } else if (code === BACKSLASH && /^\\\r?\n/.test(text.slice(at, at + 3))) {
      at = endOfLine(text, at);
    } else {
      if (last === -1) {
        const column = columnOf(text, lineStart, at);
        if (!fits(columns, column, isBlockAwaited)) return true;
        isBlockAwaited = false;
      }
      if (code === QUOTE || code === APOSTROPHE) at = endOfString(text, at) - 1;
      else if (OPENING.has(code)) depth++;
      else if (CLOSING.has(code)) depth = Math.max(0, depth - 1);
      last = at;
    }
  }
  return isBlockAwaited;
}

const [TAB, LINE_FEED, FORM_FEED, RETURN, SPACE] = [9, 10, 12, 13, 32];
const [QUOTE, NUMBER_SIGN, APOSTROPHE, COLON, BACKSLASH] = [34, 35, 39, 58, 92];
const [LOWER_A, LOWER_Z] = [97, 122];

const OPENING = codesOf('([{');
const CLOSING = codesOf(')]}');

const OPERATORS = '+-*/%@&|^~<>=!';
/** A dot after a name or a bracket, other than that of a number or an ellipsis. */
const DOT = /(?:[A-Za-z_]\w*|[\])}"'])\s*\.$/;
const WORD =
  /(?<![\w.])(?:and|as|assert|async|await|class|def|del|elif|else|for|from|global|if|import|in|is|lambda|nonlocal|not|or|while|with)$/;

function codesOf(signs: string): ReadonlySet<number> {
  return new Set([...signs].map((sign) => sign.charCodeAt(0)));
}

/** True when no logical line may end with the character at `last`, or the word that ends there. */
function cannotEnd(text: string, last: number): boolean {
  const character = text[last] ?? '';
  if (character === '.') return DOT.test(text.slice(Math.max(0, last - 80), last + 1));
  if (character === '*') return !/\bimport\s*\*$/.test(text.slice(Math.max(0, last - 20), last + 1));
  if (OPERATORS.includes(character)) return true;
  return character >= 'a' && character <= 'z' && WORD.test(text.slice(Math.max(0, last - 8), last + 1));
}

/** Takes a line's column over into those of the blocks around it; false where it may not stand there. */
function fits(columns: number[], column: number, isBlockAwaited: boolean): boolean {
  const around = columns.at(-1);
  if (around === undefined || isBlockAwaited) {
    columns.push(column);
    return around === undefined || column > around;
  }
  while (column < (columns.at(-1) ?? 0)) columns.pop();
  // IPython lets a cell begin with a line that is indented.
  if (columns.length === 0) columns.push(column);
  return column === columns.at(-1);
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
}
