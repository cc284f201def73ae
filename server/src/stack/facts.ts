/**
 * The contract of the stack read-out: what is known about this machine's GPU software and from where, or why it is
 * unknown. `gpu-doctor stack --json` prints it. A field may be added under the same version; the version changes when
 * a field changes its meaning or goes.
 */
export const STACK_FACTS_VERSION = 1;

/** Where a fact was read and when. */
export interface Provenance {
  /** A file, an environment variable or a command, as a person would look it up. */
  source: string;
  /** ISO 8601, UTC. */
  readAt: string;
}

export interface Known<T> extends Provenance {
  value: T;
}

/** Why a fact is unknown, for programs; `unknown` says the same in words. */
export type UnknownCause =
  /** The source does not exist: no such program, file or interpreter. */
  | 'absent'
  /** The operating system refused access. */
  | 'refused'
  /** The source did not answer within its time limit. */
  | 'timedOut'
  /** The source answered with an error of its own. */
  | 'failed'
  /** The source answered with something that is not what it should be. */
  | 'unreadable'
  /** The NVIDIA driver is not installed or not running. */
  | 'driverNotRunning'
  /** The NVIDIA libraries and the loaded kernel module are of different versions. */
  | 'driverMismatch'
  /** The question makes no sense here, or it rests on another fact that is unknown. */
  | 'notApplicable'
  /** Reading was called off before it was done. */
  | 'aborted';

export interface Unknown extends Provenance {
  /** One sentence fragment without a full stop, such as "nvidia-smi not found". */
  unknown: string;
  cause: UnknownCause;
}

/** Not read yet. A finished read-out holds none. */
export interface Pending {
  pending: true;
  source: string;
}

export type Fact<T> = Known<T> | Unknown | Pending;

/** The fact's value, or undefined while it is pending or when it is unknown. */
export function knownValue<T>(fact: Fact<T>): T | undefined {
  return 'value' in fact ? fact.value : undefined;
}

export function isPending(fact: Fact<unknown>): fact is Pending {
  return 'pending' in fact;
}

export function isUnknown(fact: Fact<unknown>): fact is Unknown {
  return 'unknown' in fact;
}

export interface OperatingSystem {
  family: 'linux' | 'macos' | 'windows' | 'other';
  /** What the system calls itself, such as "Ubuntu 24.04.3 LTS", or null where it does not say. */
  name: string | null;
  /** The processor that this process runs on: "x64", "arm64" and so on, as Node.js names them. */
  architecture: string;
}

export interface Gpu {
  /** nvidia-smi's index, which is PCI bus order; CUDA's order differs unless CUDA_DEVICE_ORDER=PCI_BUS_ID. */
  index: number;
  name: string;
  uuid: string | null;
  /** MiB; null where the device does not say, as parts with unified memory do not. */
  memoryTotal: number | null;
  /** MiB. */
  memoryUsed: number | null;
  /** Per cent; null on a GPU that is split by MIG. */
  utilization: number | null;
  /** Such as "8.6"; null on drivers that do not tell. */
  computeCapability: string | null;
  /** Multi-Instance GPU: null where the device has no such mode. */
  mig: boolean | null;
}

/** A GPU of another maker, recognised by a sign in files or in the platform and not looked into any further. */
export interface OtherAccelerator {
  vendor: 'apple' | 'amd' | 'intel';
  /** What it is reached through. */
  api: 'mps' | 'rocm' | 'xpu';
  /** The sign that it was recognised by. */
  sign: string;
}

export interface CudaToolkit {
  root: string;
  /** Such as "12.4.1"; null where the folder has no version file. */
  version: string | null;
  /** What named the folder: an environment variable or "well-known folder". */
  namedBy: string;
}

export type EnvironmentKind = 'venv' | 'conda' | 'pyenv' | 'system' | 'other';

