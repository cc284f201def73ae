import { readData } from '../../dataFiles.ts';
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

let table: CudnnReleases | undefined;

function cudnnReleases(): CudnnReleases {
  table ??= readData<CudnnReleases>(import.meta.dirname, 'cudnnReleases');
  return table;
}

/** A version that stands for the newest cuDNN, which an open requirement takes. */
export const NEWEST_CUDNN = '9.99.0.0';

/** The last cuDNN for GPUs of a compute capability ("6.1"); undefined while new releases support them. */
export function lastCudnnFor(capability: string): LastCudnn | undefined {
  return cudnnReleases().last_for.find(({ below }) => compareVersions(capability, below) < 0);
}

/** The specifier of PEP 440 of a release of cuDNN ("9.10") and those before it: "<9.11". */
export function upToCudnn({ cudnn }: LastCudnn): string {
  return `<${cudnn.replace(/\d+$/, (minor) => String(Number(minor) + 1))}`;
}

/** True if the wheels of a version of cuDNN lack a library, so that one of another cuDNN is loaded with them. */
export function isIncompleteCudnn(version: string): boolean {
  const { first, last } = cudnnReleases().incomplete;
  return isAtLeast(version, first) && isAtMost(version, last);
}

/** True if a version of cuDNN is newer than those whose wheels lack a library. */
export function isCompleteAgain(version: string): boolean {
  return !isAtMost(version, cudnnReleases().incomplete.last);
}
