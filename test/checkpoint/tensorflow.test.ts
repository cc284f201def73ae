/** Contents of SavedModels and TensorFlow checkpoints, compared with those that TensorFlow reports. */
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
  test(`${name} has the contents that TensorFlow reports`, async () => {
    const checkpoint = await readCheckpoint(join(FIXTURES, 'tensorflow', name));
    assert.equal(checkpoint.writtenBy, writtenBy);
    const read = checkpoint.tensors.map(({ name, dtype, shape }) => [name, dtype, shape]);
    assert.deepEqual(read, tensors);
    assert.ok(checkpoint.tensors.every(({ shape, bytes }) => bytes > 0 || shape.includes(0)));
  });

test('the call names of a SavedModel, the usual one first', async () => {
  const endpoints = async (name: string) => (await readCheckpoint(join(FIXTURES, 'tensorflow', name))).endpoints;
  assert.deepEqual(await endpoints('exported'), ['serving_default', 'serve']);
  assert.deepEqual(await endpoints('keras2'), ['serving_default', 'call_and_return_all_conditional_losses']);
  assert.deepEqual(await endpoints('module'), ['serving_default']);
});

test('a program that writes files is suspicious, others need trust', async () => {
  const writer = await readCheckpoint(join(FIXTURES, 'tensorflow/writer'));
  assert.equal(writer.safety.verdict, 'suspicious');
  assert.deepEqual(writer.problems, ['Its program can access files or run Python through `WriteFile`.']);
  const module = await readCheckpoint(join(FIXTURES, 'tensorflow/module'));
  assert.equal(module.safety.verdict, 'needs-trust');
  assert.deepEqual(module.problems, []);
});

/** Encodes a protocol buffer field: a text or a nested message. */
const field = (number: number, ...parts: (string | Buffer)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length = content.length;
  return Buffer.concat([Buffer.from([number * 8 + 2, (length & 0x7f) | 0x80, length >> 7]), content]);
};
const node = (operation: string) => field(1, field(1, 'n'), field(2, operation));
const GROUP = Buffer.from([11 * 8 + 3, 11 * 8 + 4]);

const programs: Record<string, readonly [content: Buffer, verdict: string, reason: RegExp]> = {
  'an operation in its graph': [field(2, field(2, node('PyFunc'))), 'suspicious', /`PyFunc`/],
  'an operation in the body of a function': [
    field(2, field(2, field(2, field(1, field(3, field(2, 'EagerPyFunc')))))),
    'suspicious',
    /`EagerPyFunc`/,
  ],
  'a graph after a group, which protocol buffers skip': [
    Buffer.concat([GROUP, field(2, GROUP, field(2, node('ReadFile')))]),
    'suspicious',
    /`ReadFile`/,
  ],
  'only computing operations': [field(2, field(2, node('MatMul'))), 'needs-trust', /contains a program/],
  'a Lambda layer in the description of an object': [
    field(2, field(7, field(1, field(4, field(3, '{"class_name":"Lambda","config":{"function_type":"lambda"}}'))))),
    'needs-trust',
    /Lambda layer: Keras 2 runs it/,
  ],
};

for (const [name, [content, verdict, reason]] of Object.entries(programs))
  test(`a program with ${name}: ${verdict}`, async (t) => {
    const folder = await folderWith(t, { 'model/saved_model.pb': content });
    const { safety } = await readCheckpoint(join(folder, 'model'));
    assert.equal(safety.verdict, verdict, safety.reason);
    assert.match(safety.reason, reason);
  });

test('a Lambda layer in Keras 2 metadata needs trust, a program that is cut off is a problem', async (t) => {
  const lambda = '{"class_name":"Lambda","config":{"function_type":"lambda"}}';
  const whole = field(2, field(2, node('MatMul')));
  const folder = await folderWith(t, {
    'lambda/saved_model.pb': whole,
    'lambda/keras_metadata.pb': field(1, field(5, lambda)),
  });
  assert.equal((await readCheckpoint(join(folder, 'lambda'))).safety.verdict, 'needs-trust');
  cpSync(join(FIXTURES, 'tensorflow/module'), join(folder, 'cut'), { recursive: true });
  const program = join(folder, 'cut/saved_model.pb');
  truncateSync(program, readFileSync(program).length - 20);
  const { problems } = await readCheckpoint(join(folder, 'cut'));
  assert.deepEqual(problems, ["Not checked: its program is damaged or exceeds GPU Doctor's size limit."]);
});

test("a checkpoint is found by TensorFlow's name for it", async () => {
  const byIndex = await readCheckpoint(join(FIXTURES, 'tensorflow/ckpt-1.index'));
  assert.deepEqual(byIndex, await readCheckpoint(join(FIXTURES, 'tensorflow/ckpt-1')));
  await assert.rejects(readCheckpoint(join(FIXTURES, 'tensorflow/ckpt-2')), { code: 'ENOENT' });
});

test('missing parts of a copy are reported', async (t) => {
  const folder = await folderWith(t, {});
  const copy = (name: string) => cpSync(join(FIXTURES, 'tensorflow', name), join(folder, name), { recursive: true });
  const problemsOf = async (name: string) => (await readCheckpoint(join(folder, name))).problems;
  copy('ckpt-1.index');
  assert.deepEqual(await problemsOf('ckpt-1'), ['The file `ckpt-1.data-00000-of-00001` next to the index is missing.']);
  copy('ckpt-1.data-00000-of-00001');
  truncateSync(join(folder, 'ckpt-1.data-00000-of-00001'), 20);
  assert.match((await problemsOf('ckpt-1')).join(), /is cut off: \d+ bytes are missing/);
  copy('module');
  rmSync(join(folder, 'module/variables/variables.index'));
  assert.match((await problemsOf('module')).join(), /`variables\/variables.index` is missing/);
  rmSync(join(folder, 'module/variables'), { recursive: true });
  assert.match((await problemsOf('module')).join(), /The folder `variables` is missing/);
});
