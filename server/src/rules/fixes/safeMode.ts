/** GPU304: let Keras refuse code again. */

import type { Program } from '../../guards/program.ts';
import type { Argument } from '../../python/semantic/arguments.ts';
import { argumentsOf } from '../../python/semantic/arguments.ts';
import type { Call } from '../../python/syntax/nodes.ts';
import type { Edit, Fix } from '../engine/contract.ts';
import { hasBrackets } from './arguments.ts';
import { endsLine, lineEnd, lineStart, startsLine } from './layout.ts';
import { replacement } from './placement.ts';
import { isSound } from './soundness.ts';

/** A model with code of its own does not load any more, so the fix is only suggested. */
export function withoutArgument(program: Program, argument: Argument): Fix[] {
  // What `functools.partial` was given is taken out there.
  const home = argument.call;
  if (!isSound(program, home) || !hasBrackets(program, home)) return [];
  const edit = removal(program, home, argument);
  const written = program.text.slice(argument.start, argument.end);
  return edit ? [{ title: `Remove \`${written}\``, tier: 'suggestion', edits: [edit] }] : [];
}

/** Takes the line where the argument has its own, else the argument with one of the commas beside it. */
function removal(program: Program, call: Call, argument: Argument): Edit | undefined {
  const { start, end } = argument;
  const comma = /^\s*,/.exec(program.text.slice(end, call.end))?.[0].length ?? 0;
  if (startsLine(program, start) && endsLine(program, end + comma)) {
    const next = lineEnd(program, end + comma);
    return replacement(lineStart(program, start), next + (program.text.startsWith('\r\n', next) ? 2 : 1), '');
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
