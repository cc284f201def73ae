/** JSON next to weights: an index of shards, and programs for other loaders. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SafetyVerdict } from '../../server/src/checkpoint/checkpoint.ts';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { folderWith } from '../cli/run.ts';

const SHARD = readFileSync(join(import.meta.dirname, 'fixtures/others/kinds.safetensors'));
const map = { float16: 'model-00001-of-00001.safetensors' };
const lambda = { class_name: 'Lambda', config: { function: ['4wEAAAA=', null, null], function_type: 'lambda' } };

const files: Record<string, readonly [json: unknown, verdict: SafetyVerdict, reason: RegExp]> = {
  'an index': [{ metadata: { total_size: 4 }, weight_map: map }, 'no-code', /safetensors library/],
  'an index without metadata': [{ weight_map: map }, 'no-code', /safetensors library/],
  'an empty index': [{ metadata: {}, weight_map: {} }, 'not-checked', /could not be read/],
  'an index with another key': [{ weight_map: map, layers: 3 }, 'not-checked', /could not be read/],
  'an index with values that are not file names': [{ weight_map: { weight: 7 } }, 'not-checked', /could not be read/],
  'an index with a list as metadata': [{ metadata: [], weight_map: map }, 'not-checked', /could not be read/],
  'jsonpickle in an index': [
    { weight_map: {}, 'py/reduce': [{ 'py/function': 'posix.system' }, { 'py/tuple': ['id'] }] },
    'dangerous',
    /`jsonpickle.decode` .*`posix.system`/,
  ],
  'jsonpickle in the metadata of an index': [
    { metadata: { 'py/object': 'own.Model' }, weight_map: map },
    'needs-trust',
    /`own.Model`/,
  ],
  'a Hydra target in an index': [
    { weight_map: {}, model: { _target_: 'os.system', _args_: ['id'] } },
    'dangerous',
    /`hydra.utils.instantiate` .*`os.system`/,
  ],
  'a Hydra target': [{ model: { _target_: 'own.Model' } }, 'needs-trust', /`own.Model`/],
  'a Keras model with a Lambda layer': [
    { class_name: 'Sequential', config: { layers: [lambda] }, weight_map: {} },
    'needs-trust',
    /`model_from_json`/,
  ],
  'a Keras model': [
    { class_name: 'Sequential', config: { layers: [{ class_name: 'Dense', config: { units: 1 } }] } },
    'not-checked',
    /could not be read/,
  ],
  'a MONAI expression': [
    { metadata: { x: "$__import__('os').system('id')" }, weight_map: map },
    'needs-trust',
    /MONAI/,
  ],
  'settings of a model': [{ model_type: 'llama', hidden_size: 4, target: 'x' }, 'not-checked', /could not be read/],
};

for (const [name, [json, verdict, reason]] of Object.entries(files))
  test(`JSON with ${name}: ${verdict}`, async (t) => {
    const folder = await folderWith(t, {
      'model.safetensors.index.json': JSON.stringify(json),
      'model-00001-of-00001.safetensors': SHARD,
    });
    const { safety, problems } = await readCheckpoint(join(folder, 'model.safetensors.index.json'));
    assert.equal(safety.verdict, verdict, safety.reason);
    assert.match(safety.reason, reason);
    assert.equal(problems.length > 0, verdict !== 'no-code');
  });
