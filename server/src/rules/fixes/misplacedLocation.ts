/** GPU101: pass the device to the loader. */

import type { Program } from '../../guards/program.ts';
import type { Argument } from '../../python/semantic/arguments.ts';
import type { Call } from '../../python/syntax/nodes.ts';
import { addArgument, hasBrackets, removeArgument } from '../edits/arguments.ts';
import type { Fix } from '../edits/fix.ts';
import { replacement } from '../edits/placement.ts';
import { quotedNear } from './quotes.ts';
import { isSound } from './soundness.ts';

/** Moves `map_location` from `load_state_dict`, where it raises an error, into the loader's call. */
export function fixesOfForeignArgument(program: Program, load: Call, argument: Argument): Fix[] {
  const { call, start, end } = argument;
  if (!isSound(program, call) || !hasBrackets(program, call) || !hasBrackets(program, load)) return [];
  const code = program.text.slice(start, end);
  const removal = removeArgument(program, call, argument);
  if (!removal) return [];
  const edits = [...addArgument(program, load, code), removal].sort((a, b) => a.span.start - b.span.start);
  return [{ title: `Move \`${code}\` to the loader`, tier: 'safe', edits }];
}

/** Replaces a value that is not a device with the CPU, in a call that fails for every tensor. */
export function fixesOfNoDevice(program: Program, argument: Argument, parameter: string): Fix[] {
  const { call, value, name } = argument;
  if (!isSound(program, call) || !hasBrackets(program, call)) return [];
  const code = program.text.slice(argument.start, argument.end);
  const cpu = `${parameter}=${quotedNear(program, value, 'cpu')}`;
  const edit = replacement(argument.start, argument.end, cpu);
  // Other positional arguments may follow.
  if (name === undefined && call.args.indexOf(value) < call.args.length - 1) return [];
  return [{ title: `Replace \`${code}\` with \`${cpu}\``, tier: 'safe', edits: [edit] }];
}
