import type { Build } from './builds/build.ts';
import { beforeTuring, CUDNN_BEFORE_TURING } from './constraints.ts';
import { overlap } from './needs.ts';
import type { NvidiaTarget } from './target.ts';

/**
 * NVIDIA's wheel of cuDNN as a build has to be asked for together with it, such as "nvidia-cudnn-cu12<9.11", where the build
 * would take a newer one than a GPU of the machine supports; undefined where it takes none of those.
 */
export function cudnnBeside({ cuda, cudnn }: Build, gpu: NvidiaTarget): string | undefined {
  if (cuda === null || cudnn === null || beforeTuring(gpu).length === 0 || !overlap(cudnn, '==9.99')) return undefined;
  return `nvidia-cudnn-cu${cuda.split('.')[0]}${CUDNN_BEFORE_TURING}`;
}
