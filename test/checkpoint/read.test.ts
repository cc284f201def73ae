/** Real files, compared with what the libraries that wrote them report. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { folderWith } from '../cli/run.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

interface Expected {
  readonly devices: readonly string[] | null;
  readonly tensors: readonly (readonly [name: string, dtype: string, shape: readonly number[]])[] | null;
}

for (const folder of ['torch', 'recent'])
  for (const [name, { devices, tensors }] of Object.entries(expectedIn(folder)))
    test(`${folder}/${name} has the contents that PyTorch reports`, async () => {
      const checkpoint = await readCheckpoint(join(FIXTURES, folder, name));
      assert.deepEqual(checkpoint.devices ?? null, devices);
      const read = checkpoint.tensors.map(({ name, dtype, shape }) => [name, dtype, shape]);
      if (tensors) assert.deepEqual(name.endsWith('.safetensors') ? read.sort() : read, tensors);
      assert.deepEqual(
        checkpoint.problems,
        // Whole models run code of their classes.
        name.startsWith('whole') ? [checkpoint.safety.reason] : [],
      );
    });

test('a TorchScript program lists the devices in its code', async () => {
  const aboutOf = async (name: string) => (await readCheckpoint(join(FIXTURES, 'torch', name))).about;
  assert.deepEqual(await aboutOf('scripted_cuda1.pt'), [
    'Its code puts tensors on `cuda:1` when it runs; `map_location` does not change that.',
  ]);
  assert.deepEqual(await aboutOf('scripted.pt'), []);
});

function expectedIn(folder: string): Record<string, Expected> {
  return JSON.parse(readFileSync(join(FIXTURES, `${folder}.json`), 'utf8'));
}

const others: Record<string, Expected['tensors']> = JSON.parse(readFileSync(join(FIXTURES, 'others.json'), 'utf8'));

for (const [name, tensors] of Object.entries(others))
  test(`${name} has the contents that its library reports`, async () => {
    const checkpoint = await readCheckpoint(join(FIXTURES, 'others', name));
    const read = checkpoint.tensors.map(({ name, dtype, shape }) => [name, dtype, shape]);
    assert.deepEqual(name.startsWith('kinds') ? read.sort() : read, tensors);
    assert.deepEqual(checkpoint.problems, []);
    assert.equal(checkpoint.safety.verdict, 'no-code');
    assert.equal(checkpoint.devices, undefined);
  });

test('a Keras model has its version and lists code in it', async () => {
  const plain = await readCheckpoint(join(FIXTURES, 'keras/plain.keras'));
  assert.equal(plain.writtenBy, 'Keras 3.15.1');
  assert.equal(plain.safety.verdict, 'no-code');
  assert.deepEqual(plain.problems, []);
  const { safety, problems } = await readCheckpoint(join(FIXTURES, 'keras/lambda.keras'));
  assert.equal(safety.verdict, 'needs-trust');
  assert.match(problems.join(), /Lambda layer/);
});

test('an index with missing or misplaced shards is reported', async (t) => {
  const folder = await folderWith(t, {
    'model.safetensors.index.json': JSON.stringify({ weight_map: { a: 'gone.safetensors', b: '../../etc/passwd' } }),
  });
  const { problems } = await readCheckpoint(join(folder, 'model.safetensors.index.json'));
  assert.deepEqual(problems, [
    'The index names `../../etc/passwd`, which is outside its folder.',
    'The shard `gone.safetensors` is missing.',
  ]);
});

test('a folder is read through its index', async (t) => {
  const names = [
    'model.safetensors.index.json',
    'model-00001-of-00002.safetensors',
    'model-00002-of-00002.safetensors',
  ];
  const content = (name: string) => readFileSync(join(FIXTURES, 'others', name));
  const folder = await folderWith(t, Object.fromEntries(names.map((name) => [`model/${name}`, content(name)])));
  const { format, tensors } = await readCheckpoint(join(folder, 'model'));
  assert.deepEqual({ format, tensors: tensors.length }, { format: 'safetensors-index', tensors: 2 });
  assert.equal((await readCheckpoint(folder)).format, 'folder');
});

test('a folder with weights under a usual name is read from the file that transformers prefers', async (t) => {
  const content = readFileSync(join(FIXTURES, 'others', 'kinds.safetensors'));
  const folder = await folderWith(t, {
    'small/model.safetensors': content,
    'small/config.json': '{}',
    'two/model.safetensors': content,
    'two/pytorch_model.bin': content,
    'other/weights.safetensors': content,
  });
  const formats = await Promise.all(['small', 'two', 'other'].map((name) => readCheckpoint(join(folder, name))));
  assert.deepEqual(
    formats.map(({ format }) => format),
    ['safetensors', 'safetensors', 'folder'],
  );
  assert.deepEqual(formats[1]?.about, [
    '`pytorch_model.bin` is in the same folder; `from_pretrained(folder)` does not load it by default.',
  ]);
});
