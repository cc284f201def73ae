/** A build of a package that could be installed, with what decides whether it fits. */
export interface Build {
  readonly name: string;
  /** How it is asked for, without its version: "tensorflow[and-cuda]". */
  readonly asked: string;
  /** Its version or versions, of PEP 440: "==2.9.1", "==2.21.*", ">=0.8,<0.9". */
  readonly versions: string;
  /** The oldest and the newest Python that it has wheels for; null where that is not known. */
  readonly python: readonly [oldest: string, newest: string] | null;
  /** The CUDA that it was built for, "12.6" or "12"; null for other builds. */
  readonly cuda: string | null;
  /** Whether its code runs on a GPU of that compute capability. */
  runsOn(capability: string): boolean;
  /** What it requires of NVIDIA's wheel of cuDNN, which all packages of an environment share; null: nothing. */
  readonly cudnn: string | null;
  /** The same of NVIDIA's wheel of NCCL, where it requires one that others may not have. */
  readonly nccl?: string;
  /** What it requires of torch. */
  readonly torch?: TorchNeed;
  /** What it is, for people: "TensorFlow 2.21 with CUDA 12.5". */
  readonly title: string;
  /**
   * Where it comes from instead of PyPI: the address of an index, or of a page that lists files. "{torch}" and "{tag}"
   * stand for version and build of the torch beside it.
   */
  readonly index?: string;
  readonly page?: string;
  /** Requirements that go along with it. */
  readonly also?: readonly string[];
  /** Its installation asks for the torch that is there already. */
  readonly isBuiltOnTorch?: true;
  /** What nobody brings with it, and the system has to have. */
  readonly wants?: { readonly cuda: string; readonly cudnn: string };
}

export interface TorchNeed {
  readonly specifier: string;
  /** Its wheels go with the torch of PyPI alone. */
  readonly ofPypi?: true;
  /** The builds of torch that it has wheels for. */
  readonly tags?: RegExp;
}

/** Builds, the preferred first; or, where there are none for a platform, why. */
export type Builds = readonly Build[] | { readonly none: string };
