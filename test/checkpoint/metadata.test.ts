/** Metadata next to the tensors, in each format that has it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import { aboutTypes } from '../../server/src/checkpoint/formats/gguf/fileTypes.ts';
import { numberIn } from '../../server/src/checkpoint/numbers.ts';
import { readBytes, readCheckpoint } from '../../server/src/checkpoint/read.ts';

type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };

/** Plain data in protocol 0. */
function pickled(value: Plain): string {
  if (value === null) return 'N';
  if (typeof value === 'boolean') return `I0${Number(value)}\n`;
  if (typeof value === 'number') return Number.isInteger(value) ? `I${value}\n` : `F${value}\n`;
  if (typeof value === 'string') return `V${value}\n`;
  if (Array.isArray(value)) return `(l${value.map((item: Plain) => `${pickled(item)}a`).join('')}`;
  const entries = Object.entries(value).map(([key, item]) => `${pickled(key)}${pickled(item)}s`);
  return `(d${entries.join('')}`;
}

async function inPickle(text: string) {
  const { metadata } = await readBytes(inMemory(Buffer.from(`${text}.`)));
  return metadata?.map(({ name, value, length }) => (length === undefined ? [name, value] : [name, value, length]));
}

const inFile = async (name: string) =>
  (await readCheckpoint(join(import.meta.dirname, 'fixtures', name))).metadata?.map(({ name, value }) => [name, value]);

test('scalars and lists in a pickle are named by their path', async () => {
  const args = `cargparse\nNamespace\n(tR${pickled({ lr: 0.1, sizes: [1, 2], resume: null, fp16: true })}b`;
  assert.deepEqual(await inPickle(`(d${pickled('epoch')}I3\ns${pickled('args')}${args}s`), [
    ['epoch', 3],
    ['args.lr', 0.1],
    ['args.sizes', [1, 2]],
    ['args.resume', null],
    ['args.fp16', true],
  ]);
});

test('values that JSON lacks are strings', async () => {
  assert.deepEqual(
    await inPickle(`(d${pickled('a')}Finf\ns${pickled('b')}Fnan\ns${pickled('c')}L9007199254740993L\ns`),
    [
      ['a', 'inf'],
      ['b', 'nan'],
      ['c', '9007199254740993'],
    ],
  );
});

test('long lists, texts and vocabularies are truncated, with their length', async () => {
  const words = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`w${index}`, index]));
  const found = await inPickle(pickled({ losses: Array(50).fill(1), text: 'x'.repeat(3000), words }));
  assert.deepEqual(found, [
    ['losses', Array(10).fill(1), 50],
    ['text', 'x'.repeat(1000), 3000],
    ['words', Array.from({ length: 10 }, (_, index) => `w${index}: ${index}`), 300],
  ]);
});

test('numbers in tensors and NumPy scalars are values', async () => {
  assert.deepEqual(await inFile('recent/values.pt'), [
    ['loss', 0.3125],
    ['rate', 0.25],
    ['steps', -7],
    ['best', 76.125],
    ['half', 0.5],
    ['count', 2 ** 40],
    ['done', true],
    ['last', 3],
  ]);
});

test('numbers of every type are read in both byte orders', () => {
  const read = (dtype: string, hex: string, isBig = false) => numberIn(Buffer.from(hex, 'hex'), dtype, isBig);
  assert.equal(read('float16', '003c'), 1);
  assert.equal(read('float16', '00fc'), Number.NEGATIVE_INFINITY);
  assert.equal(read('float16', '0100'), 2 ** -24);
  assert.ok(Number.isNaN(read('float16', '017e')));
  assert.equal(read('bfloat16', '803f'), 1);
  assert.equal(read('int16', 'fffe', true), -2);
  assert.equal(read('int64', 'ffffffffffffff7f'), 2n ** 63n - 1n);
  assert.equal(read('float64', '0000'), undefined, 'bytes are missing');
  assert.equal(read('complex64', '0000000000000000'), undefined);
  assert.equal(read('constructor', '00'), undefined);
});

test('internal attributes and the additions of wrappers to names are omitted', async () => {
  const found = await inPickle(
    pickled({ conf: { _content: { lr: { _val: 0.5, _parent: 'x' } }, _flags: { a: 1 } }, _metadata: { b: 2 } }),
  );
  assert.deepEqual(found, [['conf.lr', 0.5]]);
});

