/** Frameworks other than TensorFlow that compute on a GPU. */

import type { Program } from '../../guards/program.ts';
import type { GpuUse } from '../../guards/projectView.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Node } from '../../python/syntax/nodes.ts';

/** True for text that may use one of the frameworks. */
export const mayUseFramework = (text: string): boolean => /\b(?:torch|jax)\b/.test(text);

/** Returns, for each framework, the first place that uses a GPU. */
export const frameworksOnGpu = memoize((program: Program): readonly GpuUse<Node>[] => {
  const torch = torchUse(program);
  const jax = jaxUse(program);
  return [
    ...(torch ? [{ framework: 'PyTorch', place: torch } as const] : []),
    ...(jax ? [{ framework: 'JAX', place: jax } as const] : []),
  ];
});

const imports = (program: Program, module: string): boolean =>
  program.index.scopes.some((scope) =>
    [...scope.definitions.values()].flat().some(({ qualified }) => qualified?.split('.')[0] === module),
  );

function torchUse(program: Program): Node | undefined {
  if (!imports(program, 'torch')) return undefined;
  const moved = program.index
    .callsSpelled(['cuda'])
    .find(({ func }) => func.kind === 'Attribute' && !program.names.qualify(func).includes('torch.cuda'));
  return moved ?? program.index.strings.find((string) => /^cuda(:\d+)?$/.test(stringOf(string) ?? ''));
}

/** Calls that make JAX compute, for which it takes most of the first GPU's memory. */
const COMPUTES = /^jax\.(numpy|random|lax|nn|scipy)\.\w|^jax\.(device_put|jit|grad|value_and_grad|vmap|pmap)$/;
/** Text in a program that keeps JAX off the GPU or limits its memory. */
const KEPT_SMALL = /JAX_PLATFORM|jax_platform|XLA_PYTHON_CLIENT|XLA_FLAGS/;

function jaxUse(program: Program): Node | undefined {
  if (!imports(program, 'jax') || KEPT_SMALL.test(program.text)) return undefined;
  return program.index.calls.find(({ func }) => program.names.qualify(func).some((name) => COMPUTES.test(name)));
}
