import { dataOnUse } from '../dataOnUse.ts';
import { compareVersions, isAtLeast, isAtMost } from '../versions.ts';

/** The last cuDNN for a generation of GPUs. */
export interface LastCudnn {
  /** The lowest compute capability that later releases support, such as "7.5". */
  readonly below: string;
  /** The release, such as "9.10". */
  readonly cudnn: string;
  /** Its last wheel on PyPI, such as "9.10.2.21". */
  readonly wheel: string;
}

interface CudnnReleases {
  readonly last_for: readonly LastCudnn[];
  readonly incomplete: { readonly first: string; readonly last: string };
}

const cudnnReleases = dataOnUse<CudnnReleases>(import.meta.dirname, 'cudnnReleases');

/** A version that stands for the newest cuDNN, which a requirement without a bound selects. */
export const NEWEST_CUDNN = '9.99.0.0';

/** The last cuDNN for GPUs of a compute capability ("6.1"); undefined while new releases support them. */
export function lastCudnnFor(capability: string): LastCudnn | undefined {
  return cudnnReleases().last_for.find(({ below }) => compareVersions(capability, below) < 0);
}

/** The PEP 440 specifier for a cuDNN release ("9.10") and earlier ones: "<9.11". */
export function upToCudnn({ cudnn }: LastCudnn): string {
  return `<${cudnn.replace(/\d+$/, (minor) => String(Number(minor) + 1))}`;
}

/** True if the wheels of a cuDNN version lack a library, so that another cuDNN's is loaded with them. */
export function isIncompleteCudnn(version: string): boolean {
  const { first, last } = cudnnReleases().incomplete;
  return isAtLeast(version, first) && isAtMost(version, last);
}

/** True if a cuDNN version is newer than those whose wheels lack a library. */
export function isCompleteAgain(version: string): boolean {
  return !isAtMost(version, cudnnReleases().incomplete.last);
}
