import { isUnknown, knownValue } from '../../stack/facts/facts.ts';
import { onChip } from '../../stack/facts/usableGpus.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import { onWindows } from '../remedies/installing.ts';
import { containerLostGpus, mayBeShutOut } from './container.ts';
import { wslLinuxDriver } from './wsl.ts';

/** The driver runs, and the tool that tells of it is not there. */
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
        finding: `The NVIDIA driver ${module.version} runs without nvidia-smi, so memory, load and the CUDA that it supports are unknown.`,
        why: [
          { fact: `kernel module ${module.version} is loaded`, source: kernelModule.source },
          { fact: driverCuda.unknown, source: driverCuda.source },
        ],
        remedies: inside
          ? [
              {
                title: 'Start the container with the tool',
                command: 'docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility IMAGE',
              },
            ]
          : [
              {
                title: "Install the package with the driver's tools (nvidia-utils, nvidia-smi or nvidia-compute-utils)",
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
          ? 'A GPU no longer answers: it has fallen off the bus, and only a restart brings it back.'
          : late
            ? 'nvidia-smi does not come back, as it does on a broken GPU or a stuck driver.'
            : 'nvidia-smi fails, so nothing is known of the GPU.',
        why: [{ fact: gpus.unknown, source: gpus.source }],
        remedies:
          gpus.cause === 'unreadable'
            ? [{ title: 'Look at what it prints; something may stand in its place on PATH', command: 'nvidia-smi' }]
            : [
                ...(onWindows(facts)
                  ? []
                  : [{ title: 'Read what the kernel says', command: 'sudo dmesg | grep -iE "nvrm|xid"' }]),
                {
                  ...(!onWindows(facts) && { continues: true as const }),
                  title: 'Restart the machine; check power, heat and seat of the card where it comes back',
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
    // A driver of Linux within WSL is what has to be said then.
    if (!isUnknown(gpus) || gpus.cause !== 'refused' || wslLinuxDriver.judge(facts).length > 0) return [];
    const blocked = /operating system blocks/.test(gpus.unknown);
    const closed = knownValue(deviceFiles)?.find(({ path, usable }) => /nvidia/.test(path) && !usable);
    return [
      {
        severity: 'warning',
        finding: blocked
          ? `The operating system blocks access to the GPU${knownValue(wsl) ? ': its driver is in the mode TCC, too old, or just being updated' : ''}.`
          : 'This user may not reach the GPU.',
        why: [
          { fact: gpus.unknown, source: gpus.source },
          ...(closed === undefined
            ? []
            : [{ fact: `no permission to open ${closed.path}`, source: deviceFiles.source }]),
        ],
        remedies: blocked
          ? [
              {
                title: 'Look at the mode of the GPU, in a terminal of Windows: WSL reaches none in the mode TCC',
                command: 'nvidia-smi --query-gpu=name,driver_model.current --format=csv',
              },
              {
                title: 'Where it is TCC, switch it to WDDM as administrator, and restart Windows',
                command: 'nvidia-smi -dm 0',
                continues: true,
              },
              {
                title: 'Update the driver of Windows, and WSL, from Windows',
                command: 'wsl --update',
              },
              { title: 'Start WSL again', command: 'wsl --shutdown', continues: true },
            ]
          : [
              { title: 'See who may', command: 'ls -l /dev/nvidia*' },
              {
                title: 'Join the group that may, often video or render, and sign in again',
                continues: true,
                command: 'sudo usermod -aG video,render "$USER"',
              },
            ],
      },
    ];
  },
};
