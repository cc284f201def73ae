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
  SystemMemory,
} from './hardware.ts';
import type { FrameworkRuntime, RuntimeFramework } from './runtimeFacts.ts';

export * from './fact.ts';
export * from './hardware.ts';
export type { FrameworkRuntime, RuntimeDevice, RuntimeFramework } from './runtimeFacts.ts';

/**
 * The contract of the stack read-out: the facts about this machine's GPU software with their sources, or the reasons
 * why they are unknown. `gpu-doctor stack --output-format json` prints it. A field may be added without a new version; the version
 * changes when a field changes its meaning or is removed.
 */
export const STACK_FACTS_VERSION = 1;

export interface CudaToolkit {
  root: string;
  /** Such as "12.4.1"; null if the folder has no version file. */
  version: string | null;
  /** The origin of the folder: an environment variable, "nvcc on PATH", "conda" or "well-known folder". */
  namedBy: string;
}

type PythonEnvironmentKind = 'venv' | 'conda' | 'pyenv' | 'system' | 'other';

export interface Interpreter {
  path: string;
  /** "3.11.7", or "3.11" if that is all that files show; null if they show nothing. */
  version: string | null;
  /** The folder of the environment (`sys.prefix`). */
  prefix: string;
  environment: PythonEnvironmentKind;
  /**
   * On a Mac, the processor that it is built for, because Rosetta also runs programs for the other one; null elsewhere.
   */
  architecture: 'x64' | 'arm64' | null;
  /**
   * The reason for choosing this interpreter: "selected", 'kernel "…"', "workspace folder", "VIRTUAL_ENV",
   * "CONDA_PREFIX" or "PATH".
   */
  chosenBy: string;
  /** Folders from which packages are imported, in the order of `sys.path`. */
  sitePackages: string[];
}

export interface Package {
  name: string;
  /** With its local tag if the installation records one, such as "2.9.0+cpu". */
  version: string;
  /** The folder in which it is installed. */
  folder: string;
  /** Further versions with metadata in the same environment, left by an incomplete upgrade. */
  alsoInstalled: string[];
  /** The build of its GPU code, if its files show it. */
  builtFor?: BuiltFor;
  /** The files with its GPU code, if their names are known; empty if it was built without GPU code. */
  gpuCode?: { files: string[]; folder: string };
  /** An installation of the same package that this one hides, because its folder comes first. */
  hides?: { version: string; folder: string };
}

/** A requirement in a package's metadata, such as "torch==2.1.2". */
export interface MetadataRequirement {
  name: string;
  /** A PEP 440 specifier; empty for any version. */
  specifier: string;
}

/** An installed distribution that computes on GPUs or is needed by one, as its own metadata describe it. */
export interface Distribution {
  name: string;
  /** As its metadata record it: PyPI's builds of torch lack their tag there. */
  version: string;
  folder: string;
  /** Its requirements on this system and Python, with the extras that other distributions request. */
  requires: MetadataRequirement[];
  /** The program that installed it, such as "pip"; null if not recorded. */
  installer: string | null;
  /** True if it computes on GPUs, or such a distribution needs it; the others only limit the same packages. */
  isNeeded?: true;
  /** A file of its own list that is gone, because another distribution with the same modules was removed. */
  lostFile?: string;
  /** The tags of its wheel, if it contains compiled code: "cp311-cp311-manylinux_2_28_x86_64". */
  tags?: string[];
}

export interface BuiltFor {
  /** As exact as the source: "2.1.2+cu121" or "2.3". */
  torch: string | null;
  /** Such as "12.1" or "12". */
  cuda: string | null;
  /** The file or the name that the version comes from. */
  source: string;
}

/** A package installed by conda. */
export interface CondaPackage {
  name: string;
  version: string;
  /** Such as "cuda120_py311hf6aebf0_300", which identifies the build. */
  build: string;
}

/** The platform of a build. A CUDA or ROCm build requires that kind of GPU to use one. */
export type BuildTarget = 'cpu' | 'cuda' | 'rocm' | 'xpu' | 'mps';

