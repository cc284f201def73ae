/** CTranslate2 and packages based on it, which find CUDA libraries with the system's loader and include none. */
import { gpuPackages } from '../../published/gpuPackages.ts';
import type { PublishedBuild } from '../build.ts';
import type { PlanTarget } from '../target.ts';

/**
 * The releases with their required libraries, the newest first; undefined if it computes on the CPU or includes them.
 */
export function ctranslate2Builds(name: string, { os, gpu }: PlanTarget): readonly PublishedBuild[] | undefined {
  if (gpu.kind !== 'cuda' || os !== 'linux') return undefined;
  const rows = gpuPackages().libraries.filter((row) => row.name === 'ctranslate2');
  return rows.map(
    ({ versions, cuda, cudnn }): PublishedBuild => ({
      name,
      asked: name,
      versions: name === 'ctranslate2' ? versions : '',
      python: null,
      cuda,
      cudnn: `==${cudnn}.*`,
      title: `${name} for CUDA ${cuda} and cuDNN ${cudnn}`,
      loads: ['nvidia/cublas/lib', 'nvidia/cudnn/lib'],
      also: [
        ...(name === 'ctranslate2' ? [] : [`ctranslate2${versions}`]),
        `nvidia-cublas-cu${cuda}`,
        `nvidia-cudnn-cu${cuda}==${cudnn}.*`,
      ],
    }),
  );
}
