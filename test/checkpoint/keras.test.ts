/** Contents of Keras models and HDF5 files, compared with those that h5py finds. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Dataset, File, FS, ready } from 'h5wasm';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import type { SafetyVerdict } from '../../server/src/checkpoint/checkpoint.ts';
import { readBytes, readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { zipWith } from './archiveWriter.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

interface Expected {
  readonly writtenBy: string | null;
  readonly holds: 'model' | 'weights' | null;
  readonly tensors: readonly (readonly [name: string, dtype: string, shape: readonly number[]])[];
}

const expected: Record<string, Expected> = JSON.parse(readFileSync(join(FIXTURES, 'keras.json'), 'utf8'));
const verdicts: Record<string, SafetyVerdict> = {
  'lambda.keras': 'needs-trust',
  'lambda.h5': 'needs-trust',
  'keras2_lambda.h5': 'needs-trust',
  'outside.h5': 'suspicious',
  'external.h5': 'suspicious',
};

for (const [name, { writtenBy, holds, tensors }] of Object.entries(expected))
  test(`${name} has the contents that h5py reports`, async () => {
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

test('links that lead out of the file are reported', async () => {
  const { problems } = await readCheckpoint(join(FIXTURES, 'keras/outside.h5'));
  assert.match(problems.join(), /`layers\/dense\/vars\/0 -> \.\.\/\.\.\/secret\.h5`/);
  assert.match(problems.join(), /`layers\/dense\/vars\/1 -> other\.h5`/);
});

test('links that lead to themselves or nowhere are not damage', async () => {
  await ready;
  const file = new File('/links.h5', 'w');
  file.create_dataset({ name: 'kernel', data: new Float32Array(3) });
  const links = { alias: '/kernel', itself: '/itself', there: '/back', back: '/there', nowhere: '/gone' };
  for (const [name, target] of Object.entries(links)) file.create_soft_link(target, name);
  file.close();
  const bytes = Buffer.from(FS?.readFile('/links.h5') as Uint8Array);
  const { tensors, problems, safety } = await readBytes(inMemory(bytes));
  assert.deepEqual([tensors.map(({ name }) => name), problems, safety.verdict], [['kernel'], [], 'no-code']);
});

/** Returns an HDF5 file with the attributes and datasets that `write` adds. */
async function hdf5With(write: (file: File) => void): Promise<Buffer> {
  await ready;
  const file = new File('/written.h5', 'w');
  file.create_dataset({ name: 'kernel', data: new Float32Array(3) });
  write(file);
  file.close();
  return Buffer.from(FS?.readFile('/written.h5') as Uint8Array);
}

/**
 * A value that the first version of PyTables reads as a tuple of two texts, unless it renames the module in the first
 * one.
 */
const renamed = (module: string) => {
  const first = `(c${module}\nNU\x02`;
  const second = `U${String.fromCharCode(EVIL.length)}${EVIL}`;
  return `U${String.fromCharCode(first.length)}${first}${second}\x86.`;
};
/** Packs bytes into as many whole numbers as they fill. */
const filling = (value: string) => new Uint8Array(Buffer.from(value.padEnd(Math.ceil(value.length / 8) * 8, '\0')));
const markHickle = (file: File) => file.create_attribute('HICKLE_VERSION', '5.0.3', [], 'S5');
const groupsIn = (file: File, count: number) => {
  for (let path = 'g', level = 1; level <= count; level++, path += '/g') file.create_group(path);
};

const EVIL = "cposix\nsystem\n(S'true'\ntR.";
const OWN = 'cmodels\nNet\n)R.';
const PLAIN = '(dp0\nVa\np1\nI1\ns.';
const text = (value: string) => `S${value.length}`;
const bytes = (value: string) => new Uint8Array(Buffer.from(value));

