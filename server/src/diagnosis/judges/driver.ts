import { compareVersions } from '../../published/versions.ts';
import { isUnknown, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { gpusAreThere } from '../../stack/facts/gpuName.ts';
import { builtForCuda, seesGpu } from '../../stack/facts/installed.ts';
import { type PackageTool, packageToolNamedIn } from '../../stack/facts/packageTool.ts';
import { onChip } from '../../stack/facts/usableGpus.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import type { Remedy } from '../remedy.ts';

export const driverLibraryMismatch: Judge = {
  id: 'driver-library-mismatch',
  judge(facts) {
    const { gpus, container } = facts;
    if (!isUnknown(gpus) || gpus.cause !== 'driverMismatch') return [];
    const isContainer = Boolean(knownValue(container));
    const older = isContainer ? [] : olderLibrary(facts);
    return [
      {
        severity: 'error',
        finding: isContainer
          ? "The container's libraries of the NVIDIA driver are of another version than the host's kernel module, so nothing can use the GPU."
          : older.length > 0
            ? 'Libraries of an older NVIDIA driver are found before those of the one that runs, so nothing can use the GPU; a restart does not change that.'
            : 'The libraries of the NVIDIA driver and its loaded kernel module are of different versions, as after an update without a restart, so nothing can use the GPU.',
        why: [{ fact: gpus.unknown, source: gpus.source }, ...older],
        remedies: isContainer
          ? [
              { title: 'Restart the container, or its host where nvidia-smi fails there as well' },
              {
                title: "Remove a driver that was installed into the container; the runtime brings the host's",
                command: "apt purge 'nvidia-*' 'libnvidia-*'",
              },
            ]
          : older.length > 0
            ? [
                {
                  title:
                    "Take the older one's folder off the loader's path, or remove its packages (dpkg -l | grep nvidia)",
                },
                installingOne(facts, 'Remove every driver, and install one'),
              ]
            : [
                { title: 'Restart the machine', command: 'sudo reboot' },
                installingOne(facts, 'Where it is the same after a restart, remove every driver and install one'),
              ],
      },
    ];
  },
};

/** The driver library that wins, where it is older than the module, as no update leaves it. */
function olderLibrary({ driverLibraries, kernelModule }: StackFacts): Judgement['why'] {
  const [first] = knownValue(driverLibraries) ?? [];
  const module = knownValue(kernelModule);
  if (!first?.version.includes('.') || !module || compareVersions(first.version, module.version) >= 0) return [];
  return [
    { fact: `libcuda is of ${first.version}`, source: first.path },
    { fact: `the kernel module is of ${module.version}`, source: kernelModule.source },
  ];
}

/** Ubuntu's own tool knows which driver belongs to a GPU. */
function isUbuntu({ os }: StackFacts): boolean {
  return /ubuntu/i.test(knownValue(os)?.name ?? '');
}

function installingOne(facts: StackFacts, title: string): Remedy {
  return isUbuntu(facts)
    ? { title, command: "sudo apt purge '*nvidia*' && sudo ubuntu-drivers install && sudo reboot" }
    : { title };
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
        remedies: installed ? startDriver(facts) : installDriver(facts),
      },
    ];
  },
};

function forVirtualMachines(driver: string | null): boolean {
  return ['vfio-pci', 'pci-stub', 'xen-pciback'].includes(driver ?? '');
}

/** Builds the module for the running kernel, as far as that is one command. */
const BUILDS: Readonly<Record<PackageTool, string>> = {
  apt: 'sudo apt install linux-headers-$(uname -r) && sudo dkms autoinstall && sudo reboot',
  dnf: 'sudo dnf install kernel-devel-$(uname -r) && sudo akmods --force && sudo reboot',
  pacman: 'pacman -Qs nvidia; sudo pacman -S linux-headers nvidia-open-dkms && sudo reboot',
  zypper: 'dkms status',
};

function startDriver({ os }: StackFacts): Remedy[] {
  const tool = packageToolNamedIn(knownValue(os)?.name ?? '');
  return [
    {
      title: 'Load the module and read what the kernel says',
      command: 'sudo modprobe nvidia; sudo dmesg | grep -i nvrm',
    },
    { title: 'Find out whether Secure Boot refuses it', continues: true, command: 'mokutil --sb-state' },
    {
      title: 'Build it for this kernel, where an update of the kernel has left it behind',
      continues: true,
      command: tool === undefined ? 'dkms status' : BUILDS[tool],
    },
  ];
}

function installDriver(facts: StackFacts): Remedy[] {
  return isUbuntu(facts)
    ? [{ title: 'Install the driver that Ubuntu recommends, then restart', command: 'sudo ubuntu-drivers install' }]
    : [{ title: "Install NVIDIA's driver as your distribution does, then restart" }];
}

/** The driver runs and finds no GPU, although one is on the bus. */
export const gpuNotStarted: Judge = {
  id: 'gpu-not-started',
  judge(facts) {
    const module = knownValue(facts.kernelModule);
    if (module === undefined || knownValue(facts.container) || knownValue(facts.gpus)?.length !== 0) return [];
    // A job that was given none may open none of their files; to it nvidia-smi says the same.
    const files = knownValue(facts.deviceFiles)?.filter(({ path }) => /^\/dev\/nvidia\d+$/.test(path)) ?? [];
    if (files.length > 0 && !files.some(({ usable }) => usable)) return [];
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
    const { driverCuda, gpus, container, wsl } = facts;
    if (!isUnknown(driverCuda) || driverCuda.cause !== 'failed' || !knownValue(gpus)?.length || onChip(facts))
      return [];
    if (seesGpu(facts)) return [];
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
              ...(knownValue(wsl)
                ? [
                    { title: 'Update the driver of Windows, then WSL from Windows', command: 'wsl --update' },
                    { title: 'Start WSL again', command: 'wsl --shutdown', continues: true as const },
                  ]
                : [
                    {
                      title:
                        "Install the driver's libraries for computing, which some distributions package apart (libcuda1)",
                    },
                  ]),
            ],
      },
    ];
  },
};
