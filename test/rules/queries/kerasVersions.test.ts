/** Models that several versions of Keras wrote, held against what really happened when others loaded them. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Checkpoint } from '../../../server/src/checkpoint/checkpoint.ts';
import { readCheckpoint } from '../../../server/src/checkpoint/read.ts';
import { once } from '../../../server/src/python/semantic/memoise.ts';
import { judgeCheckpoint } from '../../../server/src/rules/queries/checkpointHere.ts';
import { kerasRefusal } from '../../../server/src/rules/queries/kerasVersions.ts';

const fixtures = join(import.meta.dirname, '../../checkpoint/fixtures');

/** By version and file: what `load_model` raised, and what it raised with `compile=False`; null where it loaded. */
type Outcomes = Readonly<Record<string, Readonly<Record<string, readonly [string | null, string | null]>>>>;
const outcomes: Outcomes = JSON.parse(readFileSync(join(fixtures, 'kerasVersions.json'), 'utf8'));

/** What only the program that loads it knows, or a setting of Keras. */
const UNDECIDED = new Set(['tf215-gate.h5', 'tf28-own_loss.h5', '3.6.0-lambda.keras']);

/** Each is read once: the library for HDF5 takes a while to start. */
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
  test(`what Keras ${version} loads`, async () => {
    for (const [name, [plain, uncompiled]] of Object.entries(files)) {
      const file = await read(name);
      const { outlook, because } = judgeCheckpoint(file, { devices: {}, keras: version });
      const expected = plain === null ? 'loads' : 'fails';
      if (outlook !== 'unknown' || !UNDECIDED.has(name))
        assert.equal(outlook, expected, `${name}: ${because} ${plain}`);
      const refusal = kerasRefusal(file, version, { compiles: false });
      if (refusal) assert.notEqual(uncompiled, null, `${name} with compile=False: ${refusal.because}`);
    }
  });

test('says what it is that this Keras does not know, and what helps', async () => {
  assert.deepEqual(kerasRefusal(await read('tf215-lstm.h5'), '3.15.1'), {
    because: 'Keras 3.15.1 does not take `time_major` of `LSTM`, as Keras 2.15.0 wrote it',
  });
  assert.deepEqual(kerasRefusal(await read('tf215-mse.h5'), '3.15.1'), {
    because: 'Keras 3.15.1 does not find the loss `mse` by the name in this file',
    remedy: 'With `compile=False` the model itself is loaded, without its optimizer, losses and metrics.',
  });
  assert.match(
    kerasRefusal(await read('3.15.1-dense.keras'), '3.12.0')?.because ?? '',
    /`quantization_config` of `Dense`/,
  );
});