export interface FrameworkBuild extends Package {
  /** Null if the files do not show it. */
  target: BuildTarget | null;
  /** The CUDA version of the build, such as "12.4"; null for other builds. */
  cuda: string | null;
  /** The ROCm (HIP) version of the build. */
  rocm: string | null;
  /** The cuDNN version that it was built with, as exact as its files: "9.1.0" or only "9". */
  cudnn: string | null;
  /**
   * Its GPU architectures, such as "sm_80" and "compute_90", if its files list them, as TensorFlow's do. Torch's do
   * not: `gpuCode.ts` knows them for official wheels.
   */
  architectures: string[] | null;
  /** The NVIDIA wheels that its own wheel pins exactly: those that it was built and tested with. */
  pinned: PinnedWheel[];
  /** The publisher, if the build is known from published data and not from the fact's source. */
  targetFrom?: string;
  /** The program that installed it, such as "pip", "uv" or "conda"; null if not recorded. */
  installer: string | null;
}

export interface PinnedWheel {
  /** Such as "nvidia-cublas-cu12". */
  name: string;
  version: string;
}

export interface KerasBuild extends Package {
  /** The backend that `import keras` would use; null if Keras has no choice (Keras 2). */
  backend: string | null;
  /** The origin of the backend: "KERAS_BACKEND", the path of keras.json, or "default". */
  backendFrom: string | null;
  /** The installed backends among "tensorflow", "jax", "torch" and "openvino". */
  installedBackends: string[];
}

interface Frameworks {
  /** A null value means that it is known not to be installed. */
  torch: Fact<FrameworkBuild | null>;
  torchvision: Fact<FrameworkBuild | null>;
  torchaudio: Fact<FrameworkBuild | null>;
  tensorflow: Fact<FrameworkBuild | null>;
  keras: Fact<KerasBuild | null>;
  /** Keras 2 as a separate package, which TensorFlow uses for `tf.keras` if TF_USE_LEGACY_KERAS is set. */
  tfKeras: Fact<Package | null>;
  jax: Fact<FrameworkBuild | null>;
  onnxruntime: Fact<FrameworkBuild | null>;
}

/** An NVIDIA library that a program could load. */
export interface NvidiaLibrary {
  /** As exact as the source: "9.1.0" from a wheel or a header, "8" from a file name such as libcudnn.so.8. */
  version: string;
  /** The library's folder or file. */
  path: string;
  /** `libraryPath`: a folder of LD_LIBRARY_PATH, or of PATH on Windows. */
  origin: 'wheel' | 'torch' | 'conda' | 'libraryPath' | 'toolkit' | 'system';
  /** The wheel that contains it, such as "nvidia-cudnn-cu12"; null for the other origins. */
  package: string | null;
  /** For libcuda: true if the loader also finds it there by its name without a number. */
  hasPlainName?: boolean;
}

/** A folder on the library path that contains NVIDIA libraries. */
export interface LibraryPathFolder {
  variable: 'LD_LIBRARY_PATH' | 'PATH';
  folder: string;
  /** Their file names, such as "libcudart.so.12" and "libcudnn.so.9". */
  libraries: string[];
  /** Their exact versions, such as "12.1.105", if another file in the folder shows them. */
  versions?: Record<string, string>;
}

/** The tool that writes the lock file of a project's packages. */
export type ProjectTool = 'uv' | 'poetry' | 'pdm' | 'pixi' | 'pipenv';

export interface StackFacts {
  version: typeof STACK_FACTS_VERSION;

  os: Fact<OperatingSystem>;
  memory: Fact<SystemMemory>;
  /** 1 or 2 inside the Windows Subsystem for Linux; null elsewhere. */
  wsl: Fact<1 | 2 | null>;
  /** Such as "docker" or "kubernetes"; null without evidence of a container. */
  container: Fact<string | null>;
  /** Null unless the machine is an NVIDIA system on a chip. */
  board: Fact<Board | null>;
  /** The environment variables that matter to GPUs and are set, by name; `variables.ts` explains their meaning here. */
  variables: Fact<Record<string, string>>;

