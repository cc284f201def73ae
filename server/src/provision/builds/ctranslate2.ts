/** CTranslate2 and what computes with it, which look for CUDA's libraries with the loader and bring none. */
import { gpuPackages } from '../../stack/catalogue/gpuPackages.ts';
import type { Target } from '../target.ts';
import type { Build } from './build.ts';

/** The newest release with the libraries that it looks for; undefined where it computes on the CPU, or brings them. */
export function ctranslate2Builds(name: string, { os, gpu }: Target): readonly Build[] | undefined {
  const newest = gpuPackages().libraries.find((row) => row.name === 'ctranslate2');
  if (gpu.kind !== 'cuda' || os !== 'linux' || newest?.cudnn === undefined) return undefined;
  const { cuda, cudnn, versions } = newest;
  return [
    {
      name,
      asked: name,
      versions: name === 'ctranslate2' ? versions : '',
      python: null,
      cuda,
      cudnn: `==${cudnn}.*`,
      title: `${name}, which finds CUDA ${cuda} and cuDNN ${cudnn} once LD_LIBRARY_PATH names nvidia/cublas/lib and nvidia/cudnn/lib of the environment`,
      runsOn: () => true,
      also: [`nvidia-cublas-cu${cuda}`, `nvidia-cudnn-cu${cuda}==${cudnn}.*`],
    },
  ];
}
