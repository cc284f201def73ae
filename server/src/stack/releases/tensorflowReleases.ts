import { architecturesOf, readData } from './releaseData.ts';

/** A release of TensorFlow as PyPI has it. */
export interface TensorflowRelease {
  /** "2.18". */
  tensorflow: string;
  /** The oldest and the newest Python that it has wheels for. */
  python: [oldest: string, newest: string];
  cuda: string;
  /** As exact as it is published: "9.3", or "7" for the oldest. */
  cudnn: string;
  architectures: string[];
  /** Whether the extra `[and-cuda]` brings CUDA's libraries. */
  andCuda: boolean;
  /** Whether it has wheels with CUDA for Windows itself. */
  windows: boolean;
}

interface Row {
  tensorflow: string;
  python: [string, string];
  cuda: string;
  cudnn: string;
  code: string;
  and_cuda?: boolean;
  windows?: boolean;
}

let table: readonly TensorflowRelease[] | undefined;

/** All releases from 1.5 on, the newest first. */
export function tensorflowReleases(): readonly TensorflowRelease[] {
  table ??= readData<{ releases: Row[] }>(import.meta.dirname, 'tensorflowReleases').releases.map(
    ({ code, and_cuda = false, windows = false, ...row }) => ({
      ...row,
      architectures: architecturesOf(code),
      andCuda: and_cuda,
      windows,
    }),
  );
  return table;
}

/** The release of a version such as "2.18.0". */
export function tensorflowReleaseOf(version: string): TensorflowRelease | undefined {
  const release = version.match(/^\d+\.\d+/)?.[0];
  return tensorflowReleases().find(({ tensorflow }) => tensorflow === release);
}
