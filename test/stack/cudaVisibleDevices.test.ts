import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countVisibleGpus } from '../../server/src/stack/facts/cudaVisibleDevices.ts';
import type { Gpu } from '../../server/src/stack/facts/facts.ts';

const gpu = (index: number, uuid: string): Gpu => ({
  index,
  name: 'NVIDIA L4',
  uuid,
  memoryTotal: null,
  memoryUsed: null,
  utilization: null,
  computeCapability: null,
  mig: null,
  migInstances: [],
});
const TWO = [gpu(0, 'GPU-5a1b2c3d-1111'), gpu(1, 'GPU-5a9b2c3d-1111')];

const CASES: [string | undefined, number | undefined][] = [
  [undefined, 2],
  ['', 0],
  ['-1', 0],
  ['0', 1],
  ['1,0', 2],
  ['0,-1,1', 1],
  ['0,5', 1],
  ['5', 0],
  ['0,0', 0],
  [' 0 , 1 ', 2],
  ['1gpu2', 1],
  ['NoDevFiles', 0],
  ['void', 0],
  ['GPU-5a1b', 1],
  ['gpu-5a1b', 0],
  ['GPU-5a', 0],
  ['GPU-5a9b,GPU-5a1b', 2],
  ['GPU-5a9b,1', 1],
  ['MIG-63feeb45-94c6-5cb9-78ea-98e9b7a5be6b', undefined],
];

for (const [value, count] of CASES) {
  test(`CUDA_VISIBLE_DEVICES ${value === undefined ? 'unset' : `"${value}"`} on two GPUs`, () => {
    assert.equal(countVisibleGpus(value, TWO), count);
  });
}
