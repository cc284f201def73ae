/** Minimal edits of a call's arguments, in the layout that the call has. */
import type { Program } from '../../guards/program.ts';
import type { Call } from '../../python/syntax.ts';
import type { Edit } from '../engine/contract.ts';
import { indentOf, lineEnd, newlineAt, startsLine } from './layout.ts';
import { insertion, replacement } from './placement.ts';

/** True when the call's brackets are where the syntax tree says: not so in text that the parser had to guess at. */
export function hasBrackets(program: Program, call: Call): boolean {
  return program.text[call.span.start + call.open] === '(' && program.text[call.span.end - 1] === ')';
}

/** Adds an argument after the last one: on a line of its own where the last one has its own, else beside it. */
export function addArgument(program: Program, call: Call, argument: string): Edit[] {
  const last = call.args.at(-1);
  const close = call.span.end - 1;
  if (!last) return [insertion(call.span.start + call.open + 1, argument)];
  const rest = program.text.slice(last.span.end, close);
  const hasBreak = /[\r\n]/.test(rest);
  if (!hasBreak) {
    const comma = rest.indexOf(',');
    // `f(x, )` has no use for its comma any more.
    return comma === -1
      ? [insertion(last.span.end, `, ${argument}`)]
      : [replacement(last.span.end, close, `, ${argument}`)];
  }
  if (!startsLine(program, last.span.start)) return [insertion(last.span.end, `, ${argument}`)];
  const end = Math.min(lineEnd(program, last.span.end), close);
  const comma = /^\s*,/.exec(withoutComments(rest))?.[0].length;
  const line = newlineAt(program, last.span.end) + indentOf(program, last.span.start) + argument;
  if (comma !== undefined) {
    const afterComma = Math.max(end, last.span.end + comma);
    return [insertion(afterComma, `${line},`)];
  }
  return end === last.span.end
    ? [insertion(last.span.end, `,${line}`)]
    : [insertion(last.span.end, ','), insertion(end, line)];
}

const withoutComments = (text: string) => text.replace(/#[^\r\n]*/g, (comment) => ' '.repeat(comment.length));

/** Adds an argument before the first one. */
export function prependArgument(program: Program, call: Call, argument: string): Edit[] {
  const first = call.args[0];
  if (!first) return [insertion(call.span.start + call.open + 1, argument)];
  if (!startsLine(program, first.span.start)) return [insertion(first.span.start, `${argument}, `)];
  const line = newlineAt(program, first.span.start) + indentOf(program, first.span.start);
  return [insertion(first.span.start, `${argument},${line}`)];
}
