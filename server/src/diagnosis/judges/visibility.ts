import { visibleDevices } from '../../stack/facts/cudaVisibleDevices.ts';
import { knownValue } from '../../stack/facts/facts.ts';
import { gpusAreThere, nameGpus } from '../../stack/facts/gpuName.ts';
import { builtForCuda, installedFrameworks, seesGpu } from '../../stack/facts/installed.ts';
import { differ } from '../../stack/facts/usableGpus.ts';
import type { Judge } from '../diagnosis.ts';
import { mayBeShutOut, STARTING_WITH_ROCM, starting } from './container.ts';

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
        remedies: () => [
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
        remedies: () => [
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
        remedies: () => [
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

/** CUDA accesses the driver's unified memory through a separate file, which only root can create. */
export const nvidiaUvmMissing: Judge = {
  id: 'nvidia-uvm-missing',
  judge(facts) {
    const files = knownValue(facts.deviceFiles)?.map(({ path }) => path);
    const module = knownValue(facts.kernelModule);
    if (files === undefined || module === undefined || knownValue(facts.wsl) || knownValue(facts.board)) return [];
    const container = knownValue(facts.container);
    // For a container without any GPU, another diagnosis reports that.
    if (container === undefined || (container && mayBeShutOut(facts))) return [];
    const gpu = files.find((path) => /^\/dev\/nvidia\d+$/.test(path));
    if (gpu === undefined || files.includes('/dev/nvidia-uvm') || seesGpu(facts)) return [];
    const inside = container !== null;
    // Outside containers, the first program that starts CUDA also creates the file.
    if (module.modprobe && !inside) return [];
    return [
      {
        severity: 'warning',
        finding: `${gpu} exists but /dev/nvidia-uvm does not, so CUDA fails to start ("unknown error") until root has used it.`,
        why: [
          { fact: 'no /dev/nvidia-uvm', source: facts.deviceFiles.source },
          { fact: `the NVIDIA driver ${module.version} is loaded`, source: facts.kernelModule.source },
        ],
        remedies: () =>
          inside
            ? [
                starting('/dev/nvidia-uvm', 'docker run --gpus all --device /dev/nvidia-uvm IMAGE'),
                {
                  do: 'run',
                  title: 'Load the module on the host first',
                  command: 'sudo modprobe nvidia-uvm && sudo nvidia-modprobe -u -c=0',
                },
              ]
            : [
                {
                  do: 'run',
                  title: 'Load the module and create its file',
                  command: 'sudo modprobe nvidia-uvm && sudo nvidia-modprobe -u -c=0',
                },
                {
                  do: 'run',
                  title: 'Load it whenever the machine starts',
                  command: 'echo nvidia-uvm | sudo tee /etc/modules-load.d/nvidia-uvm.conf',
                  continues: true,
                },
                { do: 'advise', title: 'Install nvidia-modprobe, which CUDA uses to create the file' },
              ],
      },
    ];
  },
};

/** Only members of the groups render and video may open the device file through which ROCm accesses the GPU. */
export const amdGpuNotPermitted: Judge = {
  id: 'amd-gpu-not-permitted',
  judge(facts) {
    const closed = knownValue(facts.deviceFiles)?.find(({ path, usable }) => path === '/dev/kfd' && !usable);
    const rocm = installedFrameworks(facts).find(({ build }) => build.target === 'rocm');
    if (closed === undefined || rocm === undefined) return [];
    const inside = Boolean(knownValue(facts.container));
    return [
      {
        severity: 'warning',
        finding: `This user may not open /dev/kfd, which ROCm needs, so ${rocm.title} sees no GPU.`,
        why: [
          { fact: 'no permission to open /dev/kfd', source: facts.deviceFiles.source },
          { fact: `${rocm.title} is built for ROCm`, source: rocm.source },
        ],
        remedies: () =>
          inside
            ? [STARTING_WITH_ROCM]
            : [
                {
                  do: 'run',
                  title: 'Add your user to the groups with access, and sign in again',
                  command: 'sudo usermod -aG render,video "$USER"',
                },
              ],
      },
    ];
  },
};
