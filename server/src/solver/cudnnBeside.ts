import type { Build } from './builds/build.ts';
import { beforeTuring, CUDNN_BEFORE_TURING } from './constraints.ts';
import { overlap } from './needs.ts';
import type { NvidiaTarget } from './target.ts';

/**
 * A cuDNN requirement to install with a build, such as "nvidia-cudnn-cu12<9.11", if the build would install one that is
 * too new for a GPU of the machine; undefined if it depends on none.
 */
export function cudnnBeside({ cuda, cudnn }: Build, gpu: NvidiaTarget): string | undefined {
  if (cuda === null || cudnn === null || beforeTuring(gpu).length === 0 || !overlap(cudnn, '==9.99')) return undefined;
  return `nvidia-cudnn-cu${cuda.split('.')[0]}${CUDNN_BEFORE_TURING}`;
}
