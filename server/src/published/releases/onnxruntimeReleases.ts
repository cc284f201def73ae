import { dataOnUse } from '../dataOnUse.ts';
import { isAtLeast } from '../versions.ts';

/** A release of onnxruntime-gpu on PyPI. */
interface OnnxruntimeRelease {
  /** "1.23". */
  readonly onnxruntime: string;
  /** The oldest and the newest Python with wheels. */
  readonly python: readonly [oldest: string, newest: string];
  /** The CUDA family that it is built for, such as "12". */
  readonly cuda: string;
  /** True if the extras `[cuda,cudnn]` install CUDA libraries. */
  readonly extras?: boolean;
  /** True if there are wheels for Linux on Arm. */
  readonly arm?: boolean;
}

/** The newest ONNX models that a release of ONNX Runtime and later ones load. */
interface LoadedModels {
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

const data = dataOnUse<Table>(import.meta.dirname, 'onnxruntimeReleases');

/** The releases from 1.15 on, the newest first. */
export function onnxruntimeReleases(): readonly OnnxruntimeRelease[] {
  return data().releases;
}

/** The minimum compute capability of GPUs for a family's builds; undefined for a family without builds. */
export function lowestCapabilityOfOnnxruntime(family: string): string | undefined {
  return data().capabilities[family];
}

/**
 * The major version of the cuDNN that a release loads, by the CUDA version that it is built for; undefined for older
 * releases.
 */
export function cudnnOfOnnxruntime(version: string, cuda: string): string | undefined {
  const row = data().cudnn.find((each) => isAtLeast(cuda, each.cuda) && isAtLeast(version, each.onnxruntime));
  return row?.cudnn;
}

/**
 * The CUDA version that the builds for a family ("11") search for on the machine: "11.8", or any release of the family.
 */
export function cudaForOnnxruntime(family: string): string {
  return data().looks_for[family] ?? family;
}

/** The newest models that a release loads; undefined if it is older or newer than the tested releases. */
export function modelsOfOnnxruntime(version: string): LoadedModels | undefined {
  const { models, models_untried } = data();
  return isAtLeast(version, models_untried) ? undefined : models.findLast(({ since }) => isAtLeast(version, since));
}
