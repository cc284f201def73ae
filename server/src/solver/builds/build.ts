/** An installable build of a package, with the properties that decide whether it fits. */
export interface Build {
  readonly name: string;
  /** Its requirement without a version: "tensorflow[and-cuda]". */
  readonly asked: string;
  /** Its PEP 440 version specifier: "==2.9.1", "==2.21.*", ">=0.8,<0.9". */
  readonly versions: string;
  /** The oldest and the newest Python with wheels; null if unknown. */
  readonly python: readonly [oldest: string, newest: string] | null;
  /** The CUDA version of the build, "12.6" or "12"; null for other builds. */
  readonly cuda: string | null;
  /** True if its code runs on a GPU with that compute capability. */
  runsOn(capability: string): boolean;
  /** Its requirement on NVIDIA's cuDNN wheel, which all packages of an environment share; null: none. */
  readonly cudnn: string | null;
  /** The same for NVIDIA's NCCL wheel, if its requirement may conflict with others. */
  readonly nccl?: string;
  /** Its requirement on torch. */
  readonly torch?: TorchNeed;
  /** Its name in text: "TensorFlow 2.21 with CUDA 12.5". */
  readonly title: string;
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

/** Builds by preference, or the reason why a platform has none. */
export type Builds = readonly Build[] | { readonly none: string };