  /** NVIDIA GPUs in nvidia-smi's order; an empty list: none. */
  gpus: Fact<Gpu[]>;
  /** Version of the NVIDIA driver. */
  driver: Fact<string>;
  /** The highest CUDA version that the driver supports, independent of installed toolkits. */
  driverCuda: Fact<string>;
  otherAccelerators: Fact<OtherAccelerator[]>;
  /** GPUs on the PCI bus, with or without a driver; Linux only. Containers may show their host's. */
  pciGpus: Fact<PciGpu[]>;
  /** Linux only. */
  kernelModule: Fact<KernelModule>;
  /** Every driver library (libcuda) that could be loaded, by precedence. */
  driverLibraries: Fact<NvidiaLibrary[]>;
  /** NVIDIA's, AMD's and WSL's files in `/dev`; Linux only. */
  deviceFiles: Fact<DeviceFile[]>;

  /** Null on hosts without it; unknown in containers. */
  containerToolkit: Fact<ContainerToolkit | null>;
  /** True if the kernel supports only cgroup v2; Linux only. */
  cgroup2: Fact<boolean>;
  /** Null on machines without NVSwitches; unknown in containers, whose services run on the host. */
  fabric: Fact<Fabric | null>;

  /** Installed CUDA toolkits; frameworks from wheels need none. */
  toolkits: Fact<CudaToolkit[]>;
  interpreter: Fact<Interpreter>;
  /** Programs that install or build packages and are there: "uv", "conda" and others on PATH, and the environment's "pip". */
  programs: Fact<string[]>;
  /** The tool that locks the packages of the environment's folder; null: none. */
  projectTool: Fact<ProjectTool | null>;
  frameworks: Frameworks;
  /** NVIDIA's own wheels (nvidia-cudnn-cu12 and so on) that frameworks use. */
  nvidiaWheels: Fact<Package[]>;
  /** Further packages that matter to the stack, such as jaxlib, triton and numpy. */
  packages: Fact<Package[]>;
  /** The distributions that compute on GPUs with all that they need, and their requirements. */
  distributions: Fact<Distribution[]>;
  /** The packages of the conda environment that contain CUDA or frameworks; empty outside conda. */
  condaPackages: Fact<CondaPackage[]>;

  /** The folders on the library path that contain NVIDIA libraries, in order. */
  libraryPath: Fact<LibraryPathFolder[]>;
  /** Every CUDA runtime (libcudart) that could be loaded. */
  cudaRuntimes: Fact<NvidiaLibrary[]>;
  /** Links with the names of these libraries whose target files were removed. */
  brokenLinks: Fact<string[]>;
  /** Every cuDNN that could be loaded. */
  cudnns: Fact<NvidiaLibrary[]>;
  /** The cuDNN that each framework loads, according to files; null if it is not installed or does not use cuDNN. */
  loadedCudnn: Record<RuntimeFramework, Fact<NvidiaLibrary | null>>;

  /** The reports of frameworks about themselves after import; null if not installed. */
  runtime: Record<RuntimeFramework, Fact<FrameworkRuntime | null>>;
}

/** A list of every fact in the read-out. */
export function everyFact(facts: StackFacts): Fact<unknown>[] {
  return [...everyFactButRuntime(facts), ...Object.values(facts.runtime)];
}

/** The facts that do not require importing a framework. */
export function everyFactButRuntime(facts: StackFacts): Fact<unknown>[] {
  const { version: _, frameworks, loadedCudnn, runtime: __, ...others } = facts;
  const groups: object[] = [others, frameworks, loadedCudnn];
  return groups.flatMap((group): Fact<unknown>[] => Object.values(group));
}

/** True if no fact is pending. */
export function isComplete(facts: StackFacts): boolean {
  return !everyFact(facts).some(isPending);
}
