/** Which lines an edit may make something else of. */
import type { Difference } from './difference.ts';
import { lineStart, nextLine } from './lines.ts';
import type * as py from './syntax.ts';

/** A text with the statements that were read from it. */
export interface Readable {
  readonly text: string;
  /** The offset of its first character. */
  readonly base: number;
  readonly body: readonly py.Statement[];
  /** True when some part of the text is not Python. */
  readonly hasErrors: boolean;
}

/** A statement that others lie in. */
export type Compound = Extract<py.Statement, { body: py.Statement[] }>;

/** Lines that one or more statements of a block, or none, have for themselves. */
export interface Stretch {
  /** The statements that the block lies in, from the outside in. */
  readonly around: readonly Compound[];
  readonly block: readonly py.Statement[];
  /** On the lines are its statements from `from` on, up to `to`. */
  readonly from: number;
  readonly to: number;
  /** Where the lines start, and end before the edit: offsets into the text. */
  readonly start: number;
  readonly oldEnd: number;
  /** What stands before each statement of the block. */
  readonly indentation: string;
}

/** What begins a part of the statement above it. */
const PART = /^(?:elif|else|except|finally|case)\b/;

/**
 * The lines of an edit of `before`, which made `text` of it, in the innermost block that goes on after them; with the
 * statement above them where they may be a part of it. Undefined where lines and statements do not go together.
 */
export function stretchAround(before: Readable, text: string, edit: Difference): Stretch | undefined {
  const { startOf, endOf, lineOf, lineBelow, indentationOf, topOf } = placesOf(before);
  const around: Compound[] = [];
  let block = before.body;
  for (;;) {
    const inside = block.find((each) => startOf(each) <= edit.start && edit.oldEnd <= endOf(each));
    const first = inside && 'body' in inside ? inside.body[0] : undefined;
    if (!inside || !('body' in inside) || !first || edit.start < topOf(first)) break;
    if (indentationOf(first).trim() !== '') break;
    around.push(inside);
    block = inside.body;
  }
  const isBelow = (each: py.Statement) => startOf(each) > edit.oldEnd && lineOf(startOf(each)) > edit.oldEnd;
  const isIn = (first: py.Statement | undefined) => first && hasIndentation(text, edit, indentationOf(first));
  while (around.length > 0 && !(block.some(isBelow) && isIn(block[0]))) {
    around.pop();
    block = around.at(-1)?.body ?? before.body;
  }

  const line = lineOf(edit.start);
  const above = block.findLastIndex((each) => startOf(each) < line);
  const below = block.findIndex(isBelow);
  const indentation = block[0] ? indentationOf(block[0]) : '';
  if (around.length === 0 && indentation !== '') return undefined;
  let from = Math.max(0, above);
  let start = around.length === 0 && from === 0 ? 0 : lineOf(startOf(block[from] as py.Statement));
  if (edit.start < start) start = topOf(block[from] as py.Statement);
  const last = block[above];
  if (last && endOf(last) < line && isOver(text, lineBelow(endOf(last)), indentation)) {
    from = above + 1;
    start = lineBelow(endOf(last));
  } else {
    // More than one statement may stand on a line.
    while (isBesideNext(before, block, from - 1)) from--;
  }
  return upTo(before, { around, block, from, to: below < 0 ? block.length : below, start, oldEnd: 0, indentation });
}

/** A stretch with one more statement, where there is one. */
export function withNext(stretch: Stretch, before: Readable): Stretch | undefined {
  return upTo(before, { ...stretch, to: Math.min(stretch.block.length, stretch.to + 1) });
}

/** True where the lines of code that were edited, as they are now, begin with the indentation. */
function hasIndentation(text: string, { start, newEnd }: Difference, indentation: string): boolean {
  const lines = text.slice(text.lastIndexOf('\n', start - 1) + 1, text.indexOf('\n', newEnd) + 1 || text.length);
  return lines.split('\n').every((line) => line.startsWith(indentation) || /^[ \t\r]*(?:#|$)/.test(line));
}

/** The stretch up to the line where the statement after it starts; undefined where that stands in another column. */
function upTo(before: Readable, stretch: Stretch): Stretch | undefined {
  const { startOf, endOf, lineOf, lineBelow, indentationOf } = placesOf(before);
  const { around, block } = stretch;
  let { to } = stretch;
  while (isBesideNext(before, block, to - 1)) to++;
  const [last, next] = [block[to - 1], block[to]];
  if (next && indentationOf(next) !== stretch.indentation) return undefined;
  if (next) return { ...stretch, to, oldEnd: lineOf(startOf(next)) };
  return { ...stretch, to, oldEnd: around.length > 0 && last ? lineBelow(endOf(last)) : before.text.length };
}

/** True for a statement that ends on the line where the next one starts. */
function isBesideNext(before: Readable, block: readonly py.Statement[], index: number): boolean {
  const { startOf, endOf, lineOf } = placesOf(before);
  const [one, next] = [block[index], block[index + 1]];
  return one !== undefined && next !== undefined && endOf(one) >= lineOf(startOf(next));
}

/** True where the first line of code from `start` on begins a statement of its own, in a block of that indentation. */
function isOver(text: string, start: number, indentation: string): boolean {
  for (let at = start; at < text.length; at = text.indexOf('\n', at) + 1 || text.length) {
    const code = /[^ \t\r]/g;
    code.lastIndex = at;
    const first = code.exec(text)?.index ?? text.length;
    const isComment = text[first] === '#';
    if (text[first] === '\n' || first === text.length) continue;
    if (text.slice(at, first) !== indentation) return false;
    if (!isComment) return !PART.test(text.slice(first, first + 'finally'.length + 1));
  }
  return true;
}

/** Where the statements of a text start and end in it, and its lines. */
function placesOf({ text, base }: Readable) {
  const startOf = ({ span }: py.Statement) => span.start - base;
  const endOf = ({ span }: py.Statement) => span.end - base;
  const lineOf = (offset: number) => lineStart(text, offset);
  const lineBelow = (offset: number) => nextLine(text, offset);
  const indentationOf = (statement: py.Statement) => text.slice(lineOf(startOf(statement)), startOf(statement));
  /** Where the blank lines and comments begin that stand between the head of a block and its first statement. */
  const topOf = (first: py.Statement) => {
    let top = lineOf(startOf(first));
    while (top > 0 && /^[ \t\r]*(?:#.*)?$/.test(text.slice(lineOf(top - 1), top - 1))) top = lineOf(top - 1);
    // A head that goes on below has its first statement on the same logical line.
    return /\\\r?$/.test(text.slice(Math.max(0, top - 3), top - 1)) ? startOf(first) : top;
  };
  return { startOf, endOf, lineOf, lineBelow, indentationOf, topOf };
}