const unpickled: Record<string, readonly [write: (file: File) => void, verdict: SafetyVerdict, reason: RegExp]> = {
  'a text that ends with a period': [
    (file) => file.create_attribute('note', 'Made in 2024. (c) the authors.', [], 'S30'),
    'no-code',
    /HDF5 library/,
  ],
  'a pickle of plain data in an attribute': [
    (file) => file.create_attribute('note', PLAIN, [], text(PLAIN)),
    'no-code',
    /HDF5 library/,
  ],
  'a pickle in an attribute': [
    (file) => file.create_attribute('note', EVIL, [], text(EVIL)),
    'dangerous',
    /PyTables.* unpickle its attribute `note`.*`posix\.system`/,
  ],
  'a pickle in an attribute of a dataset': [
    (file) => (file.get('kernel') as Dataset).create_attribute('note', EVIL, [], text(EVIL)),
    'dangerous',
    /attribute `note`/,
  ],
  'a pickle in an attribute of a group': [
    (file) => file.create_group('a').create_attribute('note', EVIL, [], text(EVIL)),
    'dangerous',
    /attribute `note`/,
  ],
  'a custom object in an attribute': [
    (file) => file.create_attribute('note', OWN, [], text(OWN)),
    'needs-trust',
    /`models\.Net`/,
  ],
  'plain data by PyTables': [
    (file) => {
      file.create_attribute('PYTABLES_FORMAT_VERSION', '2.1', [], 'S3');
      file.create_attribute('info', PLAIN, [], text(PLAIN));
    },
    'not-checked',
    /^Not checked: it has the marks of PyTables, which may unpickle its data/,
  ],
  'bytes that hickle unpickles': [
    (file) => {
      file.create_attribute('HICKLE_VERSION', '5.0.3', [], 'S5');
      file.create_dataset({ name: 'data', data: bytes(EVIL) });
    },
    'not-checked',
    /marks of hickle/,
  ],
  'bytes that an older hickle unpickles': [
    (file) => {
      file.create_attribute('CLASS', 'hickle', [], 'S6');
      file.create_dataset({ name: 'data', data: bytes(EVIL) });
    },
    'not-checked',
    /marks of hickle/,
  ],
  'filters that PyTables rewrites before it unpickles them': [
    (file) => {
      file.create_attribute('PYTABLES_FORMAT_VERSION', '1.6', [], 'S3');
      file.create_attribute('FILTERS', renamed('tables.Leaf'), [], text(renamed('tables.Leaf')));
    },
    'dangerous',
    /attribute `FILTERS`.*`posix\.system`/,
  ],
  'filters that PyTables does not rewrite': [
    (file) => {
      file.create_attribute('PYTABLES_FORMAT_VERSION', '1.6', [], 'S3');
      file.create_attribute('FILTERS', renamed('tables.Leag'), [], text(renamed('tables.Leag')));
    },
    'not-checked',
    /^Not checked: it has the marks of PyTables, which may unpickle its data/,
  ],
  'numbers before the group that hickle marked': [
    (file) => {
      file.create_dataset({ name: 'data', data: new BigInt64Array(filling(EVIL).buffer) });
      markHickle(file.create_group('z') as File);
    },
    'not-checked',
    /marks of hickle/,
  ],
  'weights by hickle': [
    (file) => {
      markHickle(file);
      for (const start of [0, 1, 0.02, -3.5, 1e9]) {
        const data = Float32Array.from({ length: 20_000 }, (_, index) => start * Math.cos(index));
        file.create_dataset({ name: `w${start}`, data });
      }
    },
    'not-checked',
    /^Not checked: it has the marks of hickle, which may unpickle its data/,
  ],
  'groups in 60 levels': [(file) => groupsIn(file, 60), 'not-checked', /groups in more than 50 levels/],
  'groups in 40 levels': [(file) => groupsIn(file, 40), 'no-code', /HDF5 library/],
  'a long text that is not a pickle': [
    (file) => file.create_attribute('note', `{"a": "${'x'.repeat(1_100_000)}."}`, [], 'S1100010'),
    'no-code',
    /HDF5 library/,
  ],
  'a pickle in a long attribute': [
    (file) => file.create_attribute('note', `V${'x'.repeat(1_100_000)}\n0${EVIL}`, [], 'S1100100'),
    'not-checked',
    /attribute `note` is longer/,
  ],
  'bytes that no library unpickles': [
    (file) => file.create_dataset({ name: 'data', data: bytes(EVIL) }),
    'no-code',
    /HDF5 library/,
  ],
  'a nested model with a Lambda layer in its compile configuration': [
    (file) => {
      const model = JSON.stringify({ class_name: 'Sequential', config: { layers: [] } });
      const lambda = { class_name: 'Lambda', config: { function: ['4wEA', null, null], function_type: 'lambda' } };
      const training = JSON.stringify({ loss: { class_name: 'Sequential', config: { layers: [lambda] } } });
      file.create_attribute('model_config', model, [], text(model));
      file.create_attribute('training_config', training, [], text(training));
    },
    'needs-trust',
    /Lambda layer/,
  ],
  'losses by Keras': [
    (file) => {
      const model = JSON.stringify({ class_name: 'Sequential', config: { layers: [] } });
      const training = JSON.stringify({ loss: 'mse', optimizer_config: { class_name: 'Adam', config: {} } });
      file.create_attribute('model_config', model, [], text(model));
      file.create_attribute('training_config', training, [], text(training));
    },
    'no-code',
    /only the names of Keras layers\.$/,
  ],
};

