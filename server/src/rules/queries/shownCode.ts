/** Code quoted in messages. */

import type { Program } from '../../guards/program.ts';
import { argumentOf } from '../../python/semantic/arguments.ts';
import type { Span } from '../../python/semantic/source.ts';
import type { Expression, Node } from '../../python/syntax/nodes.ts';

/** Maximum length, in characters, of code in a message. */
const LONGEST = 44;

/**
 * Returns, in backticks, the first of the spans whose code is short and on one line; if there is none, the beginning of
 * the last span, without a part of a name.
 */
export function shownCode(program: Program, ...spans: readonly Span[]): string {
  const texts = spans.map(({ start, end }) => program.text.slice(start, end));
  const short = texts.find((text) => text.length <= LONGEST && !/[\n\r`]/.test(text));
  const [line = ''] = (texts.at(-1) ?? '').split(/[\n\r]/);
  const beginning = line.length < LONGEST ? line : line.slice(0, LONGEST - 1).replace(/\b\w+$/, '');
  return `\`${short ?? `${beginning.trimEnd()}…`}\``;
}

/**
 * Returns a literal with its use: the argument with its name, as in `devices=[0]`, or the call, as in `.cuda(0)`; only
 * the literal if it reaches its use through a name.
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
