/** Folders of transformers, diffusers and PEFT: their configuration, and their index compared with its shards. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { judgeCheckpoint } from '../../server/src/loading/checkpointHere.ts';
import { loadableOf } from '../../server/src/loading/outlook.ts';
import { folderWith } from '../cli/run.ts';
import { safetensorsOf } from './safetensorsWriter.ts';

const INDEX = 'model.safetensors.index.json';
const SHARDS = {
  'model-00001-of-00002.safetensors': safetensorsOf({ 'model.embed.weight': [4, 2], 'model.q.weight': [2, 2] }),
  'model-00002-of-00002.safetensors': safetensorsOf({ 'model.norm.weight': [2] }),
};
const MAP = {
  'model.embed.weight': 'model-00001-of-00002.safetensors',
  'model.q.weight': 'model-00001-of-00002.safetensors',
  'model.norm.weight': 'model-00002-of-00002.safetensors',
};

test('a tensor in the index that its shard lacks prevents loading', async (t) => {
  const lacking = { ...MAP, 'lm_head.weight': 'model-00002-of-00002.safetensors' };
  const folder = await folderWith(t, { ...SHARDS, [INDEX]: JSON.stringify({ weight_map: lacking }) });
  const checkpoint = await readCheckpoint(folder);
  assert.deepEqual(checkpoint.problems, [
    'The shard `model-00002-of-00002.safetensors` lacks `lm_head.weight`, which the index assigns to it.',
  ]);
  assert.equal(judgeCheckpoint(loadableOf(checkpoint), { devices: {} }).outlook, 'fails');
});

test('an index whose shards contain its tensors is complete, even if they contain more', async (t) => {
  const { 'model.q.weight': _, ...fewer } = MAP;
  for (const map of [MAP, fewer]) {
    const folder = await folderWith(t, { ...SHARDS, [INDEX]: JSON.stringify({ weight_map: map }) });
    const checkpoint = await readCheckpoint(folder);
    assert.deepEqual(checkpoint.problems, []);
    assert.equal(checkpoint.tensors.length, 3);
    assert.equal(judgeCheckpoint(loadableOf(checkpoint), { devices: {} }).outlook, 'loads');
  }
});

test('many missing tensors are counted', async (t) => {
  const map = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`x.${index}`, Object.keys(SHARDS)[0]]));
  const folder = await folderWith(t, { ...SHARDS, [INDEX]: JSON.stringify({ weight_map: map }) });
  assert.match((await readCheckpoint(folder)).problems.join(), /lacks `x\.0`, `x\.1`, `x\.2` and 6 more, which/);
});

const about = async (folder: string, file = 'model.safetensors') => (await readCheckpoint(join(folder, file))).about;

test('the configuration next to the weights describes the model and its quantization', async (t) => {
  const config = {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    torch_dtype: 'bfloat16',
    transformers_version: '4.44.0',
    quantization_config: { quant_method: 'bitsandbytes', load_in_4bit: true, bnb_4bit_quant_type: 'nf4' },
    auto_map: { AutoModel: 'modeling.Model' },
  };
  const folder = await folderWith(t, {
    'model.safetensors': safetensorsOf({ a: [1] }),
    'other.safetensors': safetensorsOf({ a: [1] }),
    'config.json': JSON.stringify(config),
  });
  assert.deepEqual(await about(folder), [
    'Its configuration is for `LlamaForCausalLM` (model type `llama`), in `bfloat16`.',
    'Its weights are quantized with bitsandbytes (4 bits, `nf4`).',
    'Its `config.json` refers to Python code, which `trust_remote_code=True` runs.',
  ]);
  assert.equal((await readCheckpoint(folder)).writtenBy, 'transformers 4.44.0');
  assert.equal(await about(folder, 'other.safetensors'), undefined, 'a file of another name is not of that model');
});

test('an adapter names its base model', async (t) => {
  const adapter = {
    peft_type: 'LORA',
    r: 8,
    base_model_name_or_path: 'org/base-7b',
    target_modules: ['q_proj', 'v_proj'],
  };
  const folder = await folderWith(t, {
    'adapter_model.safetensors': safetensorsOf({ 'base_model.model.q.lora_A.weight': [8, 2] }),
    'adapter_config.json': JSON.stringify(adapter),
    'config.json': JSON.stringify({ model_type: 'other' }),
  });
  assert.deepEqual((await readCheckpoint(folder)).about, [
    'It is an adapter (`LORA`, rank `8`), not a model: it loads on top of its base model `org/base-7b`.',
    'It changes `q_proj` and `v_proj`.',
    'Not compared with its base model: no such folder was found, and the Hugging Face cache does not have it.',
  ]);
});

test('a damaged configuration is a problem; long or meaningless values are not quoted', async (t) => {
  const weights = safetensorsOf({ a: [1] });
  const damaged = await folderWith(t, { 'model.safetensors': weights, 'config.json': '{"model_type": ' });
  assert.deepEqual((await readCheckpoint(damaged)).problems, ['The `config.json` next to it is not valid JSON.']);
  const strange = {
    model_type: 'a model\n\u001b[2J',
    architectures: [{ x: 1 }],
    transformers_version: 'x'.repeat(1000),
    quantization_config: { quant_method: '`; rm -rf', bits: 'four' },
  };
  const folder = await folderWith(t, { 'model.safetensors': weights, 'config.json': JSON.stringify(strange) });
  const { about, writtenBy } = await readCheckpoint(folder);
  assert.deepEqual(about, ['Its weights are quantized with a method that its configuration does not name.']);
  assert.equal(writtenBy, undefined);
});
