import { type Fact, isPending } from './fact.ts';
import type {
  Board,
  ContainerToolkit,
  DeviceFile,
  Fabric,
  Gpu,
  KernelModule,
  OperatingSystem,
  OtherAccelerator,
  PciGpu,
} from './hardware.ts';
import type { FrameworkRuntime, RuntimeFramework } from './runtimeFacts.ts';

export * from './fact.ts';
export * from './hardware.ts';
export type { FrameworkRuntime, RuntimeDevice, RuntimeFramework } from './runtimeFacts.ts';

/**
 * The contract of the stack read-out: what is known about this machine's GPU software and from where, or why it is
 * unknown. `gpu-doctor stack --json` prints it. A field may be added under the same version; the version changes when
 * a field changes its meaning or goes.
 */
export const STACK_FACTS_VERSION = 1;

export interface CudaToolkit {
  root: string;
  /** Such as "12.4.1"; null where the folder has no version file. */
  version: string | null;
  /** What named the folder: an environment variable, "nvcc on PATH", "conda" or "well-known folder". */
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
  /** The processor that it is built for, on a Mac, where Rosetta runs programs for the other one; null elsewhere. */
  architecture: 'x64' | 'arm64' | null;
  /** Why this interpreter was taken: "selected", 'kernel "…"', "workspace folder", "VIRTUAL_ENV", "CONDA_PREFIX" or "PATH". */
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
  /** What it requires of the packages that matter to the stack; not told of all packages. */
  requires?: Requirement[];
  /** What its GPU code was compiled for, as far as its files tell. */
  builtFor?: BuiltFor;
  /** The files that hold its GPU code, where it is known how they are called; none: it was built without. */
  gpuCode?: { files: string[]; folder: string };
  /** An installation of it that this one hides, because its folder comes first. */
  hides?: { version: string; folder: string };
}

/** A requirement of a package's metadata, such as "torch==2.1.2". */
export interface Requirement {
  name: string;
  /** Of PEP 440; empty where any version will do. */
  specifier: string;
}

export interface BuiltFor {
  /** As exact as it tells: "2.1.2+cu121" or "2.3". */
  torch: string | null;
  /** Such as "12.1" or "12". */
  cuda: string | null;
  /** The file or the name that tells. */
  source: string;
}

/** A package that conda has installed. */
export interface CondaPackage {
  name: string;
  version: string;
  /** Such as "cuda120_py311hf6aebf0_300"; it tells what a build is for. */
  build: string;
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
  /** The cuDNN version that it was built with, as exact as its files tell it: "9.1.0" or only "9". */
  cudnn: string | null;
  /**
   * The GPU code in it, such as "sm_80" and "compute_90", where its files tell, as TensorFlow's do. Torch's do not:
   * `gpuCode.ts` knows that of official wheels.
   */
  architectures: string[] | null;
  /** NVIDIA's wheels that its own wheel requires to the digit: those that it was built and tested with. */
  pinned: PinnedWheel[];
  /** Where it is known from what it was made for, where that is not the source of the fact: what its publisher has. */
  targetFrom?: string;
  /** What installed it, such as "pip", "uv" or "conda"; null where that is not recorded. */
  installer: string | null;
}

export interface PinnedWheel {
  /** Such as "nvidia-cublas-cu12". */
  name: string;
  version: string;
}

export interface KerasBuild extends Package {
  /** The backend that `import keras` would take; null where Keras has no choice of its own (Keras 2). */
  backend: string | null;
  /** What decides the backend: "KERAS_BACKEND", the path of keras.json, or "default". */
  backendFrom: string | null;
  /** Those of "tensorflow", "jax", "torch" and "openvino" that are installed. */
  installedBackends: string[];
}

export interface Frameworks {
  /** A null value: known not to be installed. */
  torch: Fact<FrameworkBuild | null>;
  torchvision: Fact<FrameworkBuild | null>;
  torchaudio: Fact<FrameworkBuild | null>;
  tensorflow: Fact<FrameworkBuild | null>;
  keras: Fact<KerasBuild | null>;
  /** Keras 2 under its own name, which TensorFlow takes for `tf.keras` where TF_USE_LEGACY_KERAS says so. */
  tfKeras: Fact<Package | null>;
  jax: Fact<FrameworkBuild | null>;
  onnxruntime: Fact<FrameworkBuild | null>;
}

/** A library of NVIDIA's that a program could load. */
export interface NvidiaLibrary {
  /** As exact as the source tells: "9.1.0" from a wheel or a header, "8" from a file name such as libcudnn.so.8. */
  version: string;
  /** The library's folder or file. */
  path: string;
  /** `libraryPath`: a folder of LD_LIBRARY_PATH, or of PATH on Windows. */
  origin: 'wheel' | 'torch' | 'conda' | 'libraryPath' | 'toolkit' | 'system';
  /** The wheel that brought it, such as "nvidia-cudnn-cu12"; null for the other origins. */
  package: string | null;
  /** Of libcuda: whether the loader also finds it there by its name without a number. */
  hasPlainName?: boolean;
}

