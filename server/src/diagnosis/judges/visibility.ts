import { visibleDevices } from '../../stack/facts/cudaVisibleDevices.ts';
import { knownValue } from '../../stack/facts/facts.ts';
import { gpusAreThere, nameGpus } from '../../stack/facts/gpuName.ts';
import { builtForCuda } from '../../stack/facts/installed.ts';
import { differ } from '../../stack/facts/usableGpus.ts';
import type { Judge } from '../diagnosis.ts';

export const gpusHidden: Judge = {
  id: 'gpus-hidden',
  judge(facts) {
    const gpus = knownValue(facts.gpus);
    const value = knownValue(facts.variables)?.CUDA_VISIBLE_DEVICES;
    if (!gpus?.length || value === undefined || visibleDevices(value, gpus)?.devices.length !== 0) return [];
    const [framework] = builtForCuda(facts);
    if (framework === undefined) return [];
    return [
      {
        severity: 'warning',
        finding: `CUDA_VISIBLE_DEVICES="${value}" hides every GPU, so ${framework.build.name} runs on the CPU.`,
        why: [
          { fact: `CUDA_VISIBLE_DEVICES="${value}" names no GPU on this machine`, source: facts.variables.source },
          { fact: gpusAreThere(gpus), source: facts.gpus.source },
        ],
        remedies: [
          {
            do: 'unset',
            title: 'Remove the variable where it is set, then restart the program or the editor',
            variable: 'CUDA_VISIBLE_DEVICES',
          },
        ],
      },
    ];
  },
};

/** The list ends at the first entry without a device: the entries after it are lost, too. */
export const visibleDeviceMissing: Judge = {
  id: 'visible-device-missing',
  judge(facts) {
    const gpus = knownValue(facts.gpus);
    const value = knownValue(facts.variables)?.CUDA_VISIBLE_DEVICES;
    if (!gpus?.length || value === undefined) return [];
    const { devices, missing } = visibleDevices(value, gpus) ?? {};
    // A negative number ends the list on purpose.
    if (!devices?.length || !missing || missing.startsWith('-')) return [];
    return [
      {
        severity: 'warning',
        finding: `CUDA_VISIBLE_DEVICES="${value}" names "${missing}", which does not exist; CUDA stops there, and a program sees ${devices.length} instead of ${value.split(',').length} GPUs.`,
        why: [
          { fact: `CUDA_VISIBLE_DEVICES="${value}"`, source: facts.variables.source },
          { fact: `${gpus.length} GPUs: ${nameGpus(gpus)}`, source: facts.gpus.source },
        ],
        remedies: [
          {
            do: 'set',
            title: 'Name only GPUs that exist, where the variable is set',
            variable: 'CUDA_VISIBLE_DEVICES',
            value: gpus.map((_, place) => place).join(','),
          },
        ],
      },
    ];
  },
};

/** nvidia-smi numbers GPUs in PCI bus order; by default, CUDA puts the fastest first. */
export const deviceOrder: Judge = {
  id: 'device-order',
  judge(facts) {
    const gpus = knownValue(facts.gpus);
    const { CUDA_VISIBLE_DEVICES: value, CUDA_DEVICE_ORDER: order } = knownValue(facts.variables) ?? {};
    if (!gpus || !differ(gpus) || order === 'PCI_BUS_ID' || value === undefined || !/^\s*\d/.test(value)) return [];
    const { devices } = visibleDevices(value, gpus) ?? {};
    if (!devices?.length || devices.length === gpus.length) return [];
    return [
      {
        severity: 'information',
        finding: `CUDA_VISIBLE_DEVICES="${value}" uses CUDA's order, which can differ from nvidia-smi's if the GPUs are different models.`,
        why: [
          { fact: `CUDA_VISIBLE_DEVICES="${value}" without CUDA_DEVICE_ORDER`, source: facts.variables.source },
          { fact: `different GPUs: ${nameGpus(gpus)}`, source: facts.gpus.source },
        ],
        remedies: [
          {
            do: 'set',
            title: 'Number GPUs as nvidia-smi does',
            variable: 'CUDA_DEVICE_ORDER',
            value: 'PCI_BUS_ID',
          },
        ],
      },
    ];
  },
};
