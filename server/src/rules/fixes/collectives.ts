/** Functions that exchange tensors between processes: NCCL takes none of the CPU, so that falling back to it helps nobody. */

import type { Program } from '../../guards/program.ts';
import { memoise } from '../../python/semantic/memoise.ts';
import type { FunctionDef, Node } from '../../python/syntax/nodes.ts';
import { outermostFunction } from './devicePlaces.ts';

const COLLECTIVES = [
  'all_reduce',
  'all_gather',
  'all_gather_object',
  'all_gather_into_tensor',
  'reduce',
  'reduce_scatter',
  'broadcast',
  'broadcast_object_list',
  'gather',
  'scatter',
  'barrier',
  'isend',
  'irecv',
  'get_backend',
];

/** True in a function that takes part in collective communication. */
export function isCollective(program: Program, node: Node): boolean {
  const home = outermostFunction(node);
  return home !== undefined && collectiveIn(program).has(home);
}

const collectiveIn = memoise((program: Program): ReadonlySet<FunctionDef | undefined> => {
  const calls = program.index.callsSpelled(COLLECTIVES);
  const isOfTorch = (name: string) => name.startsWith('torch.distributed.');
  return new Set(calls.filter(({ func }) => program.names.qualify(func).some(isOfTorch)).map(outermostFunction));
});
