import type { Action } from '../../commands/action.ts';
import { quotedRequirement } from '../../commands/shells.ts';
import { compareVersions, majorOf } from '../../published/versions.ts';
import { isUnknown, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { gpusAreThere } from '../../stack/facts/gpuName.ts';
import { builtForCuda, seesGpu } from '../../stack/facts/installed.ts';
import { type PackageTool, packageToolNamedIn } from '../../stack/facts/packageTool.ts';
import { onChip, usableGpus } from '../../stack/facts/usableGpus.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import { RESTARTING_WSL, updatingWsl } from '../remedies/updatingDriver.ts';
import { starting } from './container.ts';

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
          ? "The container's NVIDIA driver libraries and the host's kernel module have different versions, so nothing can use the GPU."
          : older.length > 0
            ? 'Libraries of an older NVIDIA driver precede those of the running one, so nothing can use the GPU; a restart does not help.'
            : 'The NVIDIA driver libraries and the loaded kernel module have different versions, as after an update without a restart, so nothing can use the GPU.',
        why: [{ fact: gpus.unknown, source: gpus.source }, ...older],
        remedies: () =>
          isContainer
            ? [
                { do: 'advise', title: 'Restart the container, or its host if nvidia-smi fails there, too' },
                {
                  do: 'run',
                  title: "Remove the driver that was installed into the container; the runtime provides the host's",
                  command: "apt purge 'nvidia-*' 'libnvidia-*'",
                },
              ]
            : older.length > 0
              ? [
                  {
                    do: 'advise',
                    title:
                      "Remove the older driver's folder from the loader's path, or its packages (dpkg -l | grep nvidia)",
                  },
                  installingOne(facts, 'Remove all drivers, then install one'),
                ]
              : [
                  { do: 'run', title: 'Restart the machine', command: 'sudo reboot' },
                  installingOne(facts, 'If a restart does not help, remove all drivers, then install one'),
                ],
      },
    ];
  },
};

/** The driver library that is loaded, if it is older than the kernel module, which no update causes. */
function olderLibrary({ driverLibraries, kernelModule }: StackFacts): Judgement['why'] {
  const [first] = knownValue(driverLibraries) ?? [];
  const module = knownValue(kernelModule);
  if (!first?.version.includes('.') || !module || compareVersions(first.version, module.version) >= 0) return [];
  return [
    { fact: `libcuda ${first.version}`, source: first.path },
    { fact: `kernel module ${module.version}`, source: kernelModule.source },
  ];
}

/** Ubuntu's own tool knows the right driver for a GPU. */
function isUbuntu({ os }: StackFacts): boolean {
  return /ubuntu/i.test(knownValue(os)?.name ?? '');
}

function installingOne(facts: StackFacts, title: string): Action {
  return isUbuntu(facts)
    ? { do: 'run', title, command: "sudo apt purge '*nvidia*' && sudo ubuntu-drivers install && sudo reboot" }
    : { do: 'advise', title };
}

/** Shows the messages of NVIDIA's kernel module. */
export const READING_KERNEL_LOG: Action = {
  do: 'run',
  title: 'Read the kernel log',
  command: 'sudo dmesg | grep -iE "nvrm|xid"',
  isCheck: true,
};

/** The GPU is on the bus, but no NVIDIA driver controls it. */
export const driverNotRunning: Judge = {
  id: 'driver-not-running',
  judge(facts) {
    const { gpus } = facts;
    // A container shows the bus of its host; WSL shows nothing of it.
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
          ? 'This machine has an NVIDIA GPU and its driver is installed, but the driver does not run.'
          : `This machine has an NVIDIA GPU but not NVIDIA's driver${nouveau ? ': nouveau controls it, which does not support CUDA' : ''}.`,
        why: [
          {
            fact: `NVIDIA device ${idle.device} at ${idle.address}, ${idle.driver === null ? 'without a driver' : `controlled by ${idle.driver}`}`,
            source: facts.pciGpus.source,
          },
          { fact: gpus.unknown, source: gpus.source },
        ],
        remedies: () => (installed ? startDriver(facts) : installDriver(facts)),
      },
    ];
  },
};

function forVirtualMachines(driver: string | null): boolean {
  return ['vfio-pci', 'pci-stub', 'xen-pciback'].includes(driver ?? '');
}

/** Commands that build the module for the running kernel. */
const BUILDS: Readonly<Record<PackageTool, string>> = {
  apt: 'sudo apt install linux-headers-$(uname -r) && sudo dkms autoinstall && sudo reboot',
  dnf: 'sudo dnf install kernel-devel-$(uname -r) && sudo akmods --force && sudo reboot',
  pacman: 'pacman -Qs nvidia; sudo pacman -S linux-headers nvidia-open-dkms && sudo reboot',
  zypper: 'dkms status',
};

