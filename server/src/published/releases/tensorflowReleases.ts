import { readData } from '../../dataFiles.ts';
import { compareVersions, minorOf } from '../versions.ts';
import { architecturesOf } from './releaseData.ts';

/** A release of TensorFlow as PyPI has it. */
export interface TensorflowRelease {
  /** "2.18". */
  tensorflow: string;
  /** The month in which it came to PyPI: "2024-10". */
  published: string;
  /** The oldest and the newest Python that it has wheels for. */
  python: [oldest: string, newest: string];
  cuda: string;
  /** As exact as it is published: "9.3", or "7" for the oldest. */
  cudnn: string;
  architectures: string[];
  /** Whether the extra `[and-cuda]` brings CUDA's libraries. */
  andCuda: boolean;
  /** The newest Python for which that extra can be resolved. */
  andCudaUntil: string;
  /** Whether it finds the libraries that its extra brings. */
  findsWheels: boolean;
  /** Whether it has wheels with CUDA for Windows itself. */
  windows: boolean;
  /** What its extra requires of NVIDIA's wheel of cuDNN, such as "==9.3.0.*"; undefined where it has no extra. */
  wheelCudnn: string | undefined;
  /** What its extra requires of NVIDIA's wheel of NCCL, where others may require another one. */
  nccl: string | undefined;
  /** What pip calls the build for CUDA, without the extra. */
  cudaPackage: 'tensorflow' | 'tensorflow-gpu';
  /** The tensorflow-metal that loads into it. */
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
  finds_wheels?: boolean;
  windows?: boolean;
  wheel_cudnn?: string;
  nccl?: string;
  gpu_package?: boolean;
  metal?: string;
}

let table: readonly TensorflowRelease[] | undefined;

/** All releases from 1.5 on, the newest first. */
export function tensorflowReleases(): readonly TensorflowRelease[] {
  table ??= readData<{ releases: Row[] }>(import.meta.dirname, 'tensorflowReleases').releases.map(
    ({
      code,
      and_cuda = false,
      and_cuda_until,
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
      findsWheels: finds_wheels,
      architectures: architecturesOf(code),
      andCuda: and_cuda,
      windows,
    }),
  );
  return table;
}

/** The release of a version such as "2.18.0". */
export function tensorflowReleaseOf(version: string): TensorflowRelease | undefined {
  const release = minorOf(version);
  return tensorflowReleases().find(({ tensorflow }) => tensorflow === release);
}

/** Whether `tensorflow[and-cuda]` installs all that a release needs into that Python ("3.11"; undefined: it is not known). */
export function bringsCuda(release: TensorflowRelease, python?: string): boolean {
  const { andCuda, andCudaUntil, findsWheels } = release;
  return andCuda && findsWheels && (python === undefined || compareVersions(python, andCudaUntil) <= 0);
}