export interface Interpreter {
  path: string;
  /** "3.11.7", or "3.11" where only that much can be told without starting it; null when not even that. */
  version: string | null;
  /** The folder that the environment lives in (`sys.prefix`). */
  prefix: string;
  environment: EnvironmentKind;
  /** Why this interpreter was taken: "selected", "workspace folder", "VIRTUAL_ENV", "CONDA_PREFIX" or "PATH". */
  chosenBy: string;
  /** Folders that packages are imported from, in the order of `sys.path`. */
  sitePackages: string[];
}

export interface Package {
  name: string;
  /** With its local tag where the installation records one, such as "2.9.0+cpu". */
  version: string;
  /** The folder that it is installed in. */
  folder: string;
  /** Further versions whose metadata lie in the same environment: the rest of a broken upgrade. */
  alsoInstalled: string[];
}

/** What a build was made for. A build for a CUDA or ROCm version needs that kind of GPU to use one. */
export type BuildTarget = 'cpu' | 'cuda' | 'rocm' | 'xpu' | 'mps';

export interface FrameworkBuild extends Package {
  /** Null where the files do not tell. */
  target: BuildTarget | null;
  /** The CUDA version that it was built for, such as "12.4"; null for other builds. */
  cuda: string | null;
  /** The ROCm (HIP) version that it was built for. */
  rocm: string | null;
  /** The cuDNN version that it was built with, where its files tell. */
  cudnn: string | null;
}

export interface KerasBuild extends Package {
  /** The backend that `import keras` would take; null where Keras has no choice of its own (Keras 2). */
  backend: string | null;
  /** What decides the backend: "KERAS_BACKEND", the path of keras.json, or "default". */
  backendFrom: string | null;
}

export interface Frameworks {
  /** A null value: known not to be installed. */
  torch: Fact<FrameworkBuild | null>;
  torchvision: Fact<FrameworkBuild | null>;
  tensorflow: Fact<FrameworkBuild | null>;
  keras: Fact<KerasBuild | null>;
  jax: Fact<FrameworkBuild | null>;
  onnxruntime: Fact<FrameworkBuild | null>;
}

export interface CudnnLibrary {
  /** As exact as the source tells: "9.1.0" from a wheel or a header, "8" from a file name such as libcudnn.so.8. */
  version: string;
  /** The library's folder or file, or the header that tells its version. */
  path: string;
  origin: 'wheel' | 'torch' | 'conda' | 'toolkit' | 'libraryPath' | 'system';
}

export interface StackFacts {
  version: typeof STACK_FACTS_VERSION;

  os: Fact<OperatingSystem>;
  /** 1 or 2 inside the Windows Subsystem for Linux; null elsewhere. */
  wsl: Fact<1 | 2 | null>;
  /** Such as "docker" or "kubernetes"; null where nothing points to a container. */
  container: Fact<string | null>;
  /** The environment variables that matter to GPUs and are set, by name. */
  variables: Fact<Record<string, string>>;

  /** NVIDIA GPUs in nvidia-smi's order; an empty list: none. */
  gpus: Fact<Gpu[]>;
  /** Version of the NVIDIA driver. */
  driver: Fact<string>;
  /** The highest CUDA version that the driver supports; it says nothing of an installed toolkit. */
  driverCuda: Fact<string>;
  otherAccelerators: Fact<OtherAccelerator[]>;

  /** Installed CUDA toolkits; wheels of frameworks need none. */
  toolkits: Fact<CudaToolkit[]>;
  interpreter: Fact<Interpreter>;
  frameworks: Frameworks;
  /** NVIDIA's own wheels (nvidia-cudnn-cu12 and so on) beside the frameworks. */
  nvidiaWheels: Fact<Package[]>;
  /** Every cuDNN that was found. */
  cudnns: Fact<CudnnLibrary[]>;
  /** The cuDNN that torch loads; null for a torch without CUDA. */
  torchCudnn: Fact<CudnnLibrary | null>;
}

/** Every fact of the read-out, for looking at all of them alike. */
export function everyFact(facts: StackFacts): Fact<unknown>[] {
  const { version: _, frameworks, ...others } = facts;
  return [...Object.values(others), ...Object.values(frameworks)];
}

/** Whether nothing is pending any more. */
export function isComplete(facts: StackFacts): boolean {
  return !everyFact(facts).some(isPending);
}
