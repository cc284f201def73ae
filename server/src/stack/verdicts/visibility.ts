import { countVisibleGpus } from '../cudaVisibleDevices.ts';
import { type FrameworkBuild, type Gpu, knownValue, type StackFacts } from '../facts.ts';
import { nameGpus } from '../gpuName.ts';
import { onWindows } from './installing.ts';
import type { Judge } from './verdict.ts';

/** The GPUs, where CUDA_VISIBLE_DEVICES leaves any of them to be seen; undefined where they are unknown. */
export function usableGpus({ gpus, variables }: StackFacts): Gpu[] | undefined {
  const list = knownValue(gpus);
  if (list === undefined) return undefined;
  return countVisibleGpus(knownValue(variables)?.CUDA_VISIBLE_DEVICES, list) === 0 ? [] : list;
}

export const gpusHidden: Judge = {
  id: 'gpus-hidden',
  judge(facts) {
    const gpus = knownValue(facts.gpus);
    const value = knownValue(facts.variables)?.CUDA_VISIBLE_DEVICES;
    if (!gpus?.length || value === undefined || countVisibleGpus(value, gpus) !== 0) return [];
    const build = builtForCuda(facts);
    if (build === undefined) return [];
    return [
      {
        severity: 'warning',
        finding: `CUDA_VISIBLE_DEVICES="${value}" hides every GPU, so ${build.name} runs on the CPU.`,
        why: [
          { fact: `CUDA_VISIBLE_DEVICES="${value}" names no GPU of this machine`, source: facts.variables.source },
          { fact: `${nameGpus(gpus)} is there`, source: facts.gpus.source },
        ],
        remedies: [
          {
            title: 'Remove the variable where it is set, then start the program or the editor again',
            command: onWindows(facts) ? 'Remove-Item Env:CUDA_VISIBLE_DEVICES' : 'unset CUDA_VISIBLE_DEVICES',
          },
        ],
      },
    ];
  },
};

function builtForCuda({ frameworks: { torch, tensorflow, jax } }: StackFacts): FrameworkBuild | undefined {
  return [torch, tensorflow, jax].flatMap((fact) => knownValue(fact) ?? []).find(({ target }) => target === 'cuda');
}
