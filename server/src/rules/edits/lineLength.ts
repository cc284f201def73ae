/** Keeps lines that fixes write within the project's line length, by breaking long calls at their parentheses. */

import type { Program } from '../../guards/program.ts';
import { argumentsOf } from '../../python/semantic/arguments.ts';
import { isString } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { countBelow } from '../../python/syntax/ascending.ts';
import type { Call, Node, Span, Statement } from '../../python/syntax/nodes.ts';
import { isStatement, startOf, walk } from '../../python/syntax/walk.ts';
import { argumentList, hasBrackets } from './arguments.ts';
import type { Edit, Fix } from './fix.ts';
import { indentOf, indentUnit, lineEnd, lineStartAfterMark, newlineAt } from './layout.ts';

/**
 * The default of formatters: https://black.readthedocs.io/en/stable/the_black_code_style/current_style.html#line-length
 */
const USUAL = 88;
/** Lines longer than this are data or exceptions and do not determine the project's line length. */
const LONGEST_CUSTOM = 120;

/**
 * Returns the fix with overlong lines broken at a parenthesis, if possible. `limit` is the project's configured length.
 */
export function withinLines(program: Program, fix: Fix, limit = customOf(program)): Fix {
  const byLine = new Map<number, Edit[]>();
  for (const edit of fix.edits) {
    if (/[\r\n]/.test(edit.newText)) continue;
    const start = lineStartAfterMark(program, edit.span.start);
    if (edit.span.end <= lineEnd(program, edit.span.start)) byLine.set(start, [...(byLine.get(start) ?? []), edit]);
  }
  let { edits } = fix;
  for (const [start, inLine] of byLine) {
    const length = widthOf(program.text.slice(start, lineEnd(program, start)));
    if (length > limit || length + grownBy(inLine) <= limit) continue;
    const broken = brokenLine(program, start, inLine, limit);
    if (broken) edits = inOrder([...edits.filter((edit) => !inLine.includes(edit)), ...broken]);
  }
  return edits === fix.edits ? fix : { ...fix, edits };
}

const inOrder = (edits: readonly Edit[]) => [...edits].sort((a, b) => a.span.start - b.span.start);

/** Returns the columns of a text; a tab counts as four. */
const widthOf = (text: string) => text.length + 3 * (text.split('\t').length - 1);

const grownBy = (edits: readonly Edit[]) =>
  edits.reduce((sum, { span, newText }) => sum + newText.length - (span.end - span.start), 0);

/** Returns the length of the longest line in the file that indicates the author's limit. */
const customOf = memoize((program: Program): number => {
  const lengths = program.source.cells.flatMap(({ text }) => text.split(/\r\n|\n|\r/).map(widthOf));
  return lengths.reduce((longest, length) => (length <= LONGEST_CUSTOM ? Math.max(longest, length) : longest), USUAL);
});

function brokenLine(
  program: Program,
  line: number,
  edits: readonly Edit[],
  limit: number,
): readonly Edit[] | undefined {
  const end = lineEnd(program, line);
  const around = callsAround(program, line, edits);
  const whole = around.filter(
    (call) => lineStartAfterMark(program, startOfStatement(call)) === line && call.end <= end && isBreakable(call),
  );
  for (const isEach of [false, true])
    for (const call of whole) {
      const found = brokenCall(program, call, edits, limit, isEach);
      if (found) return found;
    }
  return continued(program, line, edits);
}

/**
 * True for a call that forms its whole statement, possibly in parentheses or followed by further calls. Breaks
 * elsewhere are hard to read.
 */
function isBreakable(call: Call): boolean {
  for (let at: Node = call, around = call.parent; around && !isStatement(around); at = around, around = around.parent) {
    const isChain = around.kind === 'Attribute' || (around.kind === 'Subscript' && around.value === at);
    if (!isChain && around.kind !== 'Call' && around.kind !== 'keyword' && around.kind !== 'Await') return false;
  }
  return true;
}

function startOfStatement(call: Call): number {
  for (let at: Call['parent'] = call; at; at = at.parent) if (isStatement(at)) return startOf(at);
  return call.start;
}

