import { onWindows } from '../../commands/shells.ts';
import { isUnknown, knownValue } from '../../stack/facts/facts.ts';
import { onChip } from '../../stack/facts/usableGpus.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import { RESTARTING_WSL, updatingWsl } from '../remedies/updatingDriver.ts';
import { containerLostGpus, mayBeShutOut, starting } from './container.ts';
import { READING_KERNEL_LOG } from './driver.ts';
import { wslLinuxDriver } from './wsl.ts';

/** The driver runs, but its tool is missing. */
export const nvidiaSmiMissing: Judge = {
  id: 'nvidia-smi-missing',
  judge(facts) {
    const { driverCuda, kernelModule, container } = facts;
    const module = knownValue(kernelModule);
    if (!isUnknown(driverCuda) || driverCuda.cause !== 'absent' || module === undefined) return [];
    if (onChip(facts) || mayBeShutOut(facts)) return [];
    const inside = Boolean(knownValue(container));
    return [
      {
        severity: 'information',
        finding: `The NVIDIA driver ${module.version} runs without nvidia-smi, so memory, load and supported CUDA version are unknown.`,
        why: [
          { fact: `kernel module ${module.version} is loaded`, source: kernelModule.source },
          { fact: driverCuda.unknown, source: driverCuda.source },
        ],
        remedies: () =>
          inside
            ? [starting('nvidia-smi', 'docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility IMAGE')]
            : [
                {
                  do: 'advise',
                  title:
                    "Install the package with the driver's tools (nvidia-utils, nvidia-smi or nvidia-compute-utils)",
                },
              ],
      },
    ];
  },
};

export const nvidiaSmiFailing: Judge = {
  id: 'nvidia-smi-failing',
  judge(facts): Judgement[] {
    const { gpus } = facts;
    if (containerLostGpus.judge(facts).length > 0) return [];
    if (!isUnknown(gpus) || !['timedOut', 'failed', 'unreadable'].includes(gpus.cause)) return [];
    const lost = /GPU is lost/.test(gpus.unknown);
    const late = gpus.cause === 'timedOut';
    return [
      {
        severity: lost ? 'error' : 'warning',
        finding: lost
          ? 'A GPU no longer responds: it has fallen off the bus, and only a restart brings it back.'
          : late
            ? 'nvidia-smi hangs, as with a broken GPU or a stuck driver.'
            : 'nvidia-smi fails, so the GPU is unknown.',
        why: [{ fact: gpus.unknown, source: gpus.source }],
        remedies: () =>
          gpus.cause === 'unreadable'
            ? [
                {
                  do: 'run',
                  title: 'Check its output: another program with that name may come first on the PATH',
                  command: 'nvidia-smi',
                  isCheck: true,
                },
              ]
            : [
                ...(onWindows(facts) ? [] : [READING_KERNEL_LOG]),
                {
                  do: 'advise',
                  title: "Restart the machine; if it happens again, check the card's power, temperature and seating",
                  ...(!onWindows(facts) && { continues: true as const }),
                },
              ],
      },
    ];
  },
};

export const nvidiaSmiNotPermitted: Judge = {
  id: 'nvidia-smi-not-permitted',
  judge(facts): Judgement[] {
    const { gpus, wsl, deviceFiles } = facts;
    // A Linux driver inside WSL is reported instead.
    if (!isUnknown(gpus) || gpus.cause !== 'refused' || wslLinuxDriver.judge(facts).length > 0) return [];
    const blocked = /operating system blocks/.test(gpus.unknown);
    const closed = knownValue(deviceFiles)?.find(({ path, usable }) => /nvidia/.test(path) && !usable);
    return [
      {
        severity: 'warning',
        finding: blocked
          ? `The operating system blocks access to the GPU${knownValue(wsl) ? ': its driver is in TCC mode, too old, or being updated' : ''}.`
          : 'This user has no permission to use the GPU.',
        why: [
          { fact: gpus.unknown, source: gpus.source },
          ...(closed === undefined
            ? []
            : [{ fact: `no permission to open ${closed.path}`, source: deviceFiles.source }]),
        ],
        remedies: () =>
          blocked
            ? [
                {
                  do: 'run',
                  title: "Check the GPU's driver model in a Windows terminal: WSL cannot use a GPU in TCC mode",
                  command: 'nvidia-smi --query-gpu=name,driver_model.current --format=csv',
                  isCheck: true,
                },
                {
                  do: 'run',
                  title: 'If it is TCC, switch it to WDDM as administrator, and restart Windows',
                  command: 'nvidia-smi -dm 0',
                  continues: true,
                },
                updatingWsl('Update the driver in Windows, then WSL'),
                RESTARTING_WSL,
              ]
            : [
                { do: 'run', title: 'Check who may use it', command: 'ls -l /dev/nvidia*', isCheck: true },
                {
                  do: 'run',
                  title: 'Add your user to the group with access, usually video or render, and sign in again',
                  continues: true,
                  command: 'sudo usermod -aG video,render "$USER"',
                },
              ],
      },
    ];
  },
};
