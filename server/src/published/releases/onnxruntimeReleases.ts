import { readData } from '../../dataFiles.ts';

/** A release of onnxruntime-gpu as PyPI has it. */
export interface OnnxruntimeRelease {
  /** "1.23". */
  readonly onnxruntime: string;
  /** The oldest and the newest Python that it has wheels for. */
  readonly python: readonly [oldest: string, newest: string];
  /** The family of CUDA that it is built for, such as "12". */
  readonly cuda: string;
  /** Whether the extras `[cuda,cudnn]` bring CUDA's libraries. */
  readonly extras?: boolean;
  /** Whether there are wheels for Linux on Arm. */
  readonly arm?: boolean;
}

let table: readonly OnnxruntimeRelease[] | undefined;

/** The releases from 1.15 on, the newest first. */
export function onnxruntimeReleases(): readonly OnnxruntimeRelease[] {
  table ??= readData<{ releases: OnnxruntimeRelease[] }>(import.meta.dirname, 'onnxruntimeReleases').releases;
  return table;
}

/** The lowest compute capability of the GPUs that a family's builds run on: what is newer, the driver compiles for. */
export function lowestCapabilityOfOnnxruntime(family: string): string {
  return family === '13' ? '7.5' : '5.0';
}
