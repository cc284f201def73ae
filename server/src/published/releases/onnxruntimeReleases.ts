import { readData } from '../../dataFiles.ts';
import { isAtLeast } from '../versions.ts';

/** A release of onnxruntime-gpu as PyPI has it. */
export interface OnnxruntimeRelease {
  /** "1.23". */
  readonly onnxruntime: string;
  /** The oldest and the newest Python that it has wheels for. */
  readonly python: readonly [oldest: string, newest: string];
  /** The family of CUDA that it is built for, such as "12". */
  readonly cuda: string;
  /** True if the extras `[cuda,cudnn]` install CUDA libraries. */
  readonly extras?: boolean;
  /** True if there are wheels for Linux on Arm. */
  readonly arm?: boolean;
}

/** The newest models of ONNX that a release of ONNX Runtime and later ones load. */
export interface LoadedModels {
  /** "1.23". */
  readonly since: string;
  /** The newest IR version. */
  readonly ir: number;
  /** The newest opset. */
  readonly opset: number;
}

interface Table {
  readonly capabilities: Readonly<Record<string, string>>;
  readonly cudnn: readonly { onnxruntime: string; cuda: string; cudnn: string }[];
  readonly looks_for: Readonly<Record<string, string>>;
  readonly models: readonly LoadedModels[];
  readonly models_untried: string;
  readonly releases: readonly OnnxruntimeRelease[];
}

let table: Table | undefined;

function data(): Table {
  table ??= readData<Table>(import.meta.dirname, 'onnxruntimeReleases');
  return table;
}

/** The releases from 1.15 on, the newest first. */
export function onnxruntimeReleases(): readonly OnnxruntimeRelease[] {
  return data().releases;
}

/** The lowest compute capability of the GPUs that a family's builds run on; undefined for a family without builds. */
export function lowestCapabilityOfOnnxruntime(family: string): string | undefined {
  return data().capabilities[family];
}

/** The major version of the cuDNN that a release loads, by the CUDA that it is built for; undefined for older releases. */
export function cudnnOfOnnxruntime(version: string, cuda: string): string | undefined {
  const row = data().cudnn.find((each) => isAtLeast(cuda, each.cuda) && isAtLeast(version, each.onnxruntime));
  return row?.cudnn;
}

/** The CUDA that the builds for a family ("11") look for on the machine: "11.8", or any release of the family. */
export function cudaForOnnxruntime(family: string): string {
  return data().looks_for[family] ?? family;
}

/** The newest models that a release loads; undefined for one that is older or newer than the releases that were tried. */
export function modelsOfOnnxruntime(version: string): LoadedModels | undefined {
  const { models, models_untried } = data();
  return isAtLeast(version, models_untried) ? undefined : models.findLast(({ since }) => isAtLeast(version, since));
}
