import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { weightSizesOf } from '../../server/src/checkpoint/weightSizes.ts';
import { memoryIn } from '../../server/src/loading/memoryHere.ts';
import { fitOf } from '../../server/src/report/checkpointFit.ts';
import { factsOf } from '../provision/machines.ts';

const tensor = (name: string, dtype: string, shape: readonly number[], bytes: number): Tensor => ({
  name,
  dtype,
  shape,
  bytes,
});

const GIB = 2 ** 30;

test('floating-point weights change their size with the target type, integers do not', () => {
  const sizes = weightSizesOf([
    tensor('layer.weight', 'bfloat16', [1000, 10], 20_000),
    tensor('layer.bias', 'float32', [10], 40),
    tensor('steps', 'int64', [5], 40),
  ]);
  assert.deepEqual(sizes, { stored: 20_080, float32: 40_080, half: 20_060 });
});

test('quantized GGUF types are converted to floating point', () => {
  assert.deepEqual(weightSizesOf([tensor('blk.0.attn_q.weight', 'Q4_K', [256, 4], 576)]), {
    stored: 576,
    float32: 4096,
    half: 2048,
  });
});

test("an optimizer's state is not part of the weights", () => {
  const moments = ['optimizer.state.0.exp_avg', 'optimizer_state_dict.state.0.exp_avg'];
  const tensors = [
    tensor('model.weight', 'float32', [4], 16),
    ...moments.map((name) => tensor(name, 'float32', [4], 16)),
  ];
  assert.equal(weightSizesOf(tensors).stored, 16);
});

/** Sentences about 14 GiB of weights on a recorded machine. */
const onMachines: Readonly<Record<string, readonly string[]>> = {
  'kaggle-two-t4': ['GPU 0 (Tesla T4): 15 GiB free of 15 GiB.', 'GPU 1 (Tesla T4): 15 GiB free of 15 GiB.'],
  'rocm-two-mi300x': ['GPU 0 (gfx942): 192 GiB.', 'GPU 1 (gfx942): 192 GiB.'],
  'a100-mig': ['GPU 0 (NVIDIA A100-SXM4-40GB) is partitioned by MIG; the free memory of an instance is unknown.'],
  'mig-instance-visible': [
    'GPU 0 (NVIDIA A100-SXM4-40GB) is partitioned by MIG into 3g.20gb; the free memory of an instance is unknown.',
  ],
  'gpus-hidden': [],
  // A device number is only meaningful if the order of the devices is known.
  'two-models-by-number': [
    'GPU 0 (NVIDIA GeForce RTX 3060): 11.6 GiB free of 12 GiB, too little for the weights.',
    'GPU 1 (NVIDIA GeForce RTX 4090): 23.6 GiB free of 24 GiB.',
  ],
  'visible-devices-in-pci-order': ['GPU 1 (NVIDIA GeForce RTX 3090): 23.1 GiB free of 24 GiB.'],
  'docker-without-gpus': [],
  'macos-apple-silicon': [],
};

for (const [machine, sentences] of Object.entries(onMachines))
  test(`the memory of ${machine}`, async () => {
    const memory = memoryIn(await factsOf(machine), undefined);
    assert.deepEqual(fitOf({ stored: 14 * GIB, float32: 28 * GIB, half: 14 * GIB }, memory).slice(1), sentences);
  });

test('insufficient memory is reported, and whether half precision would fit', () => {
  const sizes = { stored: 28 * GIB, float32: 28 * GIB, half: 14 * GIB };
  const memory = {
    gpus: [
      { name: 'RTX 4090', total: 24 * GIB, free: 20 * GIB },
      { name: 'GTX 1080', total: 8 * GIB, free: null },
      { name: 'H100', total: 80 * GIB, free: 79 * GIB },
    ],
    main: { total: 64 * GIB, free: 10 * GIB },
  };
  assert.deepEqual(fitOf(sizes, memory), [
    'Weights: 28 GiB stored, 14 GiB as float16 or bfloat16.',
    'RTX 4090: 20 GiB free of 24 GiB, too little for the weights as stored.',
    'GTX 1080: 8 GiB, too little for the weights.',
    'H100: 79 GiB free of 80 GiB.',
    'RAM: 10 GiB free of 64 GiB, too little for the weights.',
  ]);
  assert.deepEqual(fitOf({ stored: 0, float32: 0, half: 0 }, memory), []);
  assert.equal(fitOf(sizes, undefined).length, 1);
});
