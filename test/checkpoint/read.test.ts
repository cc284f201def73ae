/** What the readers say of real files, held against what the libraries that wrote them say. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

interface Expected {
  readonly devices: readonly string[] | null;
  readonly tensors: readonly (readonly [name: string, dtype: string, shape: readonly number[]])[] | null;
}

const expected: Record<string, Expected> = JSON.parse(readFileSync(join(FIXTURES, 'torch.json'), 'utf8'));

for (const [name, { devices, tensors }] of Object.entries(expected))
  test(`${name} is what PyTorch says it is`, async () => {
    const checkpoint = await readCheckpoint(join(FIXTURES, 'torch', name));
    assert.deepEqual(checkpoint.devices ?? null, devices);
    const read = checkpoint.tensors.map(({ name, dtype, shape }) => [name, dtype, shape]);
    if (tensors) assert.deepEqual(read, tensors);
  });
