/** Models by several versions of Keras, compared with the results of loading them in others. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Checkpoint } from '../../server/src/checkpoint/checkpoint.ts';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { judgeCheckpoint } from '../../server/src/loading/checkpointHere.ts';
import { kerasRefusal, lambdaRefusal } from '../../server/src/loading/kerasVersions.ts';
import { once } from '../../server/src/python/semantic/memoize.ts';

const fixtures = join(import.meta.dirname, '../checkpoint/fixtures');

/** By version and file: the error of `load_model`, and its error with `compile=False`; null if it loaded. */
type Outcomes = Readonly<Record<string, Readonly<Record<string, readonly [string | null, string | null]>>>>;
const outcomes: Outcomes = JSON.parse(readFileSync(join(fixtures, 'kerasVersions.json'), 'utf8'));

/** Files that depend on the loading program or on a Keras setting. */
const UNDECIDED = new Set([
  'tf215-gate.h5',
  'tf28-own_loss.h5',
  '3.6.0-lambda.keras',
  'tf28-lambda.h5',
  'tf215-lambda.h5',
]);

/** Python versions of these environments, if not 3.11. */
const PYTHONS: Readonly<Record<string, string>> = { '2.4.4': '3.8.18', '2.8.4': '3.9.18' };

/** Each file is read once, because the HDF5 library is slow to start. */
const checkpoints = new Map(
  globSync('*', { cwd: join(fixtures, 'kerasVersions') }).map((name) => [
    name,
    once(() => readCheckpoint(join(fixtures, 'kerasVersions', name))),
  ]),
);

function read(name: string): Promise<Checkpoint> {
  const reading = checkpoints.get(name);
  assert.ok(reading, name);
  return reading();
}

for (const [version, files] of Object.entries(outcomes))
  test(`results of Keras ${version}`, async () => {
    for (const [name, [plain, uncompiled]] of Object.entries(files)) {
      const file = await read(name);
      const { outlook, because } = judgeCheckpoint(file, {
        devices: {},
        keras: version,
        python: PYTHONS[version] ?? '3.11.7',
      });
      const expected = plain === null ? 'loads' : 'fails';
      if (outlook !== 'unknown' || !UNDECIDED.has(name))
        assert.equal(outlook, expected, `${name}: ${because} ${plain}`);
      const refusal = kerasRefusal(file, version, { compiles: false });
      if (refusal) assert.notEqual(uncompiled, null, `${name} with compile=False: ${refusal.because}`);
    }
  });

test("a Lambda layer's code fails if Keras refuses it", async () => {
  const [older, archive] = [await read('tf28-lambda.h5'), await read('3.6.0-lambda.keras')];
  assert.match(lambdaRefusal(older, '3.15.1')?.remedy ?? '', /^With `safe_mode=False` it runs that code/);
  assert.equal(lambdaRefusal(older, '3.8.0'), undefined);
  assert.match(lambdaRefusal(archive, '2.15.0')?.because ?? '', /does not run the code/);
  assert.equal(lambdaRefusal(await read('tf28-sequential.h5'), '3.15.1'), undefined);
});

test('an old Keras fails on any HDF5 file with h5py 3', async () => {
  const file = await read('tf24-dense.h5');
  const judgeUnder = (keras: string | undefined, h5py: string, tensorflow?: string) =>
    judgeCheckpoint(file, { devices: {}, ...(keras && { keras }), h5py, ...(tensorflow && { tensorflow }) });
  assert.equal(judgeUnder('2.4.4', '3.1.0').outlook, 'fails');
  assert.deepEqual(judgeUnder('2.4.4', '3.1.0').remedies, ['Install an older h5py: `pip install "h5py<3"`.']);
  assert.equal(judgeUnder('2.4.4', '2.10.0').outlook, 'loads');
  assert.equal(judgeUnder('2.5.3', '3.1.0').outlook, 'loads');
  assert.match(judgeUnder(undefined, '3.1.0', '2.3.4').because.join(), /^TensorFlow 2\.3\.4 expects bytes/);
});

test('tf_keras is recommended if it reads what Keras 3 refuses, and judged if it is selected', async () => {
  const here = { devices: {}, keras: '3.15.1', tfKeras: '2.21.0', python: '3.11.7' };
  const lstm = await read('tf215-lstm.h5');
  const beside = judgeCheckpoint(lstm, here);
  assert.equal(beside.outlook, 'fails');
  assert.match(beside.remedies.join(' '), /tf_keras 2\.21\.0, which is also installed, reads it: `tf_keras\.models/);
  const asked = judgeCheckpoint(lstm, { ...here, usesTfKeras: true });
  assert.deepEqual([asked.outlook, asked.call], ['loads', 'tf.keras.models.load_model(path)']);
  const newer = judgeCheckpoint(await read('3.15.1-dense.keras'), { ...here, usesTfKeras: true });
  assert.equal(newer.outlook, 'fails');
  const missing = judgeCheckpoint(lstm, { ...here, tfKeras: null, usesTfKeras: true });
  assert.equal(missing.call, 'keras.models.load_model(path)');
});

test('names what this Keras does not know, with a remedy', async () => {
  assert.deepEqual(kerasRefusal(await read('tf215-lstm.h5'), '3.15.1'), {
    because: 'Keras 3.15.1 does not accept `time_major` of `LSTM`, which Keras 2.15.0 wrote',
  });
  assert.deepEqual(kerasRefusal(await read('tf215-mse.h5'), '3.15.1'), {
    because: 'Keras 3.15.1 does not know the loss `mse` under the name in this file',
    remedy: '`compile=False` loads only the model, without its optimizer, losses and metrics.',
  });
  assert.match(
    kerasRefusal(await read('3.15.1-dense.keras'), '3.12.0')?.because ?? '',
    /`quantization_config` of `Dense`/,
  );
});
