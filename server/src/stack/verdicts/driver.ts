import { gpuPackages } from '../catalogue/gpuPackages.ts';
import { type Gpu, isUnknown, knownValue, type StackFacts } from '../facts/facts.ts';
import { gpusAreThere, nameGpus } from '../facts/gpuName.ts';
import { builtForCuda, type InstalledFramework, majorOf } from '../facts/installed.ts';
import { onChip } from '../facts/usableGpus.ts';
import { installFittingTorch } from '../plan/installTorch.ts';
import { withoutFolder } from '../plan/libraryPath.ts';
import { installFittingTensorflow } from '../plan/tensorflow.ts';
import { driverSystem } from '../plan/torchFamily.ts';
import { compareVersions, lastDriverBranch, lowestDriver } from '../releases/cudaDriver.ts';
import type { Judge, Remedy } from './verdict.ts';

export const driverLibraryMismatch: Judge = {
  id: 'driver-library-mismatch',
  judge({ gpus, container }) {
    if (!isUnknown(gpus) || gpus.cause !== 'driverMismatch') return [];
    const remedy = knownValue(container)
      ? { title: 'Restart the container, or its host where nvidia-smi fails there as well' }
      : { title: 'Restart the machine', command: 'sudo reboot' };
    return [
      {
        severity: 'error',
        finding:
          'The NVIDIA driver was updated while its old kernel module is still loaded, so nothing can use the GPU until a restart.',
        why: [{ fact: gpus.unknown, source: gpus.source }],
        remedies: [remedy],
      },
    ];
  },
};

/** The driver against the floor of the CUDA family that a build is made for. */
export const driverTooOld: Judge = {
  id: 'driver-too-old',
  judge(facts) {
    const driver = knownValue(facts.driver);
    const system = driverSystem(facts);
    if (driver === undefined || system === undefined || onChip(facts) || mayHaveForwardCompatibility(facts)) return [];
    const supported = knownValue(facts.driverCuda);
    return [...builtForCuda(facts).map(asNeed), ...familiesOf(facts)].flatMap(({ framework, cuda, title, source }) => {
      const lowest = cuda ? lowestDriver(cuda, system) : undefined;
      if (!cuda || lowest === undefined || compareVersions(driver, lowest) >= 0) return [];
      // A driver that says it supports this CUDA version does, whatever its number.
      if (supported !== undefined && compareVersions(supported, cuda) >= 0) return [];
      return [
        {
          severity: 'error' as const,
          finding: `The NVIDIA driver ${driver} is too old for ${title}, which needs ${lowest} or newer.`,
          why: [
            { fact: `driver ${driver}`, source: facts.driver.source },
            { fact: `${title} is built for CUDA ${cuda}`, source },
          ],
          remedies: [
            ...updatingDriver(facts, lowest),
            ...(framework === 'torch' ? installFittingTorch(facts) : []),
            ...(framework === 'tensorflow' ? installFittingTensorflow(facts) : []),
          ],
        },
      ];
    });
  },
};

interface Need {
  framework?: string;
  cuda: string | null;
  title: string;
  source: string;
}

function asNeed({ framework, build: { cuda }, title, source }: InstalledFramework): Need {
  return { framework, cuda, title, source };
}

/** Packages that are for a family of CUDA by their names. */
function familiesOf(facts: StackFacts): Need[] {
  return gpuPackages().families.flatMap(({ name, cuda }) => {
    const found = knownValue(facts.packages)?.find((each) => each.name === name);
    return found ? [{ cuda, title: `${name} ${found.version}`, source: found.folder }] : [];
  });
}

/** A driver is no way out where none that new supports the GPU. */
export function updatingDriver(facts: StackFacts, lowest: string): Remedy[] {
  const ends = (knownValue(facts.gpus) ?? []).flatMap(({ computeCapability }) =>
    computeCapability === null ? [] : (lastDriverBranch(computeCapability) ?? []),
  );
  const last = Math.min(...ends);
  if (Number(majorOf(lowest)) > last) return [];
  const where = knownValue(facts.wsl) ? ' in Windows' : knownValue(facts.container) ? " on the container's host" : '';
  return [{ title: `Update the NVIDIA driver${where} to ${lowest} or newer` }];
}

