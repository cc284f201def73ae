/** Programs for other runtimes, compared with the results of their own libraries. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import { readBytes, readCheckpoint } from '../../server/src/checkpoint/read.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const fixture = (name: string) => join(FIXTURES, 'programs', name);

type Expected = Record<string, [name: string, dtype: string, shape: number[]][]>;
const expectedIn = (name: string): Expected => JSON.parse(readFileSync(join(FIXTURES, name), 'utf8'));

for (const [name, weights] of Object.entries(expectedIn('programs.json')))
  test(`the weights of ${name} are those that its library reads, without problems`, async () => {
    const checkpoint = await readCheckpoint(fixture(name));
    assert.equal(checkpoint.format, 'onnx');
    assert.deepEqual(
      checkpoint.tensors.map(({ name, dtype, shape }) => [name, dtype, shape]),
      weights,
    );
    assert.deepEqual(checkpoint.problems, []);
    assert.equal(checkpoint.safety.verdict, 'no-code');
  });

test('weights of an ONNX model in constants and subgraphs are listed, settings are not', async () => {
  const { tensors, about, onnx } = await readCheckpoint(fixture('subgraphs.onnx'));
  assert.deepEqual(
    tensors.map(({ name, dtype, shape }) => [name, dtype, shape]),
    [
      ['weight', 'float32', [3, 4]],
      ['table', 'int64', [300, 40]],
      ['else_shift', 'float32', [4]],
      ['else_bias', 'float32', [4]],
      ['then_shift', 'float32', [4]],
      ['then_bias', 'float32', [4]],
    ],
  );
  assert.deepEqual(about, ['IR version 8, opset 17, 11 nodes, 6 of them in subgraphs.']);
  assert.deepEqual(onnx?.inputs, [
    { name: 'x', dtype: 'float32', shape: ['batch', 3] },
    { name: 'flag', dtype: 'bool', shape: [] },
  ]);
  assert.deepEqual(onnx?.outputs, [
    { name: 'y', dtype: 'float32', shape: ['batch', 4] },
    { name: 'table', dtype: 'int64', shape: [300, 40] },
  ]);
});

test('an ONNX input without a type, a shape or a tensor is still listed', async () => {
  const input = (...parts: Buffer[]) => field(11, field(1, 'x'), ...parts);
  const inputOf = async (...parts: Buffer[]) =>
    (await readBytes(inMemory(onnx(field(7, field(1, onnxNode('Add', '')), input(...parts)))))).onnx?.inputs;
  assert.deepEqual(await inputOf(), [{ name: 'x', dtype: 'unknown' }]);
  assert.deepEqual(await inputOf(field(2, field(4, field(1, '')))), [{ name: 'x', dtype: 'sequence' }]);
  assert.deepEqual(await inputOf(field(2, field(1, Buffer.from([8, 1])))), [{ name: 'x', dtype: 'float32' }]);
  const anySize = field(2, field(1, Buffer.from([8, 99]), field(2, field(1, ''))));
  assert.deepEqual(await inputOf(anySize), [{ name: 'x', dtype: 'type 99', shape: [null] }]);
});

test('an ONNX model lists its versions, external weights and foreign operators', async () => {
  const about = async (name: string) => (await readCheckpoint(fixture(name))).about;
  assert.deepEqual(await about('torch.onnx'), ['IR version 9, opset 20, 3 nodes.']);
  assert.deepEqual(await about('external/model.onnx'), [
    'IR version 10, opset 21, 2 nodes.',
    'Some of its weights are in `weights.data`.',
  ]);
  assert.deepEqual(await about('custom.onnx'), [
    'IR version 8, opset 17 and 1 of `com.example`, one node.',
    'Its operators `Twist` from `com.example` are not part of ONNX Runtime: the program must register them.',
  ]);
});

test('missing, truncated and misplaced weights of an ONNX model are problems', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gpu-doctor-onnx-'));
  const model = readFileSync(fixture('external/model.onnx'));
  await writeFile(join(folder, 'model.onnx'), model);
  const problems = async () => (await readCheckpoint(join(folder, 'model.onnx'))).problems;
  assert.deepEqual(await problems(), [
    'Its weights are in `weights.data`, which is missing: put that file next to the model.',
  ]);
  await writeFile(join(folder, 'weights.data'), Buffer.alloc(30));
  assert.deepEqual(await problems(), ['Its weights are in `weights.data`, which is 2 bytes too short.']);
  await writeFile(join(folder, 'weights.data'), Buffer.alloc(32));
  assert.deepEqual(await problems(), []);
  // As long as the original name.
  await writeFile(
    join(folder, 'model.onnx'),
    Buffer.from(model.toString('latin1').replaceAll('weights.data', '../../passwd'), 'latin1'),
  );
  assert.match((await problems()).join(), /`\.\.\/\.\.\/passwd`, which is outside its folder/);
});

test('programs that are cut off are reported', async () => {
  const content = readFileSync(fixture('torch.onnx'));
  const { format, problems } = await readBytes(inMemory(content.subarray(0, -200)));
  assert.equal(format, 'onnx');
  assert.match(problems.join(), /cut off/);
});

test('models for TensorFlow Lite and Core ML are not checked, even if they are cut off', async () => {
  for (const name of ['plain.tflite', 'flex.tflite', 'network.mlmodel']) {
    const content = readFileSync(name.endsWith('.mlmodel') ? join(FIXTURES, 'models', name) : fixture(name));
    for (const length of [content.length, content.length - 200, 100, 40, 10]) {
      const { format, safety, problems } = await readBytes(inMemory(content.subarray(0, length)));
      assert.notEqual(format, 'onnx');
      assert.equal(safety.verdict, 'not-checked', `${name}, ${length} bytes`);
      if (name.endsWith('.tflite'))
        assert.deepEqual(problems, ['It is a TensorFlow Lite model, which is not checked.']);
      else assert.equal(problems.length, 1);
    }
  }
  const { safety, problems } = await readCheckpoint(join(FIXTURES, 'models', 'program.mlpackage'));
  assert.deepEqual([safety.verdict, problems.length], ['not-checked', 1]);
});

test('a ZIP file appended to a TensorFlow Lite model is inspected', async () => {
  const { format, safety } = await readCheckpoint(fixture('harmful.tflite'));
  assert.deepEqual([format, safety.verdict], ['tflite', 'dangerous']);
});

const varint = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >> 7)]);
/** Encodes a field of a protocol buffer message. */
const field = (number: number, ...parts: (string | Buffer)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(content.length)]), content]);
};
const onnxNode = (type: string, domain: string, ...attributes: Buffer[]) =>
  Buffer.concat([
    field(4, type),
    field(7, domain),
    ...attributes.map((attribute) => field(5, field(1, 'a'), attribute)),
  ]);
