/** Minimal edits of a call's arguments that keep the call's layout. */

import type { Program } from '../../guards/program.ts';
import { type Argument, argumentsOf } from '../../python/semantic/arguments.ts';
import type { Call, Span } from '../../python/syntax/nodes.ts';
import type { Edit } from './fix.ts';
import { endsLine, indentOf, lineEnd, lineStartAfterMark, newlineAt, startsLine } from './layout.ts';
import { insertion, replacement } from './placement.ts';

/** True if the call's parentheses match the syntax tree, which is not guaranteed in code that does not parse. */
export function hasBrackets(program: Program, call: Call): boolean {
  return program.text[call.open] === '(' && program.text[call.end - 1] === ')';
}

/**
 * Returns the span from the first to the last argument, including parentheses around either; undefined without
 * arguments.
 */
export function argumentList(program: Program, call: Call): Span | undefined {
  const last = argumentsOf(call).at(-1);
  if (!last) return undefined;
  const before = /^(?:\s|\\|#[^\r\n]*)*/.exec(program.text.slice(call.open + 1, call.end))?.[0].length ?? 0;
  const rest = withoutComments(program.text.slice(last.end, call.end - 1));
  return { start: call.open + 1 + before, end: last.end + rest.lastIndexOf(')') + 1 };
}

/**
 * Adds an argument after the last one: on a separate line if the last one is on a line of its own, else on the same
 * line.
 */
export function addArgument(program: Program, call: Call, argument: string): Edit[] {
  const last = argumentsOf(call).at(-1);
  const close = call.end - 1;
  const end = argumentList(program, call)?.end;
  if (!last || end === undefined) return [insertion(call.open + 1, argument)];
  const rest = program.text.slice(end, close);
  const hasBreak = /[\r\n]/.test(rest);
  if (!hasBreak) {
    const comma = rest.indexOf(',');
    // A comma as in `f(x, )` is no longer needed.
    return comma === -1 ? [insertion(end, `, ${argument}`)] : [replacement(end, close, `, ${argument}`)];
  }
  if (!startsLine(program, last.start)) return [insertion(end, `, ${argument}`)];
  const endOfLine = Math.min(lineEnd(program, end), close);
  const comma = /^\s*,/.exec(withoutComments(rest))?.[0].length;
  const line = newlineAt(program, end) + indentOf(program, last.start) + argument;
  if (comma !== undefined) return [insertion(Math.max(endOfLine, end + comma), `${line},`)];
  return endOfLine === end ? [insertion(end, `,${line}`)] : [insertion(end, ','), insertion(endOfLine, line)];
}

const withoutComments = (text: string) => text.replace(/#[^\r\n]*/g, (comment) => ' '.repeat(comment.length));

/** Adds an argument before the first one. */
export function prependArgument(program: Program, call: Call, argument: string): Edit[] {
  const first = argumentList(program, call);
  if (!first) return [insertion(call.open + 1, argument)];
  if (!startsLine(program, first.start)) return [insertion(first.start, `${argument}, `)];
  const line = newlineAt(program, first.start) + indentOf(program, first.start);
  return [insertion(first.start, `${argument},${line}`)];
}

/** Removes an argument: the whole line if the argument is alone on it, else the argument and one comma. */
export function removeArgument(program: Program, call: Call, argument: Argument): Edit | undefined {
  const { start, end } = argument;
  const comma = /^\s*,/.exec(program.text.slice(end, call.end))?.[0].length ?? 0;
  if (startsLine(program, start) && endsLine(program, end + comma)) {
    const next = lineEnd(program, end + comma);
    return replacement(lineStartAfterMark(program, start), next + (program.text.startsWith('\r\n', next) ? 2 : 1), '');
  }
  const args = argumentsOf(call);
  const index = args.findIndex((each) => each.start === start);
  const before = args[index - 1];
  const between = before ? program.text.slice(before.end, start) : '';
  if (before) {
    const from = between.indexOf(',');
    return from === -1 || between.includes('#') ? undefined : replacement(before.end + from, end, '');
  }
  const after = args[index + 1]?.start ?? end + comma;
  return program.text.slice(end, after).includes('#') ? undefined : replacement(start, after, '');
}