/** A folder of the library path in which libraries of NVIDIA's lie. */
export interface LibraryPathFolder {
  variable: 'LD_LIBRARY_PATH' | 'PATH';
  folder: string;
  /** Their file names, such as "libcudart.so.12" and "libcudnn.so.9". */
  libraries: string[];
  /** The exact versions of those of which another file of the folder tells one, such as "12.1.105". */
  versions?: Record<string, string>;
}

/** What writes the lock file of a project's packages. */
export type ProjectTool = 'uv' | 'poetry' | 'pdm' | 'pixi' | 'pipenv';

export interface StackFacts {
  version: typeof STACK_FACTS_VERSION;

  os: Fact<OperatingSystem>;
  /** 1 or 2 inside the Windows Subsystem for Linux; null elsewhere. */
  wsl: Fact<1 | 2 | null>;
  /** Such as "docker" or "kubernetes"; null where nothing points to a container. */
  container: Fact<string | null>;
  /** Null on machines that are no system on a chip of NVIDIA's. */
  board: Fact<Board | null>;
  /** The environment variables that matter to GPUs and are set, by name; `variables.ts` tells what each means here. */
  variables: Fact<Record<string, string>>;

  /** NVIDIA GPUs in nvidia-smi's order; an empty list: none. */
  gpus: Fact<Gpu[]>;
  /** Version of the NVIDIA driver. */
  driver: Fact<string>;
  /** The highest CUDA version that the driver supports; it says nothing of an installed toolkit. */
  driverCuda: Fact<string>;
  otherAccelerators: Fact<OtherAccelerator[]>;
  /** GPUs on the PCI bus, with or without a driver; Linux only. Containers may show their host's. */
  pciGpus: Fact<PciGpu[]>;
  /** Linux only. */
  kernelModule: Fact<KernelModule>;
  /** Every driver library (libcuda) that could be loaded, in the order in which they win. */
  driverLibraries: Fact<NvidiaLibrary[]>;
  /** NVIDIA's, AMD's and WSL's files in `/dev`; Linux only. */
  deviceFiles: Fact<DeviceFile[]>;

  /** Null on hosts without it; unknown in containers. */
  containerToolkit: Fact<ContainerToolkit | null>;
  /** Whether the kernel has the newer kind of control groups alone (cgroup v2); Linux only. */
  cgroup2: Fact<boolean>;
  /** Null on machines without NVSwitches; unknown in containers, whose services run on the host. */
  fabric: Fact<Fabric | null>;

  /** Installed CUDA toolkits; wheels of frameworks need none. */
  toolkits: Fact<CudaToolkit[]>;
  interpreter: Fact<Interpreter>;
  /** What locks the packages of the folder that the environment belongs to; null: nothing. */
  projectTool: Fact<ProjectTool | null>;
  frameworks: Frameworks;
  /** NVIDIA's own wheels (nvidia-cudnn-cu12 and so on) beside the frameworks. */
  nvidiaWheels: Fact<Package[]>;
  /** Further packages that matter to the stack, such as jaxlib, triton and numpy. */
  packages: Fact<Package[]>;
  /** The packages of the conda environment that bring CUDA or frameworks; empty outside conda. */
  condaPackages: Fact<CondaPackage[]>;

  /** The folders of the library path that hold libraries of NVIDIA's, in its order. */
  libraryPath: Fact<LibraryPathFolder[]>;
  /** Every CUDA runtime (libcudart) that could be loaded. */
  cudaRuntimes: Fact<NvidiaLibrary[]>;
  /** Links by the names of these libraries whose files are gone. */
  brokenLinks: Fact<string[]>;
  /** Every cuDNN that could be loaded. */
  cudnns: Fact<NvidiaLibrary[]>;
  /** The cuDNN that each framework loads, as files tell; null for one that is not installed or has no use for cuDNN. */
  loadedCudnn: Record<RuntimeFramework, Fact<NvidiaLibrary | null>>;

  /** What frameworks say of themselves once imported; null for one that is not installed. */
  runtime: Record<RuntimeFramework, Fact<FrameworkRuntime | null>>;
}

/** Every fact of the read-out, for looking at all of them alike. */
export function everyFact(facts: StackFacts): Fact<unknown>[] {
  return [...everyFactButRuntime(facts), ...Object.values(facts.runtime)];
}

/** Those that no framework has to be imported for. */
export function everyFactButRuntime(facts: StackFacts): Fact<unknown>[] {
  const { version: _, frameworks, loadedCudnn, runtime: __, ...others } = facts;
  const groups: object[] = [others, frameworks, loadedCudnn];
  return groups.flatMap((group): Fact<unknown>[] => Object.values(group));
}

/** Whether nothing is pending any more. */
export function isComplete(facts: StackFacts): boolean {
  return !everyFact(facts).some(isPending);
}