test("an optimizer's settings are listed, but not the state of each parameter", async () => {
  const optimizer = { state: { 0: { step: 7 } }, param_groups: [{ lr: 0.01, params: [0, 1] }] };
  assert.deepEqual(await inPickle(pickled({ optimizer })), [['optimizer.param_groups.0.lr', 0.01]]);
});

test('a huge pickle has limited metadata', async () => {
  const entries = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, { a: index }]));
  assert.equal((await inPickle(pickled(entries)))?.length, 1000);
});

test('keys of GGUF, safetensors and Keras', async () => {
  assert.deepEqual(await inFile('others/tiny.gguf'), [
    ['general.architecture', 'llama'],
    ['tokenizer.ggml.tokens', ['<s>', 'a', 'b']],
    ['llama.context_length', 128],
  ]);
  assert.deepEqual(await inFile('others/kinds.safetensors'), [['format', 'pt']]);
  assert.deepEqual((await inFile('keras/plain.keras'))?.[0], ['keras_version', '3.15.1']);
  const compiled = new Map((await inFile('keras/model.h5')) as [string, unknown][]);
  assert.equal(compiled.get('training_config.loss'), 'mse');
  assert.equal(compiled.get('training_config.optimizer_config.class_name'), 'Adam');
  assert.ok(!compiled.has('model_config'));
});

test('an object that represents a joblib array describes its bytes, not the model', async () => {
  const names = (await inFile('joblib/scikit.joblib'))?.map(([name]) => name) ?? [];
  assert.ok(names.includes('max_iter'));
  for (const inner of ['subclass', 'order', 'allow_mmap', 'numpy_array_alignment_bytes'])
    assert.ok(!names.some((name) => String(name).endsWith(inner)), inner);
});

test('GGUF types are described in words', () => {
  const tensors = [
    { name: 'blk.0.attn_q.weight', dtype: 'q4_k', shape: [256, 4], bytes: 576 },
    { name: 'output_norm.weight', dtype: 'float32', shape: [4], bytes: 16 },
  ];
  assert.equal(
    aboutTypes(15, tensors),
    'Its weights are Q4_K_M: mostly q4_k (K-quants: integers in blocks of 256 with their own scales), 4.61 bits per weight on average.',
  );
  assert.match(aboutTypes(undefined, tensors) ?? '', /^Its weights are mostly q4_k \(/);
  assert.match(
    aboutTypes(999, [{ name: 'a', dtype: 'type 77', shape: [8], bytes: 8 }]) ?? '',
    /^Its weights are mostly type 77, 8 bits/,
  );
  assert.equal(aboutTypes(15, []), undefined);
});

test('every value type of GGUF', async () => {
  const number = (size: number, write: (bytes: Buffer) => void) => {
    const bytes = Buffer.alloc(size);
    write(bytes);
    return bytes;
  };
  const u32 = (value: number) => number(4, (bytes) => bytes.writeUInt32LE(value));
  const u64 = (value: number | bigint) => number(8, (bytes) => bytes.writeBigUInt64LE(BigInt(value)));
  const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
  const values: [type: number, bytes: Buffer, expected: unknown][] = [
    [0, Buffer.from([200]), 200],
    [1, Buffer.from([200]), -56],
    [2, number(2, (bytes) => bytes.writeUInt16LE(40_000)), 40_000],
    [3, number(2, (bytes) => bytes.writeInt16LE(-2)), -2],
    [4, u32(4_000_000_000), 4_000_000_000],
    [5, number(4, (bytes) => bytes.writeInt32LE(-3)), -3],
    [6, number(4, (bytes) => bytes.writeFloatLE(1e-5)), 1e-5],
    [7, Buffer.from([1]), true],
    [8, text('name'), 'name'],
    [9, Buffer.concat([u32(5), u64(2), u32(1), u32(2)]), [1, 2]],
    [10, u64(2n ** 63n), '9223372036854775808'],
    [11, number(8, (bytes) => bytes.writeBigInt64LE(-5n)), -5],
    [12, number(8, (bytes) => bytes.writeDoubleLE(0.1)), 0.1],
  ];
  const entries = values.map(([type, bytes]) => Buffer.concat([text(`k${type}`), u32(type), bytes]));
  const head = [Buffer.from('GGUF'), u32(3), u64(0), u64(entries.length)];
  const { metadata, problems } = await readBytes(inMemory(Buffer.concat([...head, ...entries])));
  assert.deepEqual(problems, []);
  assert.deepEqual(
    metadata?.map(({ value }) => value),
    values.map(([, , expected]) => expected),
  );
});
