/** GPU304: make Keras reject code again. */

import type { Program } from '../../guards/program.ts';
import type { Argument } from '../../python/semantic/arguments.ts';
import { hasBrackets, removeArgument } from '../edits/arguments.ts';
import type { Fix } from '../edits/fix.ts';
import { isSound } from './soundness.ts';

/** A model with its own code can then no longer be loaded, so the fix is only suggested. */
export function withoutArgument(program: Program, argument: Argument): Fix[] {
  // The argument of a `functools.partial` is removed at the partial.
  const home = argument.call;
  if (!isSound(program, home) || !hasBrackets(program, home)) return [];
  const edit = removeArgument(program, home, argument);
  const code = program.text.slice(argument.start, argument.end);
  return edit ? [{ title: `Remove \`${code}\``, tier: 'suggestion', edits: [edit] }] : [];
}
