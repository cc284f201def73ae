import { cudaOfDriver, type DriverSystem } from '../published/releases/cudaDriver.ts';
import { compareVersions, majorOf } from '../published/versions.ts';
import { type Gpu, knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { nameGpus } from '../stack/facts/gpuName.ts';
import { onChip, visibleGpus } from '../stack/facts/usableGpus.ts';

/** The machine of an environment, as far as packages depend on it and as it is known. */
export interface Target {
  readonly os?: 'linux' | 'macos' | 'windows';
  readonly architecture?: 'x64' | 'arm64';
  readonly gpu?: TargetGpu;
}

/** A machine that is known well enough to plan for it. */
export interface PlanTarget extends Required<Target> {
  /** The machine in short: "Linux on x64 with an RTX 3060, driver 573.76". */
  readonly words: string;
}

/** The device on which programs compute. */
export type TargetGpu =
  | NvidiaTarget
  | {
      readonly kind: 'rocm';
      /** The architectures of the GPUs, such as "gfx1100", if known. */
      readonly architectures: readonly string[];
    }
  | { readonly kind: 'xpu'; readonly name: string | undefined }
  | { readonly kind: 'mps' | 'cpu' };

/** An NVIDIA GPU, as far as builds depend on it. */
export type TargetNvidiaGpu = Pick<Gpu, 'name' | 'computeCapability' | 'mig'>;

export interface NvidiaTarget {
  readonly kind: 'cuda';
  readonly gpus: readonly TargetNvidiaGpu[];
  readonly driver: string | undefined;
  readonly system: DriverSystem;
  /** The CUDA version that the driver itself reports to support. */
  readonly supports?: string | undefined;
  /** The newest CUDA that the driver supports completely, including PTX; undefined if unknown. */
  readonly cuda: string | undefined;
}

/**
 * Returns the target, or one sentence with the reason why nothing can be planned for it. Containers run Linux on any
 * machine; those on a Mac cannot use its GPU.
 */
export function targetOf(facts: StackFacts, inContainer = false): PlanTarget | { readonly trouble: string } {
  const os = knownValue(facts.os);
  if (os === undefined)
    return { trouble: 'The operating system is unknown, and the choice of packages depends on it.' };
  const { family, architecture } = os;
  if (family === 'other' || (architecture !== 'x64' && architecture !== 'arm64'))
    return { trouble: `No framework publishes packages with GPU code for ${os.name ?? family} on ${architecture}.` };
  if (os.libc?.startsWith('musl'))
    return { trouble: 'Frameworks publish no packages for musl, the C library of Alpine: use a Linux with glibc.' };
  if (onChip(facts))
    return {
      trouble:
        "Boards such as this one need NVIDIA's own builds, which are made for one JetPack release: https://docs.nvidia.com/deeplearning/frameworks/install-pytorch-jetson-platform/",
    };
  const gpu = gpuOf(facts, family);
  if ('trouble' in gpu) return gpu;
  const words = inWords(facts, { os: family, architecture, gpu });
  if (!inContainer || family === 'linux') return { os: family, architecture, gpu, words };
  return {
    os: 'linux',
    architecture,
    gpu: family === 'macos' ? { kind: 'cpu' } : gpu,
    words: `containers on ${words}`,
  };
}

function gpuOf(facts: StackFacts, os: PlanTarget['os']): TargetGpu | { readonly trouble: string } {
  const listed = visibleGpus(facts);
  const gpus = listed.length > 0 ? listed : (knownValue(facts.gpus) ?? []);
  const driver = knownValue(facts.driver);
  if (gpus.length > 0 && driver !== undefined) {
    const system = driverSystem(facts) ?? 'linux';
    return nvidiaTarget(facts, gpus, driver, system);
  }
  if (gpus.length > 0 || knownValue(facts.pciGpus)?.some(({ vendor }) => vendor === 'nvidia'))
    return {
      trouble:
        'There is an NVIDIA GPU, but its driver is not installed or does not run, and what can be installed depends on it: install the driver first (https://www.nvidia.com/drivers), then plan again.',
    };
  const others = knownValue(facts.otherAccelerators) ?? [];
  const other = others.find(({ api }) => os !== 'windows' || api === 'xpu');
  if (other?.api === 'xpu') return { kind: 'xpu', name: other.devices[0]?.name };
  if (other?.api !== 'rocm') return { kind: other?.api ?? 'cpu' };
  return { kind: 'rocm', architectures: other.devices.flatMap(({ architecture }) => architecture ?? []) };
}

function nvidiaTarget(
  facts: StackFacts,
  gpus: readonly Gpu[],
  driver: string | undefined,
  system: DriverSystem,
): NvidiaTarget {
  const reported = knownValue(facts.driverCuda);
  if (driver === undefined) return { kind: 'cuda', gpus, driver, system, supports: reported, cuda: reported };
  // A version that no driver of its branch supports comes from compatibility libraries.
  const newest = cudaOfDriver(`${majorOf(driver)}.999`, system);
  const isOwn = reported !== undefined && newest !== undefined && compareVersions(reported, newest) <= 0;
  const supports = isOwn ? reported : undefined;
  return { kind: 'cuda', gpus, driver, system, supports, cuda: reported ?? cudaOfDriver(driver, system) };
}

/**
 * The platform of the driver's version number. In WSL it is the Windows driver's number. Without a known system, a
 * number of three parts is a Linux driver's.
 */
export function driverSystem({ os, wsl, driver }: StackFacts): DriverSystem | undefined {
  const family = knownValue(os)?.family;
  if (family === 'windows' || knownValue(wsl)) return 'windows';
  if (family !== undefined) return family === 'linux' ? 'linux' : undefined;
  return /^\d{3}\.\d+\.\d+$/.test(knownValue(driver) ?? '') ? 'linux' : undefined;
}

/**
 * The NVIDIA GPUs that programs see, and their driver. The driver of a board has its own version numbers, and what is
 * unknown about the system is as on Linux.
 */
export function nvidiaTargetOf(facts: StackFacts): NvidiaTarget {
  const system = driverSystem(facts) ?? 'linux';
  if (onChip(facts)) return { kind: 'cuda', gpus: visibleGpus(facts), driver: undefined, system, cuda: undefined };
  return nvidiaTarget(facts, visibleGpus(facts), knownValue(facts.driver), system);
}

/** The compute capabilities of NVIDIA GPUs, as far as they are known. */
export function capabilitiesOf({ gpus }: NvidiaTarget): string[] {
  return gpus.flatMap(({ computeCapability }) => computeCapability ?? []);
}

/** A machine from the perspective of CUDA builds. */
export interface CudaTarget extends PlanTarget {
  readonly gpu: NvidiaTarget;
}

/**
 * Returns the machine from the perspective of CUDA builds, even without a GPU; undefined if driver or platform are
 * unknown.
 */
export function cudaTargetOf(facts: StackFacts): CudaTarget | undefined {
  const os = knownValue(facts.os);
  const driver = knownValue(facts.driver);
  const system = driverSystem(facts);
  if (os === undefined || driver === undefined || system === undefined || onChip(facts)) return undefined;
  const { family, architecture } = os;
  if ((family !== 'linux' && family !== 'windows') || (architecture !== 'x64' && architecture !== 'arm64'))
    return undefined;
  const gpu = nvidiaTarget(facts, visibleGpus(facts), driver, system);
  const words = gpu.gpus.length > 0 ? inWords(facts, { os: family, architecture, gpu }) : SYSTEMS[family];
  return { os: family, architecture, gpu, words };
}

const SYSTEMS = { linux: 'Linux', macos: 'macOS', windows: 'Windows' } as const;

function inWords(facts: StackFacts, { os, architecture, gpu }: Omit<PlanTarget, 'words'>): string {
  const system = `${SYSTEMS[os]} on ${architecture}${knownValue(facts.wsl) ? ' in WSL' : ''}`;
  if (gpu.kind === 'cuda') return `${system} with ${nameGpus(gpu.gpus)}, driver ${gpu.driver}`;
  const others = knownValue(facts.otherAccelerators)?.find(({ api }) => api === gpu.kind);
  if (others === undefined) return `${system}, CPU only`;
  const maker = { apple: 'an Apple', amd: 'an AMD', intel: 'an Intel' }[others.vendor];
  return `${system} with ${others.devices[0]?.name ?? `${maker} GPU`}`;
}
