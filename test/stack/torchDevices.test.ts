import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { torchDevices } from '../../server/src/stack/readers/torchDevices.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { loadRecording, recordedMachine } from './recordedMachine.ts';

/** Counts of torch's `cuda`, `mps` and `xpu` devices on a recorded machine; undefined if unknown. */
async function counts(name: string, env: Record<string, string> = {}): Promise<(number | undefined)[]> {
  const folder = fileURLToPath(new URL(`machines/${name}`, import.meta.url));
  const recording = await loadRecording(folder);
  const machine = recordedMachine(folder, { ...recording, env: { ...recording.env, ...env } });
  const { interpreter, folders = [] } = recording;
  const { cuda, mps, xpu } = torchDevices(await readStack({ machine, interpreter, folders }));
  return [cuda, mps, xpu].map((found) => found?.count);
}

const EXPECTED: Readonly<Record<string, (number | undefined)[]>> = {
  'rtx3090-cu124': [1, 0, 0],
  'rtx3090-cpu-torch': [0, 0, 0],
  'host-with-8-h100': [4, 0, 0],
  'laptop-without-gpu': [0, 0, 0],
  'driver-not-running': [0, 0, 0],
  'gpus-hidden': [0, 0, 0],
  'macos-apple-silicon': [0, 1, 0],
  'no-python': [1, 0, undefined],
  'a100-mig': [undefined, 0, 0],
  'nvidia-smi-hangs': [undefined, 0, 0],
  rocm: [undefined, 0, 0],
};

for (const [name, expected] of Object.entries(EXPECTED))
  test(`devices of ${name}`, async () => assert.deepEqual(await counts(name), expected));

test('the variable that hides GPUs is respected', async () => {
  const [cuda] = await counts('rtx3090-cu124', { CUDA_VISIBLE_DEVICES: '' });
  assert.equal(cuda, 0);
});
