/**
 * Functions for which a fallback to the CPU is useless: NCCL does not accept CPU tensors, and a compiled CUDA extension
 * has no CPU kernels.
 */

import { COLLECTIVES } from '../../guards/distributed.ts';
import type { Program } from '../../guards/program.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Call, FunctionDef, Node } from '../../python/syntax/nodes.ts';
import { outermostFunction } from './devicePlaces.ts';

/** Calls of `torch.distributed` that depend on its backend. */
const ON_BACKEND = [...COLLECTIVES, 'isend', 'irecv', 'get_backend'];

/** Matches modules that are compiled for CUDA: `voxelize_cuda`, `soft_renderer.cuda.voxelize`. */
const EXTENSION = /(^|[._])cuda([._]|$)/;
/** Libraries with matching names that have a fallback, or that have their own rules. */
const NO_EXTENSION = /^(torch|numba|cupy|pycuda|tensorflow|jax|apex)\b/;

/** True in a function that uses collective communication, or calls a CUDA extension. */
export function isGpuOnlyFunction(program: Program, node: Node): boolean {
  const home = outermostFunction(node);
  return home !== undefined && gpuOnlyIn(program).has(home);
}

const gpuOnlyIn = memoize((program: Program): ReadonlySet<FunctionDef | undefined> => {
  const ofTorch = program.index
    .callsSpelled(ON_BACKEND)
    .filter(({ func }) => program.names.qualify(func).some((name) => name.startsWith('torch.distributed.')));
  const ofExtensions = program.index.calls.filter((call) => isOfExtension(call, program));
  return new Set([...ofTorch, ...ofExtensions].map(outermostFunction));
});

function isOfExtension({ func }: Call, program: Program): boolean {
  if (func.kind !== 'Attribute' || func.value.kind !== 'Name' || !func.value.id.includes('cuda')) return false;
  return program.names.qualify(func.value).some((name) => EXTENSION.test(name) && !NO_EXTENSION.test(name));
}
