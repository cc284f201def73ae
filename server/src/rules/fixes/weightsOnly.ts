/** GPU102: load tensors and plain data only. */
import type { Program } from '../../python/program.ts';
import type { Argument, Call } from '../../python/syntax.ts';
import type { Fix } from '../contract.ts';
import { addArgument, hasBrackets } from './arguments.ts';
import { replacement } from './placement.ts';
import { isSound } from './soundness.ts';

/** `argument` is the explicit `weights_only=False`. A file that holds more than tensors does not load any more: no fix is safe. */
export function fixesOfUnsafeLoad(program: Program, call: Call, argument: Argument | undefined): Fix[] {
  if (!isSound(program, call) || !hasBrackets(program, call)) return [];
  if (!argument)
    return [
      { title: 'Add `weights_only=True`', tier: 'suggestion', edits: addArgument(program, call, 'weights_only=True') },
    ];
  const edits = [replacement(argument.value.start, argument.value.end, 'True')];
  return [{ title: 'Replace `weights_only=False` with `weights_only=True`', tier: 'suggestion', edits }];
}
