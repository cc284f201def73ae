/** Contents of joblib files, compared with what was written into them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { createBudget } from '../../server/src/checkpoint/budget.ts';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import { readBytes, readCheckpoint } from '../../server/src/checkpoint/read.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const fixture = (name: string) => join(FIXTURES, 'joblib', name);
/** A pickle that runs a program. */
const EVIL = Buffer.from("cposix\nsystem\n(S'id'\ntR.");

const expected: Record<string, [name: string, dtype: string, shape: number[]][]> = JSON.parse(
  readFileSync(join(FIXTURES, 'joblib.json'), 'utf8'),
);

for (const [name, arrays] of Object.entries(expected))
  test(`the arrays of ${name} are skipped and listed`, async () => {
    const { format, compression, tensors, safety, problems } = await readCheckpoint(fixture(name));
    assert.equal(format, 'joblib');
    assert.equal(compression?.toLowerCase(), name.startsWith('protocol') ? undefined : name.replace('.joblib', ''));
    assert.deepEqual(
      tensors.map(({ name, dtype, shape }) => [name, dtype, shape]),
      arrays,
    );
    assert.equal(safety.verdict, 'refused', safety.reason);
    assert.deepEqual(problems, []);
  });

test("the behavior of another library's class is unknown", async () => {
  const { safety, problems, tensors } = await readCheckpoint(fixture('scikit.joblib'));
  assert.equal(safety.verdict, 'needs-trust');
  assert.match(
    safety.reason,
    /it imports `sklearn\.linear_model\._logistic\.LogisticRegression` \(STACK_GLOBAL at byte/,
  );
  assert.doesNotMatch([safety.reason, ...problems].join(), /weights_only/);
  assert.deepEqual(
    tensors.map(({ name }) => name),
    ['classes_', 'n_iter_', 'coef_', 'intercept_'],
  );
});

for (const [name, where] of [
  ['behind', 'behind an array'],
  ['objects', 'in an array of objects'],
  ['content', 'in the content of an array, where only `pickle.load` sees it'],
])
  test(`a payload is found ${where}`, async () => {
    const { safety } = await readCheckpoint(fixture(`${name}.joblib`));
    assert.equal(safety.verdict, 'dangerous');
    assert.match(safety.reason, /`(os|posix)\.system`/);
  });

test('an array description with its own method is not trusted', async () => {
  const { safety } = await readCheckpoint(fixture('method.joblib'));
  assert.equal(safety.verdict, 'suspicious');
});

test('a file that is cut off or longer than its pickle is not called harmless', async () => {
  const content = readFileSync(fixture('protocol4.joblib'));
  for (const changed of [content.subarray(0, 700), content.subarray(0, -1), Buffer.concat([content, content])]) {
    const { safety } = await readBytes(inMemory(changed));
    assert.equal(safety.verdict, 'not-checked');
  }
});

test('joblib compressions that are not supported are named, with any preset', async () => {
  const size = Buffer.alloc(8, 0xff);
  for (const dictionary of ['00000100', '00004000', '00008000', '00000004']) {
    const head = Buffer.concat([Buffer.from(`5d${dictionary}`, 'hex'), size, Buffer.alloc(40, 7)]);
    assert.match((await readBytes(inMemory(head))).problems.join(), /compressed with lzma/);
  }
});

/** A TensorFlow index whose only block follows `before` and whose index follows `between`. */
function indexAfter(before: Buffer, between = Buffer.alloc(0), padding = 0): Buffer {
  const block = (key: string, value: readonly number[]) => {
    const entry = Buffer.from([0, key.length, value.length, ...Buffer.from(key), ...value]);
    return Buffer.concat([entry, Buffer.from([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])]);
  };
  const empty = Buffer.from([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  const content = block('', [8, 0]);
  const index = block('z', [before.length, content.length - 5]);
  const meta = before.length + content.length + between.length;
  const footer = Buffer.alloc(48, 0);
  footer.set([meta, empty.length - 5, meta + empty.length, index.length - 5]);
  footer[39] = padding;
  footer.set(Buffer.from('57fb808b247547db', 'hex'), 40);
  return Buffer.concat([before, content, between, empty, index, footer]);
}

test('data that joblib treats as compressed is never the harmless index of a TensorFlow checkpoint', async () => {
  const verdictOf = async (content: Buffer) => (await readBytes(inMemory(content))).safety.verdict;
  assert.equal(await verdictOf(indexAfter(Buffer.alloc(0))), 'no-code');
  const sizes = { known: Buffer.from([44, 0, 0, 0, 0, 0, 0, 0]), unknown: Buffer.alloc(8, 0xff) };
  const beginnings: Readonly<Record<string, Buffer>> = {
    ZF: Buffer.concat([Buffer.from('ZF0x2c'.padEnd(21)), deflateSync(EVIL)]),
    'wider ZF': Buffer.concat([Buffer.from('ZF0x2c'.padEnd(22)), deflateSync(EVIL)]),
    'lzma of a known size': Buffer.concat([Buffer.from('5d00008000', 'hex'), sizes.known, Buffer.alloc(20)]),
    lzma: Buffer.concat([Buffer.from('5d00008000', 'hex'), sizes.unknown, Buffer.alloc(20)]),
    bzip2: Buffer.from('BZh91AY&SY'),
    xz: Buffer.from('fd377a585a000004', 'hex'),
  };
  for (const [name, beginning] of Object.entries(beginnings)) {
    const { format, safety } = await readBytes(inMemory(indexAfter(beginning)));
    assert.deepEqual([format, safety.verdict], ['compressed', 'not-checked'], name);
  }
  assert.equal(await verdictOf(indexAfter(deflateSync(EVIL))), 'dangerous');
});

test('bytes of a TensorFlow index outside its blocks are not ignored', async () => {
  for (const table of [
    indexAfter(Buffer.from('any')),
    indexAfter(Buffer.alloc(0), Buffer.from('any')),
    indexAfter(Buffer.alloc(0), Buffer.alloc(0), 1),
  ]) {
    const { format, safety } = await readBytes(inMemory(table));
    assert.deepEqual([format, safety.verdict], ['tensorflow-checkpoint', 'not-checked']);
  }
});

test('texts and headers that begin like joblib compressions are not mistaken for them', async () => {
  const header = Buffer.from('{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'.padEnd(0x5d));
  const weights = Buffer.concat([Buffer.from([0x5d, 0, 0, 0, 0, 0, 0, 0]), header, Buffer.alloc(4)]);
  assert.deepEqual((await readBytes(inMemory(weights))).safety.verdict, 'no-code');
  assert.equal(
    (await readBytes(inMemory(Buffer.from('ZF is the name of a company in Friedrichshafen.')))).format,
    'text',
  );
});

test('an LZ4 joblib file is not checked, even if it is cut off or contains a pickle that runs a program', async () => {
  const packed = readFileSync(fixture('lz4.joblib'));
  for (const content of [packed, packed.subarray(0, -9), packed.subarray(0, 8), Buffer.concat([packed, EVIL])]) {
    const { safety, problems } = await readBytes(inMemory(content));
    assert.equal(safety.verdict, 'not-checked');
    assert.match(problems.join(), /^It is compressed with LZ4, which `joblib\.load` decompresses automatically/);
  }
});

test('decompressed data is counted before memory is allocated', async () => {
  // A hundredth of the usual limits: less than two megabytes.
  const read = (packed: Buffer) => readBytes(inMemory(packed), undefined, createBudget(0.01));
  for (const pack of [gzipSync, deflateSync]) {
    const bomb = await read(pack(Buffer.alloc(3_000_000)));
    assert.match(bomb.safety.reason, /takes more work/);
    assert.equal((await read(pack(EVIL))).safety.verdict, 'dangerous');
  }
});

for (const library of ['dill', 'cloudpickle'])
  test(`the output of ${library} is recognized and contains code`, async () => {
    const { writtenBy, about, safety } = await readCheckpoint(join(FIXTURES, 'functions', `${library}.pkl`));
    assert.equal(writtenBy, library);
    assert.match(about?.join() ?? '', /only in the Python version that wrote it/);
    assert.equal(safety.verdict, 'dangerous');
  });
