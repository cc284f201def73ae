import { NEWEST_CUDNN, upToCudnn } from '../published/releases/cudnnReleases.ts';
import type { Build } from './builds/build.ts';
import { gpusOfOlderCudnn } from './constraints.ts';
import { overlap } from './needs.ts';
import type { NvidiaTarget } from './target.ts';

/**
 * A cuDNN requirement to install with a build, such as "nvidia-cudnn-cu12<9.11", if the build would install one that is
 * too new for a GPU of the machine; undefined if it depends on none.
 */
export function cudnnBeside({ cuda, cudnn }: Build, gpu: NvidiaTarget): string | undefined {
  const [oldest] = gpusOfOlderCudnn(gpu);
  if (cuda === null || cudnn === null || !oldest || !overlap(cudnn, `==${NEWEST_CUDNN}`)) return undefined;
  return `nvidia-cudnn-cu${cuda.split('.')[0]}${upToCudnn(oldest.last)}`;
}
