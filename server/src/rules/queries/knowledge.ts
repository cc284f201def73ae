/** Facts about the machine in the terms that rules use. */

import type { FoundCheckpoint } from '../../checkpoint/checkpointCache.ts';
import { type Here, hereFrom } from '../../loading/here.ts';
import type { FilePath } from '../../python/semantic/filePaths.ts';
import { countVisibleGpus } from '../../stack/facts/cudaVisibleDevices.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { nameGpus } from '../../stack/facts/gpuName.ts';
import type { Knowledge } from '../engine/contract.ts';

declare module '../engine/contract.ts' {
  interface Knowledge {
    /** The machine's devices and frameworks; set only if results may differ between machines. */
    readonly here?: Here;
    /** Returns the checkpoints that a path may refer to; empty if there are none, or if they cannot be read. */
    checkpointsAt?(path: FilePath): readonly FoundCheckpoint[];
  }
}

const LIGHTNING = /^(pytorch-)?lightning$/;

/** Returns the rules' knowledge about the stack. */
export function knowledgeFrom(stack: StackFacts): Knowledge {
  const { torch, keras, tensorflow } = stack.frameworks;
  const backend = knownValue(keras)?.backend;
  const visibleGpus = visibleTo(stack);
  return {
    here: hereFrom(stack),
    python: knownValue(stack.interpreter)?.version?.match(/^\d+\.\d+/)?.[0],
    torchVersion: knownValue(torch)?.version,
    tensorflowVersion: knownValue(tensorflow)?.version,
    lightningVersion: knownValue(stack.packages)?.find(({ name }) => LIGHTNING.test(name))?.version,
    kerasBackend: backend === 'tensorflow' || backend === 'jax' || backend === 'torch' ? backend : undefined,
    visibleGpus,
  };
}

/**
 * Undefined if the devices that a program counts are not the GPUs in the list: MIG instances, or another vendor's GPUs.
 */
function visibleTo({ gpus, variables, otherAccelerators }: StackFacts): Knowledge['visibleGpus'] {
  const list = knownValue(gpus);
  const environment = knownValue(variables);
  const others = knownValue(otherAccelerators);
  if (!list || !environment || !others || others.some(({ api }) => api === 'rocm')) return undefined;
  if (list.some(({ mig }) => mig)) return undefined;
  const value = environment.CUDA_VISIBLE_DEVICES;
  const count = countVisibleGpus(value, list);
  if (count === undefined) return undefined;
  return { count, names: nameGpus(list), ...(count < list.length && value !== undefined && { value }) };
}