const onnx = (...parts: Buffer[]) => Buffer.concat([Buffer.from([8, 8]), field(2, 'test'), ...parts]);

const onnxModels: Record<string, readonly [content: Buffer, verdict: string, reason: RegExp]> = {
  'operators of ONNX and of the runtime': [
    onnx(field(7, field(1, onnxNode('Add', '')), field(1, onnxNode('FusedMatMul', 'com.microsoft')))),
    'no-code',
    /ONNX Runtime only computes/,
  ],
  'other metadata': [
    onnx(field(7, field(1, onnxNode('Add', ''))), field(14, field(1, 'author'), field(2, 'ort_config'))),
    'no-code',
    /ONNX Runtime only computes/,
  ],
  'settings of a session': [
    onnx(field(7, field(1, onnxNode('Add', ''))), field(14, field(2, '{}'), field(1, 'ort_config'))),
    'needs-trust',
    /`ort_config`/,
  ],
  'a program for a device': [
    onnx(field(7, field(1, onnxNode('EPContext', 'com.microsoft')))),
    'needs-trust',
    /`EPContext`/,
  ],
  'two operators in a node, the last one for a device': [
    onnx(field(7, field(1, onnxNode('Add', ''), onnxNode('EPContext', 'com.microsoft')))),
    'needs-trust',
    /`EPContext`/,
  ],
  'two operators in a node, the first one for a device': [
    onnx(field(7, field(1, onnxNode('EPContext', 'com.microsoft'), onnxNode('Add', '')))),
    'not-checked',
    /more than one operator/,
  ],
  'two operators in a node with long constants': [
    onnx(
      field(
        7,
        field(
          1,
          field(7, 'com.microsoft'),
          field(4, 'EPContext'),
          field(5, field(1, Buffer.alloc(20_000, 'a'))),
          field(4, 'Gelu'),
        ),
      ),
    ),
    'not-checked',
    /more than one operator/,
  ],
  'one in a branch': [
    onnx(field(7, field(1, onnxNode('If', '', field(6, field(1, onnxNode('PythonOp', 'com.microsoft'))))))),
    'needs-trust',
    /`PythonOp`/,
  ],
  'one in a function, after a long constant': [
    onnx(
      field(7, field(1, onnxNode('Add', ''))),
      field(
        25,
        field(10, 'own'),
        field(
          7,
          field(5, field(1, Buffer.alloc(16_000, 'a'))),
          field(6, Buffer.alloc(300, 'a')),
          onnxNode('EPContext', 'com.microsoft'),
        ),
      ),
    ),
    'needs-trust',
    /`EPContext`/,
  ],
  'endlessly nested branches': [
    onnx(
      field(
        7,
        Array.from({ length: 30 }).reduce<Buffer>(
          (inner) => field(1, onnxNode('If', '', field(6, inner))),
          field(1, ''),
        ),
      ),
    ),
    'not-checked',
    /more parts than GPU Doctor can read/,
  ],
};

for (const [name, [content, verdict, reason]] of Object.entries(onnxModels))
  test(`an ONNX model with ${name}: ${verdict}`, async () => {
    const { format, safety } = await readBytes(inMemory(content));
    assert.equal(format, 'onnx');
    assert.equal(safety.verdict, verdict, safety.reason);
    assert.match(safety.reason, reason);
  });