/**
 * NVIDIA's cuda-compat package lets data-center GPUs run newer CUDA on an older driver; images for containers bring it.
 * It does not work on GeForce.
 */
function mayHaveForwardCompatibility({ variables, container, gpus }: StackFacts): boolean {
  if (/compat/.test(knownValue(variables)?.LD_LIBRARY_PATH ?? '')) return true;
  return Boolean(knownValue(container)) && !knownValue(gpus)?.some(({ name }) => /GeForce/i.test(name));
}

/** The compatibility libraries of a container's image come before the driver's own, and do not work here. */
export const forwardCompatibilityOnGeforce: Judge = {
  id: 'forward-compatibility-on-geforce',
  judge(facts) {
    const gpus = knownValue(facts.gpus) ?? [];
    const driver = knownValue(facts.kernelModule)?.version ?? knownValue(facts.driver);
    const [first] = knownValue(facts.driverLibraries) ?? [];
    if (first === undefined || driver === undefined || gpus.length === 0) return [];
    if (!/[\\/]compat[\\/]/.test(first.path) || !first.version.includes('.')) return [];
    const trouble = compatTrouble(gpus, driver, first.version);
    if (trouble === undefined) return [];
    const source = knownValue(facts.kernelModule) ? facts.kernelModule.source : facts.driver.source;
    const folder = first.path.replace(/\/[^/]*$/, '');
    return [
      {
        severity: 'error',
        finding: `CUDA starts through the compatibility libraries ${first.version}, which ${trouble}.`,
        why: [
          { fact: `libcuda ${first.version} comes first`, source: first.path },
          { fact: `${nameGpus(gpus)} with driver ${driver}`, source },
        ],
        remedies: [
          ...withoutFolder(facts, first.origin, folder),
          { title: 'Take an image of a CUDA that the driver supports by itself' },
          ...(compareVersions(first.version, driver) > 0 ? updatingDriver(facts, first.version) : []),
        ],
      },
    ];
  },
};

/** Why they do not work, if so: NVIDIA supports them on data-center GPUs, from the driver's version on. */
function compatTrouble(gpus: Gpu[], driver: string, compat: string): string | undefined {
  if (compareVersions(compat, driver) < 0) {
    return `are older than the kernel's driver ${driver} (error 803, "unsupported display driver / cuda driver combination")`;
  }
  if (compareVersions(compat, driver) === 0) return undefined;
  const dropped = gpus.every(({ computeCapability }) => {
    const last = computeCapability === null ? undefined : lastDriverBranch(computeCapability);
    return last !== undefined && Number(majorOf(compat)) > last;
  });
  if (dropped) return `no longer support the ${nameGpus(gpus)} ("no CUDA-capable device is detected")`;
  return gpus.every(({ name }) => /GeForce/i.test(name)) ? `refuse the ${nameGpus(gpus)} (error 804)` : undefined;
}

/** The GPU is on the bus, and no driver of NVIDIA's is in charge of it. */
export const driverNotRunning: Judge = {
  id: 'driver-not-running',
  judge(facts) {
    const { gpus } = facts;
    // A container shows its host's bus; WSL shows none of it.
    if (!isUnknown(gpus) || knownValue(facts.container) || knownValue(facts.wsl) || knownValue(facts.kernelModule)) {
      return [];
    }
    if (gpus.cause !== 'driverNotRunning' && gpus.cause !== 'absent') return [];
    const idle = knownValue(facts.pciGpus)?.find(
      ({ vendor, driver }) => vendor === 'nvidia' && driver !== 'nvidia' && !forVirtualMachines(driver),
    );
    if (idle === undefined) return [];
    const installed = gpus.cause === 'driverNotRunning';
    const nouveau = idle.driver === 'nouveau';
    return [
      {
        severity: installed || builtForCuda(facts).length > 0 ? 'warning' : 'information',
        finding: installed
          ? 'An NVIDIA GPU is there and its driver is installed, but the driver does not run.'
          : `An NVIDIA GPU is there without NVIDIA's driver${nouveau ? ': nouveau holds it, which has no CUDA' : ''}.`,
        why: [
          {
            fact: `NVIDIA device ${idle.device} at ${idle.address}, ${idle.driver === null ? 'without a driver' : `held by ${idle.driver}`}`,
            source: facts.pciGpus.source,
          },
          { fact: gpus.unknown, source: gpus.source },
        ],
        remedies: installed ? startDriver() : installDriver(facts),
      },
    ];
  },
};

