/**
 * Checkpoints that are loaded to a GPU only to be copied into a model. Loading them to main memory works on every
 * machine.
 */

import type { Program } from '../../guards/program.ts';
import { argumentOf } from '../../python/semantic/arguments.ts';
import type { Expression } from '../../python/syntax/nodes.ts';
import { loaders } from '../catalogue/catalogue.ts';
import type { Fix, FixTier } from '../edits/fix.ts';
import { replacement } from '../edits/placement.ts';
import type { DeviceLiteral } from '../queries/deviceUses.ts';
import { isCopiedOnly, isRunAsLoaded } from './loadedObject.ts';
import { quotedNear } from './quotes.ts';

/**
 * Returns the fix for `map_location="cuda:1"` that loads to main memory; none if the loaded object is used directly.
 */
export function ofCopiedLoad(program: Program, { node, use }: DeviceLiteral, tier: FixTier): Fix[] {
  const location = locationArgument(program, node);
  if (!location || use.expression !== node || isRunAsLoaded(location.call, program)) return [];
  const cpu = quotedNear(program, node, 'cpu');
  const old = program.text.slice(location.value.start, location.value.end);
  const title = `Replace \`map_location=${old}\` with \`map_location=${cpu}\``;
  const edits = [replacement(location.value.start, location.value.end, cpu)];
  return [{ title, tier: isCopiedOnly(location.call, program) ? tier : 'suggestion', edits }];
}

/** Returns the `map_location` argument that is the literal, or a `torch.device(...)` around it. */
function locationArgument(program: Program, node: Expression) {
  for (let at = node; ; ) {
    const argument = argumentOf(at);
    if (!argument || argument.star) return undefined;
    const { qualified } = program.names.calleeOf(argument.call);
    if (qualified.some((name) => loaders.get(name)?.['device-parameter'] === 'map_location')) return argument;
    if (!qualified.includes('torch.device')) return undefined;
    at = argument.call;
  }
}
