/** GPU101: put the device where the loader takes it. */

import type { Program } from '../../guards/program.ts';
import type { Argument } from '../../python/semantic/arguments.ts';
import type { Call } from '../../python/syntax/nodes.ts';
import { addArgument, hasBrackets, removeArgument } from '../edits/arguments.ts';
import type { Fix } from '../edits/fix.ts';
import { replacement } from '../edits/placement.ts';
import { quotedNear } from './quotes.ts';
import { isSound } from './soundness.ts';

/** Moves `map_location` from `load_state_dict` into the loader's call: it raises as it stands. */
export function fixesOfForeignArgument(program: Program, load: Call, argument: Argument): Fix[] {
  const { call, start, end } = argument;
  if (!isSound(program, call) || !hasBrackets(program, call) || !hasBrackets(program, load)) return [];
  const code = program.text.slice(start, end);
  const removal = removeArgument(program, call, argument);
  if (!removal) return [];
  const edits = [...addArgument(program, load, code), removal].sort((a, b) => a.span.start - b.span.start);
  return [{ title: `Move \`${code}\` to the loader`, tier: 'safe', edits }];
}

/** Replaces what is no device by the CPU, in place of a call that fails for every tensor. */
export function fixesOfNoDevice(program: Program, argument: Argument, parameter: string): Fix[] {
  const { call, value, name } = argument;
  if (!isSound(program, call) || !hasBrackets(program, call)) return [];
  const code = program.text.slice(argument.start, argument.end);
  const cpu = `${parameter}=${quotedNear(program, value, 'cpu')}`;
  const edit = replacement(argument.start, argument.end, cpu);
  // A positional argument may be followed by others.
  if (name === undefined && call.args.indexOf(value) < call.args.length - 1) return [];
  return [{ title: `Replace \`${code}\` with \`${cpu}\``, tier: 'safe', edits: [edit] }];
}