function forVirtualMachines(driver: string | null): boolean {
  return ['vfio-pci', 'pci-stub', 'xen-pciback'].includes(driver ?? '');
}

function startDriver(): Remedy[] {
  return [
    {
      title: 'Load the module and read what the kernel says',
      command: 'sudo modprobe nvidia; sudo dmesg | grep -i nvrm',
    },
    { title: 'Find out whether Secure Boot refuses it', continues: true, command: 'mokutil --sb-state' },
    {
      title: 'Build it for this kernel, where an update of the kernel has left it behind',
      continues: true,
      command: 'dkms status',
    },
  ];
}

function installDriver({ os }: StackFacts): Remedy[] {
  const ubuntu = /ubuntu/i.test(knownValue(os)?.name ?? '');
  return ubuntu
    ? [{ title: 'Install the driver that Ubuntu recommends, then restart', command: 'sudo ubuntu-drivers install' }]
    : [{ title: "Install NVIDIA's driver as your distribution does, then restart" }];
}

/** The driver runs and finds no GPU, although one is on the bus. */
export const gpuNotStarted: Judge = {
  id: 'gpu-not-started',
  judge(facts) {
    const module = knownValue(facts.kernelModule);
    if (module === undefined || knownValue(facts.container) || knownValue(facts.gpus)?.length !== 0) return [];
    const held = knownValue(facts.pciGpus)?.find(
      ({ vendor, driver }) => vendor === 'nvidia' && !forVirtualMachines(driver),
    );
    if (held === undefined) return [];
    return [
      {
        severity: 'warning',
        finding: `The NVIDIA driver ${module.version} runs but cannot start the GPU that is there.`,
        why: [
          { fact: `NVIDIA device ${held.device} at ${held.address}`, source: facts.pciGpus.source },
          { fact: 'nvidia-smi finds no device', source: facts.gpus.source },
        ],
        remedies: [
          { title: 'Read what the kernel says of it', command: 'sudo dmesg | grep -iE "nvrm|xid"' },
          ...(module.open
            ? []
            : [{ title: "GPUs since Blackwell (RTX 50) need NVIDIA's open kernel module: install that flavour" }]),
          {
            continues: true,
            title:
              'Switch "Above 4G Decoding" and "Resizable BAR" on in the BIOS, which large cards need ("RmInitAdapter failed")',
          },
          { continues: true, title: 'Switch the machine off and on; check its power cables where that does not help' },
        ],
      },
    ];
  },
};

/** nvidia-smi works without libcuda, programs do not. */
export const cudaLibraryMissing: Judge = {
  id: 'cuda-library-missing',
  judge(facts) {
    const { driverCuda, gpus, container } = facts;
    if (!isUnknown(driverCuda) || driverCuda.cause !== 'failed' || !knownValue(gpus)?.length || onChip(facts))
      return [];
    const inside = Boolean(knownValue(container));
    return [
      {
        severity: 'error',
        finding: `nvidia-smi sees the GPU, but the driver's CUDA library (libcuda) cannot be loaded${inside ? ' in this container' : ''}.`,
        why: [
          { fact: driverCuda.unknown, source: driverCuda.source },
          { fact: gpusAreThere(knownValue(gpus) ?? []), source: gpus.source },
        ],
        remedies: inside
          ? [
              {
                title: 'Start the container with both capabilities',
                command: 'docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility IMAGE',
              },
            ]
          : [
              {
                title:
                  "Install the driver's libraries for computing, which some distributions package apart (libcuda1)",
              },
            ],
      },
    ];
  },
};
