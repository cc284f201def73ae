/** GPU304: make Keras refuse code again. */

import type { Program } from '../../guards/program.ts';
import type { Argument } from '../../python/semantic/arguments.ts';
import { hasBrackets, removeArgument } from '../edits/arguments.ts';
import type { Fix } from '../edits/fix.ts';
import { isSound } from './soundness.ts';

/** A model with its own code no longer loads, so the fix is only suggested. */
export function withoutArgument(program: Program, argument: Argument): Fix[] {
  // The argument of a `functools.partial` is removed there.
  const home = argument.call;
  if (!isSound(program, home) || !hasBrackets(program, home)) return [];
  const edit = removeArgument(program, home, argument);
  const code = program.text.slice(argument.start, argument.end);
  return edit ? [{ title: `Remove \`${code}\``, tier: 'suggestion', edits: [edit] }] : [];
}
