/** The relation between the cuDNN of a build and a GPU: new releases contain no code for old generations. */
import { type LastCudnn, lastCudnnFor, NEWEST_CUDNN, upToCudnn } from '../published/releases/cudnnReleases.ts';
import { overlap } from '../published/specifier.ts';
import { majorOf } from '../published/versions.ts';
import type { Build } from './build.ts';
import type { NvidiaTarget, TargetNvidiaGpu } from './target.ts';

/** The GPU, and the last cuDNN for it. */
interface CudnnDetails {
  readonly gpu: TargetNvidiaGpu;
  readonly last: LastCudnn;
}

/** The GPUs that new releases of cuDNN do not support, each with the last one that does. */
export function gpusOfOlderCudnn({ gpus }: Pick<NvidiaTarget, 'gpus'>): readonly CudnnDetails[] {
  return gpus.flatMap((gpu) => {
    const last = gpu.computeCapability === null ? undefined : lastCudnnFor(gpu.computeCapability);
    return last === undefined ? [] : [{ gpu, last }];
  });
}

/** The GPUs that no cuDNN supports which a requirement accepts, each with the last one that does. */
export function gpusWithoutCudnn({ cudnn }: Pick<Build, 'cudnn'>, gpu: NvidiaTarget): readonly CudnnDetails[] {
  return cudnn === null ? [] : gpusOfOlderCudnn(gpu).filter(({ last }) => !overlap(cudnn, upToCudnn(last)));
}

/** True if a build installs the newest cuDNN, whatever that is. */
export function installsNewestCudnn({ cudnn: required }: Pick<Build, 'cudnn'>): boolean {
  return required !== null && overlap(required, `==${NEWEST_CUDNN}`);
}

/**
 * A cuDNN requirement to install with a build, such as "nvidia-cudnn-cu12<9.11", if the build would install one that is
 * too new for a GPU of the machine; undefined if it depends on none.
 */
export function cudnnBeside(build: Build, gpu: NvidiaTarget): string | undefined {
  const [oldest] = gpusOfOlderCudnn(gpu);
  if (build.cuda === null || oldest === undefined || !installsNewestCudnn(build)) return undefined;
  return `nvidia-cudnn-cu${majorOf(build.cuda)}${upToCudnn(oldest.last)}`;
}
