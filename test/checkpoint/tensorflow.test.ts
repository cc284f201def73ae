/** What is read of SavedModels and of TensorFlow's checkpoints, held against what TensorFlow says of them. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { folderWith } from '../cli/run.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

interface Expected {
  readonly writtenBy: string;
  readonly tensors: readonly (readonly [name: string, dtype: string, shape: readonly number[]])[];
}

const expected: Record<string, Expected> = JSON.parse(readFileSync(join(FIXTURES, 'tensorflow.json'), 'utf8'));

for (const [name, { writtenBy, tensors }] of Object.entries(expected))
  test(`${name} is what TensorFlow says it is`, async () => {
    const checkpoint = await readCheckpoint(join(FIXTURES, 'tensorflow', name));
    assert.equal(checkpoint.writtenBy, writtenBy);
    const read = checkpoint.tensors.map(({ name, dtype, shape }) => [name, dtype, shape]);
    assert.deepEqual(read, tensors);
    assert.ok(checkpoint.tensors.every(({ shape, bytes }) => bytes > 0 || shape.includes(0)));
  });

test('a program that writes files is suspicious, another is not checked', async () => {
  const writer = await readCheckpoint(join(FIXTURES, 'tensorflow/writer'));
  assert.equal(writer.safety.verdict, 'suspicious');
  assert.deepEqual(writer.problems, ['Its program can reach files or run Python, by `WriteFile`.']);
  const module = await readCheckpoint(join(FIXTURES, 'tensorflow/module'));
  assert.equal(module.safety.verdict, 'not-checked');
  assert.deepEqual(module.problems, []);
});

test('a checkpoint is found by the name that TensorFlow has for it', async () => {
  const byIndex = await readCheckpoint(join(FIXTURES, 'tensorflow/ckpt-1.index'));
  assert.deepEqual(byIndex, await readCheckpoint(join(FIXTURES, 'tensorflow/ckpt-1')));
  await assert.rejects(readCheckpoint(join(FIXTURES, 'tensorflow/ckpt-2')), { code: 'ENOENT' });
});

test('what is missing of a copy is named', async (t) => {
  const folder = await folderWith(t, {});
  const copy = (name: string) => cpSync(join(FIXTURES, 'tensorflow', name), join(folder, name), { recursive: true });
  const problemsOf = async (name: string) => (await readCheckpoint(join(folder, name))).problems;
  copy('ckpt-1.index');
  assert.deepEqual(await problemsOf('ckpt-1'), ['The file `ckpt-1.data-00000-of-00001` is missing beside the index.']);
  copy('ckpt-1.data-00000-of-00001');
  truncateSync(join(folder, 'ckpt-1.data-00000-of-00001'), 20);
  assert.match((await problemsOf('ckpt-1')).join(), /is cut off: \d+ bytes are missing/);
  copy('module');
  rmSync(join(folder, 'module/variables/variables.index'));
  assert.match((await problemsOf('module')).join(), /`variables\/variables.index` is missing/);
  rmSync(join(folder, 'module/variables'), { recursive: true });
  assert.match((await problemsOf('module')).join(), /The folder `variables` is missing/);
});
