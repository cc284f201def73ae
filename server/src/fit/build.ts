import type { BuildTarget } from '../stack/facts/facts.ts';

/** A build of a package, with the properties that decide whether it fits: published, selected by a command, or installed. */
export interface Build {
  readonly name: string;
  /** Its name in text: "TensorFlow 2.21 with CUDA 12.5". */
  readonly title: string;
  /** If it is only one: "2.6.0+cu124". */
  readonly version?: string;
  /** The kind of device that it is for; undefined if unknown. */
  readonly target?: BuildTarget | null;
  /** The CUDA version of the build, "12.6" or "12"; null for other builds. */
  readonly cuda: string | null;
  readonly rocm?: string | null;
  /** Its GPU code, such as "sm_80" and, for code that the driver compiles, "compute_90"; undefined if unknown. */
  readonly code?: readonly string[];
  /** The highest compute capability for which the driver compiles that code; undefined if none is tested. */
  readonly compiledUpTo?: string;
  /** The minimum and maximum compute capability, for builds whose code is not listed. */
  readonly lowest?: string;
  readonly highest?: string;
  /** True for an installed build, which may differ from the published ones. */
  readonly isInstalled?: true;
  /** Its requirement on NVIDIA's cuDNN wheel, which all packages of an environment share; null: none. */
  readonly cudnn: string | null;
}

/** A build that can be installed. */
export interface PublishedBuild extends Build {
  /** Its requirement without a version: "tensorflow[and-cuda]". */
  readonly asked: string;
  /** Its PEP 440 version specifier: "==2.9.1", "==2.21.*", ">=0.8,<0.9". */
  readonly versions: string;
  /** The oldest and the newest Python with wheels; null if unknown. */
  readonly python: readonly [oldest: string, newest: string] | null;
  /** Its requirement on NVIDIA's NCCL wheel, if it may conflict with others. */
  readonly nccl?: string;
  /** Its requirement on torch. */
  readonly torch?: TorchNeed;
  /**
   * Its source if not PyPI: the address of an index, or of a page that lists files. "{torch}" and "{tag}" stand for the
   * version and build of the chosen torch.
   */
  readonly index?: string;
  readonly page?: string;
  /** Requirements that are installed with it. */
  readonly also?: readonly string[];
  /** True if its installation needs the torch that is already installed. */
  readonly isBuiltOnTorch?: true;
  /** Folders below `site-packages` that the loader must search for its CUDA libraries: "nvidia/cublas/lib". */
  readonly loads?: readonly string[];
  /** System software that it needs and no package provides. */
  readonly wants?: { readonly cuda: string; readonly cudnn: string };
}

export interface TorchNeed {
  readonly specifier: string;
  /** True if its wheels only match PyPI's torch. */
  readonly ofPypi?: true;
  /** The torch builds for which it has wheels. */
  readonly tags?: RegExp;
}

/** Builds in order of preference, or the reason why a platform has none. */
export type Builds = readonly PublishedBuild[] | { readonly none: string };