/** Returns the calls whose parentheses contain all of the edits, outermost first, except calls in f-strings. */
function callsAround(program: Program, line: number, edits: readonly Edit[]): Call[] {
  const found: Call[] = [];
  const statements = statementsOf(program);
  for (let index = countBelow(statements, line, ({ end }) => end); index < statements.length; index++) {
    const statement = statements[index] as Statement;
    if (startOf(statement) > line + 1000) break;
    walk(statement, (node) => {
      if (isString(node) || node.end < line) return false;
      if (node.kind === 'Call' && hasBrackets(program, node)) {
        const isInside = ({ span }: Edit) => node.open < span.start && span.end < node.end;
        if (edits.every(isInside)) found.push(node);
      }
      return true;
    });
  }
  return found.sort((a, b) => a.open - b.open);
}

const statementsOf = memoize((program: Program): readonly Statement[] => program.cells.flat());

/** Breaks a call after its opening parenthesis, before its closing one and, if `isEach`, between its arguments. */
function brokenCall(
  program: Program,
  call: Call,
  edits: readonly Edit[],
  limit: number,
  isEach: boolean,
): readonly Edit[] | undefined {
  const list = argumentList(program, call);
  if (!list) return undefined;
  const indent = indentOf(program, call.open);
  const inner = indent + indentUnit(program);
  const newline = newlineAt(program, call.open);
  const line = lineStartAfterMark(program, call.open);
  const close = call.end - 1;
  const args = argumentsOf(call);
  const starts = isEach ? args.map((arg) => arg.start) : [list.start];
  if (isEach && (args.length < 2 || args[0]?.start !== list.start)) return undefined;
  // One edit may insert several arguments.
  if (starts.some((start) => edits.some(({ span }) => span.start < start && start < span.end))) return undefined;
  const grown = (from: number, to: number) =>
    to - from + grownBy(edits.filter(({ span }) => from <= span.start && span.end <= to));
  const pieces = starts.map((start, index) => grown(start, starts[index + 1] ?? close));
  const fits =
    widthOf(program.text.slice(line, call.open + 1)) <= limit &&
    pieces.every((length) => widthOf(inner) + length <= limit) &&
    widthOf(indent) + (lineEnd(program, close) - close) <= limit;
  if (!fits) return undefined;
  let broken = withBreak(edits, { start: call.open + 1, end: call.open + 1 }, newline + inner, 'before');
  for (const start of starts.slice(1)) {
    const gap = /\s*$/.exec(program.text.slice(call.open, start))?.[0].length ?? 0;
    broken = withBreak(broken, { start: start - gap, end: start }, newline + inner, 'before');
  }
  return withBreak(broken, { start: close, end: close }, newline + indent, 'after');
}

/** Returns the edits with line breaks before or after text that is inserted at the same offset. */
function withBreak(edits: readonly Edit[], span: Span, text: string, side: 'before' | 'after'): readonly Edit[] {
  const beside = edits.find((edit) => edit.span.start === span.start);
  if (!beside) return [...edits, { span, newText: text }];
  const newText = side === 'before' ? text + beside.newText : beside.newText + text;
  return [...edits.filter((edit) => edit !== beside), { span: beside.span, newText }];
}

/** Puts a new argument of a multi-line call on a separate line: `, x=1` becomes `,` and `x=1` on the next line. */
function continued(program: Program, line: number, edits: readonly Edit[]): Edit[] | undefined {
  const [edit, ...others] = edits;
  if (!edit || others.length > 0 || !edit.newText.startsWith(', ') || edit.span.start !== edit.span.end)
    return undefined;
  const call = callsAround(program, line, edits).findLast(
    (each) => argumentList(program, each)?.end === edit.span.start,
  );
  const isLong = call && (call.open < line || lineEnd(program, line) < call.end);
  const first = isLong ? argumentsOf(call)[0] : undefined;
  if (!first) return undefined;
  const start = lineStartAfterMark(program, first.start);
  const lead = program.text.slice(start, first.start);
  const column = lead.replace(/[^\t]/g, ' ');
  return [{ ...edit, newText: `,${newlineAt(program, edit.span.start)}${column}${edit.newText.slice(2)}` }];
}