for (const [name, [write, verdict, reason]] of Object.entries(unpickled))
  test(`an HDF5 file with ${name}: ${verdict}`, async () => {
    const { safety, problems, format } = await readBytes(inMemory(await hdf5With(write)));
    assert.equal(format, 'hdf5');
    assert.equal(safety.verdict, verdict, safety.reason);
    assert.match(safety.reason, reason);
    assert.equal(problems.length > 0, verdict !== 'no-code' && verdict !== 'refused');
  });

test('no data of PyTables and hickle is vouched for', async () => {
  for (const path of globSync('unpickled/*.h5', { cwd: FIXTURES })) {
    const { safety } = await readCheckpoint(join(FIXTURES, path));
    assert.equal(safety.verdict, 'not-checked', `${path}: ${safety.reason}`);
  }
});

test('bytes around an HDF5 file are not ignored', async () => {
  const whole = readFileSync(join(FIXTURES, 'keras/model.h5'));
  const behind = await readBytes(inMemory(Buffer.concat([whole, Buffer.from('more')])));
  assert.deepEqual(behind.problems, ['Not checked: it has 4 bytes after its end.']);
  const block = readFileSync(join(FIXTURES, 'keras/userblock.h5'));
  block.write('#!/bin/sh', 0);
  const before = await readBytes(inMemory(block));
  assert.deepEqual(before.problems, ['Not checked: it has other data before its start.']);
});

test('an HDF5 file that is cut off is reported', async () => {
  const whole = readFileSync(join(FIXTURES, 'keras/model.h5'));
  const { safety, problems } = await readBytes(inMemory(whole.subarray(0, 3000)));
  assert.equal(safety.verdict, 'not-checked');
  assert.deepEqual(problems, ['It could not be read: it is damaged or cut off.']);
});

test('the result for a file does not depend on files read before, during or after', async () => {
  const model = readFileSync(join(FIXTURES, 'keras/model.h5'));
  const cutOff = model.subarray(0, 3000);
  const read = async (bytes: Buffer) => {
    const { tensors, safety } = await readBytes(inMemory(bytes));
    return [tensors.length, safety.verdict];
  };
  const [whole, damaged] = [await read(model), await read(cutOff)];
  for (const bytes of [cutOff, model, cutOff, cutOff, model, model])
    assert.deepEqual(await read(bytes), bytes === model ? whole : damaged);
  const beside = await Promise.all([model, cutOff, model, model].map(read));
  assert.deepEqual(beside, [whole, damaged, whole, whole]);
  assert.notDeepEqual(whole, damaged);
});

test('the inspection of a file on which the library hangs is stopped', async () => {
  // Found by the fuzzer: version 2.0.0 of the library loops forever on it.
  const { safety, problems } = await readCheckpoint(join(FIXTURES, 'damaged/hangs_the_library.h5'));
  assert.equal(safety.verdict, 'not-checked');
  assert.deepEqual(problems, ['Not checked: the HDF5 library fails on it, or needs too much time or memory.']);
});

/** Names in a model's configuration, in a Keras archive. */
const configured = (configuration: object) =>
  readBytes(
    inMemory(
      zipWith([
        { name: 'metadata.json', content: Buffer.from('{"keras_version":"3.10.0"}') },
        { name: 'config.json', content: Buffer.from(JSON.stringify(configuration)) },
        { name: 'model.weights.h5', content: readFileSync(join(FIXTURES, 'keras/model.weights.h5')) },
      ]),
    ),
  );
const dense = { module: 'keras.layers', class_name: 'Dense', config: { units: 1 }, registered_name: null };
const layers = (...each: object[]) => ({ module: 'keras', class_name: 'Sequential', config: { layers: each } });

