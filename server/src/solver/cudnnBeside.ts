import type { PublishedBuild } from '../fit/build.ts';
import { overlap } from '../fit/specifiers.ts';
import type { NvidiaTarget } from '../fit/target.ts';
import { NEWEST_CUDNN, upToCudnn } from '../published/releases/cudnnReleases.ts';
import { gpusOfOlderCudnn } from './constraints.ts';

/**
 * A cuDNN requirement to install with a build, such as "nvidia-cudnn-cu12<9.11", if the build would install one that is
 * too new for a GPU of the machine; undefined if it depends on none.
 */
export function cudnnBeside({ cuda, cudnn }: PublishedBuild, gpu: NvidiaTarget): string | undefined {
  const [oldest] = gpusOfOlderCudnn(gpu);
  if (cuda === null || cudnn === null || !oldest || !overlap(cudnn, `==${NEWEST_CUDNN}`)) return undefined;
  return `nvidia-cudnn-cu${cuda.split('.')[0]}${upToCudnn(oldest.last)}`;
}
