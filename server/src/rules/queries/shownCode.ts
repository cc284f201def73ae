/** Code in messages. */

import type { Program } from '../../guards/program.ts';
import { argumentOf } from '../../python/semantic/arguments.ts';
import type { Span } from '../../python/semantic/source.ts';
import type { Expression, Node } from '../../python/syntax/nodes.ts';

/** Characters of the longest code in a message. */
const LONGEST = 44;

/** Returns, in backticks, the first of the spans whose code is short and on one line; else the last one, shortened. */
export function shownCode(program: Program, ...spans: readonly Span[]): string {
  const texts = spans.map(({ start, end }) => program.text.slice(start, end));
  const short = texts.find((text) => text.length <= LONGEST && !/[\n\r`]/.test(text));
  const [line = ''] = (texts.at(-1) ?? '').split(/[\n\r]/);
  return `\`${short ?? `${line.slice(0, LONGEST - 1)}…`}\``;
}

/**
 * Returns a literal with its use: the argument with its name, as `devices=[0]`, or the call, as `.cuda(0)`; the literal
 * alone if it reaches its use through a name.
 */
export function shownUse(program: Program, literal: Node, use: Expression): string {
  const argument = argumentOf(use);
  const isThere = use.start <= literal.start && literal.end <= use.end;
  if (!argument || !isThere) return shownCode(program, literal);
  if (argument.name !== undefined) return shownCode(program, argument, literal);
  const { func, start, end } = argument.call;
  const method = func.kind === 'Attribute' ? func.end - func.attr.length - 1 : start;
  return shownCode(program, argument.call, { start: method, end }, literal);
}