function startDriver({ os }: StackFacts): Action[] {
  const tool = packageToolNamedIn(knownValue(os)?.name ?? '');
  return [
    {
      do: 'run',
      title: 'Load the module and read the kernel log',
      command: 'sudo modprobe nvidia; sudo dmesg | grep -i nvrm',
    },
    {
      do: 'run',
      title: 'Check whether Secure Boot blocks it',
      command: 'mokutil --sb-state',
      isCheck: true,
      continues: true,
    },
    {
      do: 'run',
      title: 'Build it for this kernel, if a kernel update did not include it',
      continues: true,
      command: tool === undefined ? 'dkms status' : BUILDS[tool],
    },
  ];
}

function installDriver(facts: StackFacts): Action[] {
  return isUbuntu(facts)
    ? [
        {
          do: 'run',
          title: 'Install the driver that Ubuntu recommends, then restart',
          command: 'sudo ubuntu-drivers install',
        },
      ]
    : [{ do: 'advise', title: "Install NVIDIA's driver with your distribution's tools, then restart" }];
}

/** The driver runs but finds no GPU, although one is on the bus. */
export const gpuNotStarted: Judge = {
  id: 'gpu-not-started',
  judge(facts) {
    const module = knownValue(facts.kernelModule);
    if (module === undefined || knownValue(facts.container) || knownValue(facts.gpus)?.length !== 0) return [];
    // A job without an assigned GPU may not open their files; nvidia-smi then prints the same.
    const files = knownValue(facts.deviceFiles)?.filter(({ path }) => /^\/dev\/nvidia\d+$/.test(path)) ?? [];
    if (files.length > 0 && !files.some(({ usable }) => usable)) return [];
    const held = knownValue(facts.pciGpus)?.find(
      ({ vendor, driver }) => vendor === 'nvidia' && !forVirtualMachines(driver),
    );
    if (held === undefined) return [];
    return [
      {
        severity: 'warning',
        finding: `The NVIDIA driver ${module.version} runs but cannot start the GPU.`,
        why: [
          { fact: `NVIDIA device ${held.device} at ${held.address}`, source: facts.pciGpus.source },
          { fact: 'nvidia-smi finds no device', source: facts.gpus.source },
        ],
        remedies: () => [
          READING_KERNEL_LOG,
          ...(module.open
            ? []
            : [
                {
                  do: 'advise' as const,
                  title: "Install NVIDIA's open kernel module, which GPUs from Blackwell (RTX 50) on require",
                },
              ]),
          {
            do: 'advise',
            title:
              'Enable "Above 4G Decoding" and "Resizable BAR" in the BIOS, which large cards require ("RmInitAdapter failed")',
            continues: true,
          },
          {
            do: 'advise',
            title: 'Turn the machine off and on again; if that does not help, check its power cables',
            continues: true,
          },
        ],
      },
    ];
  },
};

/** nvidia-smi works without libcuda; programs do not. */
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
        remedies: () =>
          inside
            ? [
                starting(
                  'both capabilities',
                  'docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility IMAGE',
                ),
              ]
            : [
                ...(knownValue(wsl)
                  ? [updatingWsl('Update the driver in Windows, then WSL'), RESTARTING_WSL]
                  : [
                      {
                        do: 'advise' as const,
                        title:
                          "Install the driver's CUDA libraries, which some distributions package separately (libcuda1)",
                      },
                    ]),
              ],
      },
    ];
  },
};

/** GPUs behind NVSwitches wait for the service that configures the switches; without it, CUDA does not start. */
export const fabricManagerNotRunning: Judge = {
  id: 'fabric-manager-not-running',
  judge(facts) {
    const fabric = knownValue(facts.fabric);
    const driver = knownValue(facts.driver);
    if (!fabric || fabric.managerRuns || driver === undefined || !usableGpus(facts)?.length) return [];
    // A newer driver may configure them in another way.
    if (seesGpu(facts)) return [];
    return [
      {
        severity: 'warning',
        finding: `${fabric.switches} NVSwitches connect the GPUs, but NVIDIA's fabric manager does not run, so CUDA does not start (error 802, "system not yet initialized").`,
        why: [
          { fact: `${fabric.switches} NVSwitches`, source: '/dev' },
          { fact: 'no fabric manager is running', source: facts.fabric.source },
        ],
        remedies: () => [
          {
            do: 'run',
            title: `Install the driver's version of it, ${driver}, if it is missing`,
            command: `sudo apt-get install ${quotedRequirement(`nvidia-fabricmanager-${majorOf(driver)}=${driver}-*`)}`,
          },
          {
            do: 'run',
            title: 'Start it now and whenever the machine starts',
            command: 'sudo systemctl enable --now nvidia-fabricmanager',
            continues: true,
          },
          {
            do: 'run',
            title: 'If it stops, check why: it rejects a driver of another version',
            command: 'journalctl -u nvidia-fabricmanager -b',
            isCheck: true,
            continues: true,
          },
        ],
      },
    ];
  },
};
