/** What is read of Keras models and of HDF5 files, held against what h5py says of them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import type { Verdict } from '../../server/src/checkpoint/checkpoint.ts';
import { readBytes, readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { damaged, randomNumbers } from './fuzz/mutations.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

interface Expected {
  readonly writtenBy: string | null;
  readonly holds: 'model' | 'weights' | null;
  readonly tensors: readonly (readonly [name: string, dtype: string, shape: readonly number[]])[];
}

const expected: Record<string, Expected> = JSON.parse(readFileSync(join(FIXTURES, 'keras.json'), 'utf8'));
const verdicts: Record<string, Verdict> = {
  'lambda.keras': 'suspicious',
  'lambda.h5': 'suspicious',
  'keras2_lambda.h5': 'suspicious',
  'outside.h5': 'suspicious',
};

for (const [name, { writtenBy, holds, tensors }] of Object.entries(expected))
  test(`${name} is what h5py says it is`, async () => {
    const checkpoint = await readCheckpoint(join(FIXTURES, 'keras', name));
    assert.equal(checkpoint.writtenBy ?? null, writtenBy);
    assert.equal(checkpoint.holds ?? null, holds);
    assert.equal(checkpoint.safety.verdict, verdicts[name] ?? 'no-code');
    assert.deepEqual(checkpoint.problems, name in verdicts ? [checkpoint.safety.reason] : []);
    const read = checkpoint.tensors.map(({ name, dtype, shape }) => [name, dtype, shape] as const);
    assert.deepEqual(
      read.sort(([one], [other]) => (one < other ? -1 : 1)),
      tensors,
    );
  });

test('links that lead out of the file are named', async () => {
  const { problems } = await readCheckpoint(join(FIXTURES, 'keras/outside.h5'));
  assert.match(problems.join(), /`layers\/dense\/vars\/0 -> \.\.\/\.\.\/secret\.h5`/);
  assert.match(problems.join(), /`layers\/dense\/vars\/1 -> other\.h5`/);
});

test('an HDF5 file that is cut off says so', async () => {
  const whole = readFileSync(join(FIXTURES, 'keras/model.h5'));
  const { safety, problems } = await readBytes(inMemory(whole.subarray(0, 3000)));
  assert.equal(safety.verdict, 'not-checked');
  assert.deepEqual(problems, ['It could not be read: it is damaged, or cut off.']);
});

test('a file on which the library hangs is given up', async () => {
  // Found by the fuzzer: version 2.0.0 of the library walks in circles in it.
  const { safety, problems } = await readCheckpoint(join(FIXTURES, 'damaged/hangs_the_library.h5'));
  assert.equal(safety.verdict, 'not-checked');
  assert.deepEqual(problems, ['It could not be read: the HDF5 library fails on it, or needs too much time or memory.']);
});

test('damaged files in the thread', async () => {
  const originals = ['keras/model.h5', 'keras/plain.keras'].map((name) => readFileSync(join(FIXTURES, name)));
  for (let number = 0; number < 12; number++) {
    const content = damaged(originals[number % 2] as Buffer, randomNumbers(number), originals);
    const { safety, problems } = await readBytes(inMemory(content));
    assert.ok([safety.reason, ...problems].every((sentence) => sentence.endsWith('.')));
  }
});
