import { dataOnUse } from '../dataOnUse.ts';
import { computedOnce } from '../remembering.ts';
import { compareVersions, isAtLeast, isAtMost, minorOf } from '../versions.ts';
import { architecturesOf } from './releaseData.ts';

/** A release of TensorFlow on PyPI. */
export interface TensorflowRelease {
  /** "2.18". */
  tensorflow: string;
  /** The month in which it was published on PyPI: "2024-10". */
  published: string;
  /** The oldest and the newest Python with wheels. */
  python: [oldest: string, newest: string];
  cuda: string;
  /** As exact as published: "9.3", or "7" for the oldest. */
  cudnn: string;
  architectures: string[];
  /** True if the extra `[and-cuda]` installs CUDA libraries. */
  andCuda: boolean;
  /** The newest Python for which that extra can be resolved. */
  andCudaUntil: string;
  /** A version for which that extra cannot be resolved, because a package that it pins is not on PyPI. */
  noAndCuda: string | undefined;
  /** True if it finds the libraries that its extra installs. */
  findsWheels: boolean;
  /** True if it has CUDA wheels for native Windows. */
  windows: boolean;
  /** Its extra's requirement on NVIDIA's cuDNN wheel, such as "==9.3.0.*"; undefined if it has no extra. */
  wheelCudnn: string | undefined;
  /** Its extra's requirement on NVIDIA's NCCL wheel, if other packages may require another version. */
  nccl: string | undefined;
  /** The package name of the CUDA build, without the extra. */
  cudaPackage: 'tensorflow' | 'tensorflow-gpu';
  /** The version of tensorflow-metal that works with it. */
  metal: string | undefined;
}

interface Row {
  tensorflow: string;
  published: string;
  python: [string, string];
  cuda: string;
  cudnn: string;
  code: string;
  and_cuda?: boolean;
  and_cuda_until?: string;
  no_and_cuda?: string;
  finds_wheels?: boolean;
  windows?: boolean;
  wheel_cudnn?: string;
  nccl?: string;
  gpu_package?: boolean;
  metal?: string;
}

/** A feature that code, files and judges check for in a release: a key under `first` in the table. */
type TensorflowFeature =
  | 'experimental_device_list'
  | 'device_list'
  | 'gpus_by_default'
  | 'same_as_gpu_package'
  | 'cpu_package'
  | 'version_2'
  | 'separate_keras'
  | 'optimizers_by_xla'
  | 'ptx_for_driver'
  | 'arm'
  | 'and_cuda'
  | 'tf_keras'
  | 'tf_keras_requires_its_number'
  | 'keras_3';

/** A feature that was removed: a key under `last` in the table. */
type EndedTensorflowFeature = 'core_folder' | 'windows_cuda' | 'gpu_package' | 'intel_macs' | 'before_table';

interface Table {
  readonly first: Readonly<Record<TensorflowFeature, string>>;
  readonly last: Readonly<Record<EndedTensorflowFeature, string>>;
  readonly compiled_for: readonly { readonly cuda: string; readonly highest: string }[];
  readonly releases: readonly Row[];
}

const data = dataOnUse<Table>(import.meta.dirname, 'tensorflowReleases');

/** The first release of TensorFlow with a feature, such as "2.16". */
export function firstTensorflowWith(feature: TensorflowFeature): string {
  return data().first[feature];
}

/** The last release of TensorFlow with a feature that was removed, such as "2.10". */
export function lastTensorflowWith(feature: EndedTensorflowFeature): string {
  return data().last[feature];
}

/** True if a version of TensorFlow, such as "2.16.1", has a feature. */
export function tensorflowHas(feature: TensorflowFeature, version: string): boolean {
  return isAtLeast(version, firstTensorflowWith(feature));
}

/** The release of TensorFlow after the last one with a feature that was removed, such as "2.11". */
export function afterLastTensorflowWith(feature: EndedTensorflowFeature): string | undefined {
  const last = lastTensorflowWith(feature);
  return tensorflowReleases().findLast(({ tensorflow }) => compareVersions(tensorflow, last) > 0)?.tensorflow;
}

/** True if the release of a TensorFlow version still has a feature. */
export function tensorflowStillHas(feature: EndedTensorflowFeature, version: string): boolean {
  return isAtMost(version, lastTensorflowWith(feature));
}

/**
 * The maximum compute capability for which the driver compiles code of a TensorFlow that is built for a CUDA version.
 */
export function highestCompiledByDriver(cuda: string): string | undefined {
  return data().compiled_for.find((row) => isAtLeast(cuda, row.cuda))?.highest;
}

/** All releases from 1.5 on, the newest first. */
export const tensorflowReleases = computedOnce((): readonly TensorflowRelease[] =>
  data().releases.map(
    ({
      code,
      and_cuda = false,
      and_cuda_until,
      no_and_cuda,
      finds_wheels = true,
      windows = false,
      wheel_cudnn,
      nccl,
      gpu_package,
      metal,
      ...row
    }) => ({
      ...row,
      wheelCudnn: wheel_cudnn,
      nccl,
      cudaPackage: gpu_package ? 'tensorflow-gpu' : 'tensorflow',
      metal,
      andCudaUntil: and_cuda_until ?? row.python[1],
      noAndCuda: no_and_cuda,
      findsWheels: finds_wheels,
      architectures: architecturesOf(code),
      andCuda: and_cuda,
      windows,
    }),
  ),
);

/** The release of a version such as "2.18.0". */
export function tensorflowReleaseOf(version: string): TensorflowRelease | undefined {
  const release = minorOf(version);
  return tensorflowReleases().find(({ tensorflow }) => tensorflow === release);
}

/** The first release of TensorFlow that finds its extra's libraries again, after those that do not: "2.17". */
export function firstTensorflowFindingWheels(): string | undefined {
  const releases = tensorflowReleases();
  return releases[releases.findIndex(({ andCuda, findsWheels }) => andCuda && !findsWheels) - 1]?.tensorflow;
}

/** True if `tensorflow[and-cuda]` installs everything that a release needs into that Python ("3.11"; undefined: unknown). */
export function releaseBringsCuda(release: TensorflowRelease, python?: string): boolean {
  const { andCuda, andCudaUntil, findsWheels } = release;
  return andCuda && findsWheels && (python === undefined || compareVersions(python, andCudaUntil) <= 0);
}
