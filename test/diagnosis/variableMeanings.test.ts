import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { meaningOfVariable } from '../../server/src/diagnosis/readout/variableMeanings.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { loadRecording, recordedMachine } from '../stack/recordedMachine.ts';

const MACHINES = fileURLToPath(new URL('../stack/machines', import.meta.url));

/** A machine, additional variables, and the meaning of the last one. */
const MEANINGS: [machine: string, variables: Record<string, string>, meaning: string | undefined][] = [
  ['rtx3090-cu124', { CUDA_VISIBLE_DEVICES: '' }, 'hides every GPU'],
  ['rtx3090-cu124', { CUDA_VISIBLE_DEVICES: '0' }, 'shows 1 of 1 GPU'],
  ['laptop-without-gpu', { CUDA_VISIBLE_DEVICES: '0' }, undefined],
  ['host-with-8-h100', { CUDA_VISIBLE_DEVICES: '2,3,3' }, 'names 3 twice, which hides every GPU'],
  [
    'host-with-8-h100',
    { CUDA_VISIBLE_DEVICES: '6,7,8' },
    'shows 2 of 8 GPUs; "8" names no GPU, and entries after it are ignored',
  ],
  ['visible-devices-by-uuid', { CUDA_VISIBLE_DEVICES: '1' }, 'shows 1 of 2 GPUs, the fastest being 0'],
  [
    'visible-devices-by-uuid',
    { CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: '1' },
    'shows 1 of 2 GPUs: RTX 3090 as 0',
  ],
  ['visible-devices-by-uuid', { CUDA_VISIBLE_DEVICES: 'GPU-5a1b2c01' }, 'shows 1 of 2 GPUs: RTX 3090 as 0'],
  ['mig-instance-visible', { CUDA_VISIBLE_DEVICES: 'MIG-0' }, 'hides every GPU'],
  ['rtx3090-cu124', { CUDA_DEVICE_ORDER: 'PCI_BUS_ID' }, 'CUDA numbers the GPUs as nvidia-smi does'],
  ['rtx3090-cu124', { NVIDIA_VISIBLE_DEVICES: 'all' }, 'has no effect outside a container'],
  ['colab-t4', { NVIDIA_VISIBLE_DEVICES: 'void' }, "NVIDIA's container runtime passes no GPU to this container"],
  [
    'colab-t4',
    { NVIDIA_DRIVER_CAPABILITIES: 'utility' },
    'leaves out compute, so no CUDA program runs in this container',
  ],
  ['colab-t4', { NVIDIA_DRIVER_CAPABILITIES: 'all' }, 'the container gets CUDA and nvidia-smi'],
  ['rtx3090-cu124', { CUDA_HOME: '/usr/local/cuda' }, 'for compiling extensions with CUDA 12.1.1'],
  ['laptop-without-gpu', { CUDA_HOME: '/opt/gone' }, 'this folder has no CUDA toolkit'],
  ['rtx3090-cu124', { LD_LIBRARY_PATH: '/opt/nothing' }, 'has no NVIDIA libraries'],
  [
    'rtx3090-cu124',
    { TORCH_CUDA_ARCH_LIST: '8.0;9.0+PTX' },
    'the GPUs for which extensions are compiled; installed wheels do not change',
  ],
  [
    'rtx3090-cu124',
    { TORCH_CUDA_ARCH_LIST: '9.0+PTX' },
    "the GPUs for which extensions are compiled; installed wheels do not change; 8.6, this GPU's own, is missing",
  ],
  [
    'rtx3090-cu124',
    { TORCH_CUDA_ARCH_LIST: 'Hopper' },
    'the GPUs for which extensions are compiled; installed wheels do not change',
  ],
  ['rtx3090-cu124', { CUDA_LAUNCH_BLOCKING: '0' }, 'switched off'],
  ['tensorflow-and-cuda', { KERAS_BACKEND: 'torch' }, 'torch is not installed'],
  ['tensorflow-and-cuda', { KERAS_BACKEND: 'tensorflow' }, 'Keras uses tensorflow'],
  ['rtx3090-cu124', { KERAS_BACKEND: 'torch' }, 'Keras is not installed'],
  ['rocm', { HIP_VISIBLE_DEVICES: '-1' }, 'hides every AMD GPU'],
  ['rocm', { ROCR_VISIBLE_DEVICES: '1,0' }, 'shows 2 AMD GPUs in this order'],
  ['laptop-without-gpu', { VIRTUAL_ENV: '/x' }, undefined],
];

for (const [name, variables, meaning] of MEANINGS) {
  const text = Object.entries(variables).map((each) => each.join('='));
  test(`${text.join(' ')} on ${name}`, async () => {
    const folder = path.join(MACHINES, name);
    const recording = await loadRecording(folder);
    const env = { ...recording.env, ...variables };
    const machine = recordedMachine(folder, { ...recording, env });
    const facts = await readStack({ machine, interpreter: recording.interpreter, folders: recording.folders ?? [] });
    const [variable = '', value = ''] = Object.entries(variables).at(-1) ?? [];
    assert.equal(meaningOfVariable(variable, value, facts), meaning);
  });
}