const configurations: Record<string, [object, SafetyVerdict, RegExp]> = {
  'Keras layers': [layers(dense), 'no-code', /only the names of Keras layers\.$/],
  'a class of `__main__`, which has no module': [
    layers(dense, { module: null, class_name: 'Gate', config: {}, registered_name: 'Gate' }),
    'no-code',
    /`Gate`, which the program that loads it must define/,
  ],
  'a registered class': [
    layers({ module: null, class_name: 'Gate', config: {}, registered_name: 'mine>Gate' }),
    'no-code',
    /`mine>Gate`/,
  ],
  'a class without a module, as Keras 2 writes it': [
    {
      class_name: 'Sequential',
      config: [
        { class_name: 'Dense', config: {} },
        { class_name: 'Gate', config: {} },
      ],
    },
    'no-code',
    /`Gate`/,
  ],
  'words from a file': [
    layers({ module: 'keras.layers', class_name: 'StringLookup', config: { vocabulary: '/etc/passwd' } }),
    'suspicious',
    /reads `\/etc\/passwd`/,
  ],
  'words in a list': [
    layers({ module: 'keras.layers', class_name: 'StringLookup', config: { vocabulary: ['a'] } }),
    'no-code',
    /only the names of Keras layers\.$/,
  ],
  'a Lambda layer deep inside': [
    layers({
      module: 'keras.layers',
      class_name: 'TimeDistributed',
      config: {
        layer: layers({ class_name: 'Lambda', config: { function: { class_name: '__lambda__', config: {} } } }),
      },
    }),
    'needs-trust',
    /Lambda layer/,
  ],
  'a TensorFlow function that writes files': [
    layers({ class_name: 'TFOpLambda', config: { name: 'x', function: 'io.write_file' } }),
    'suspicious',
    /`io.write_file`/,
  ],
  'an unknown TensorFlow function': [
    layers({ class_name: 'TFOpLambda', config: { name: 'x', function: 'experimental.dlpack.from_dlpack' } }),
    'needs-trust',
    /`experimental.dlpack.from_dlpack`/,
  ],
  'a Keras function that downloads, as a TensorFlow function': [
    layers({ class_name: 'TFOpLambda', config: { name: 'x', function: 'keras.utils.get_file' } }),
    'suspicious',
    /`keras.utils.get_file`/,
  ],
  'TensorFlow functions under older names': [
    layers(
      { class_name: 'TFOpLambda', config: { name: 'x', function: 'compat.v1.transpose' } },
      { class_name: 'SlicingOpLambda', config: { name: 'x', function: '__operators__.getitem' } },
      { class_name: 'TensorFlowOpLayer', config: { node_def: { name: 'a', op: 'AddV2' } } },
      { class_name: 'InstanceMethod', config: { method_name: 'with_values' } },
    ),
    'no-code',
    /only the names of Keras layers\.$/,
  ],
  'an operation that writes files': [
    layers({ class_name: 'TensorFlowOpLayer', config: { node_def: '{"name": "a", "op": "WriteFile"}' } }),
    'needs-trust',
    /`WriteFile`/,
  ],
  'a method of a TensorFlow class': [
    layers({ class_name: 'ClassMethod', config: { cls_symbol: 'io.TFRecordWriter', method_name: 'write' } }),
    'needs-trust',
    /`io.TFRecordWriter.write`/,
  ],
  'a path through attributes': [
    layers({ class_name: 'InstanceProperty', config: { attr_name: '__class__' } }),
    'suspicious',
    /`__class__`/,
  ],
  'a Lambda layer that looks its function up': [
    layers({ class_name: 'Lambda', config: { function: 'system', function_type: 'function', module: 'os' } }),
    'dangerous',
    /`os.system`/,
  ],
  'a Lambda layer defined by the program': [
    layers({ class_name: 'Lambda', config: { function: 'scaled', function_type: 'function', module: '__main__' } }),
    'needs-trust',
    /Lambda layer in it calls `scaled`/,
  ],
  'a tokenizer that reads a file': [
    layers({ module: 'keras_hub.tokenizers', class_name: 'SentencePieceTokenizer', config: { proto: '/etc/passwd' } }),
    'suspicious',
    /`\/etc\/passwd`/,
  ],
  'a TensorFlow function that computes': [
    layers({ class_name: 'TFOpLambda', config: { name: 'x', function: 'math.multiply' } }),
    'no-code',
    /only the names of Keras layers\.$/,
  ],
};

for (const [name, [configuration, verdict, reason]] of Object.entries(configurations))
  test(`a configuration with ${name}: ${verdict}`, async () => {
    const { safety, format } = await configured(configuration);
    assert.deepEqual({ format, verdict: safety.verdict }, { format: 'keras', verdict });
    assert.match(safety.reason, reason);
  });
