/** Folders of diffusers and PEFT with many changes, compared with the results of these libraries. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { root } from '../../scripts/root.ts';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { accessTo } from '../../server/src/cli/access.ts';
import { inspectCheckpoint } from '../../server/src/cli/agents/inspectCheckpoint.ts';
import { judgeCheckpoint } from '../../server/src/loading/checkpointHere.ts';
import { loadableOf } from '../../server/src/loading/outlook.ts';
import { folderWith } from '../cli/run.ts';
import { safetensorsOf } from './safetensorsWriter.ts';

const FIXTURES = path.join(root, 'test', 'checkpoint', 'fixtures');
const FOLDERS = path.join(FIXTURES, 'modelFolders');

interface Change {
  readonly of: string;
  readonly remove?: readonly string[];
  readonly rename?: Readonly<Record<string, string>>;
  readonly copy?: Readonly<Record<string, string>>;
  readonly write?: Readonly<Record<string, string>>;
}

interface Expected {
  /** Changes and the errors of `DiffusionPipeline.from_pretrained` after them. */
  readonly pipelines: Readonly<Record<string, Change & { error: string | null; errorWithFp16: string | null }>>;
  readonly adapters: Readonly<Record<string, { adapter: string; base: string; error: string | null }>>;
}

const { pipelines, adapters }: Expected = JSON.parse(readFileSync(path.join(FIXTURES, 'modelFolders.json'), 'utf8'));

async function changedCopy(t: TestContext, { of, remove = [], ...change }: Change): Promise<string> {
  const folder = await folderWith(t, {});
  await cp(path.join(FOLDERS, of), folder, { recursive: true });
  const at = (name: string) => path.join(folder, name);
  for (const name of remove) await rm(at(name), { recursive: true });
  for (const [name, to] of Object.entries(change.rename ?? {})) await rename(at(name), at(to));
  for (const [name, to] of Object.entries(change.copy ?? {})) await copyFile(at(name), at(to));
  for (const [name, text] of Object.entries(change.write ?? {})) await writeFile(at(name), text);
  return folder;
}

for (const [name, { error, errorWithFp16, ...change }] of Object.entries(pipelines))
  test(`a pipeline loads here if it does in diffusers: ${name}`, async (t) => {
    const checkpoint = await readCheckpoint(await changedCopy(t, change));
    const { outlook, call } = judgeCheckpoint(loadableOf(checkpoint), { devices: {} });
    const needsVariant = error !== null && errorWithFp16 === null;
    assert.equal(outlook, error === null || needsVariant ? 'loads' : 'fails', checkpoint.problems.join('\n'));
    const options = needsVariant ? ', variant="fp16"' : '';
    assert.equal(call, `DiffusionPipeline.from_pretrained(folder${options})`);
    assert.equal(checkpoint.problems.length > 0, outlook === 'fails');
  });

test('a pipeline has the components, sizes and tensors that it was saved with', async () => {
  const whole = await readCheckpoint(path.join(FOLDERS, 'pipeline'));
  assert.equal(whole.format, 'diffusers-pipeline');
  assert.equal(whole.writtenBy, 'diffusers 0.25.1');
  assert.deepEqual(
    whole.pipeline?.components.map(({ name, library, className, weights, size }) => [
      name,
      library,
      className,
      weights,
      size > 0,
    ]),
    [
      ['scheduler', 'diffusers', 'DDIMScheduler', undefined, false],
      ['text_encoder', 'transformers', 'CLIPTextModel', 'model.safetensors', true],
      ['tokenizer', 'transformers', 'CLIPTokenizer', undefined, false],
      ['unet', 'diffusers', 'UNet2DConditionModel', 'diffusion_pytorch_model.safetensors', true],
      ['vae', 'diffusers', 'AutoencoderKL', 'diffusion_pytorch_model.safetensors', true],
    ],
  );
  assert.ok(whole.tensors.some(({ name }) => name === 'unet.conv_in.weight'));
  assert.equal(whole.safety.verdict, 'no-code');
  const pickled = await readCheckpoint(path.join(FOLDERS, 'pipelineBin', 'model_index.json'));
  assert.equal(pickled.safety.verdict, 'weights-only');
  assert.equal(pickled.tensors.length, whole.tensors.length);
});

test('files that are not loaded by default are listed with their component', async (t) => {
  const unet = 'unet/diffusion_pytorch_model';
  const folder = await changedCopy(t, {
    of: 'pipeline',
    copy: { [`${unet}.safetensors`]: `${unet}.fp16.safetensors` },
    write: { [`${unet}.bin`]: 'x', 'unet/diffusion_pytorch_model-00001-of-00002.bin': 'x', 'unet/other.bin': 'x' },
  });
  const { pipeline } = await readCheckpoint(folder);
  const component = pipeline?.components.find(({ name }) => name === 'unet');
  assert.deepEqual(component?.others.toSorted(), [
    'diffusion_pytorch_model.bin',
    'diffusion_pytorch_model.fp16.safetensors',
  ]);
  assert.deepEqual(component?.variants, ['fp16']);
});

const PIPELINE = { _class_name: 'DDPMPipeline', _diffusers_version: '0.30.0' };
const indexOf = (components: object) => JSON.stringify({ ...PIPELINE, ...components });

test("components in the pipeline's folder, of other libraries and other frameworks are not reported as missing", async (t) => {
  const beside = await folderWith(t, {
    'model_index.json': indexOf({ unet: ['diffusers', 'UNet2DModel'], scheduler: ['diffusers', 'DDPMScheduler'] }),
    'config.json': '{}',
    'diffusion_pytorch_model.safetensors': safetensorsOf({ a: [2] }),
    'scheduler_config.json': '{}',
  });
  const others = await folderWith(t, {
    'model_index.json': indexOf({
      unet: ['diffusers', 'OnnxRuntimeModel'],
      text: ['transformers', 'FlaxCLIPTextModel'],
      guide: ['diffusers', 'ClassifierFreeGuidance'],
      own: ['my_module', 'MyModel'],
      requires_safety_checker: true,
    }),
  });
  assert.deepEqual((await readCheckpoint(beside)).problems, []);
  // The only problem is the code of that library.
  assert.deepEqual((await readCheckpoint(others)).problems, [
    'Diffusers before 0.42.1 imports `my_module.MyModel` without asking.',
  ]);
});

test('shards of a component are read through their index, and a missing one is a problem', async (t) => {
  const stem = 'diffusion_pytorch_model';
  const map = { weight_map: { a: `${stem}-00001-of-00002.safetensors`, b: `${stem}-00002-of-00002.safetensors` } };
  const folder = await folderWith(t, {
    'model_index.json': indexOf({ unet: ['diffusers', 'UNet2DModel'] }),
    'unet/config.json': '{}',
    [`unet/${stem}.safetensors.index.json`]: JSON.stringify(map),
    [`unet/${stem}-00001-of-00002.safetensors`]: safetensorsOf({ a: [2] }),
    [`unet/${stem}-00002-of-00002.safetensors`]: safetensorsOf({ b: [2] }),
  });
  const whole = await readCheckpoint(folder);
  assert.deepEqual(whole.problems, []);
  assert.deepEqual(
    whole.tensors.map(({ name }) => name),
    ['unet.a', 'unet.b'],
  );
  await rm(path.join(folder, `unet/${stem}-00002-of-00002.safetensors`));
  assert.match((await readCheckpoint(folder)).problems.join(), /^`unet`: The shard .* is missing\.$/);
  await rm(path.join(folder, `unet/${stem}.safetensors.index.json`));
  assert.deepEqual((await readCheckpoint(folder)).problems, ['`unet`: the index of its shards is missing.']);
});

test('an index that is not a pipeline, or that misleads, is read correctly', async (t) => {
  const other = await folderWith(t, { 'model_index.json': '{"weights": 1}' });
  assert.deepEqual((await readCheckpoint(other)).problems, [
    'Its `model_index.json` does not describe a diffusers pipeline.',
  ]);
  const outside = await folderWith(t, {
    'inside/model_index.json': indexOf({
      '../secret': ['diffusers', 'UNet2DModel'],
      unet: ['diffusers', 'UNet2DModel\u001b[2J'],
      __proto__: 1,
    }),
    'secret/config.json': '{}',
    'secret/diffusion_pytorch_model.safetensors': safetensorsOf({ secret: [1] }),
  });
  const hostile = await readCheckpoint(path.join(outside, 'inside'));
  assert.deepEqual(hostile.tensors, []);
  assert.doesNotMatch(JSON.stringify(hostile), /secret|\[2J/);
  // A folder named like the weights of a component is not a file.
  const loop = await folderWith(t, { 'model_index.json': indexOf({ unet: ['diffusers', 'UNet2DModel'] }) });
  await mkdir(path.join(loop, 'unet'));
  await symlink(loop, path.join(loop, 'unet', 'diffusion_pytorch_model.safetensors'));
  assert.match((await readCheckpoint(loop)).problems.join(), /cannot be read/);
});

/** Returns an adapter fixture with its base model under the name in its configuration. */
async function adapterOn(t: TestContext, adapter: string, base: string): Promise<string> {
  const folder = await folderWith(t, {});
  await cp(path.join(FOLDERS, adapter), path.join(folder, 'adapter'), { recursive: true });
  const file = path.join(folder, 'adapter', 'adapter_config.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...config, base_model_name_or_path: 'models/base' }));
  await cp(path.join(FOLDERS, base), path.join(folder, 'models', 'base'), { recursive: true });
  return path.join(folder, 'adapter');
}

for (const [name, { adapter, base, error }] of Object.entries(adapters))
  test(`an adapter fits its base if PEFT loads it: ${name}`, async (t) => {
    const { problems, misfits = [], about = [] } = await readCheckpoint(await adapterOn(t, adapter, base));
    assert.deepEqual(problems, [], 'the file itself is whole');
    assert.equal(misfits.length > 0, error !== null, misfits.join('\n'));
    const isWhole = error === null && base !== 'llamaOfOneLayer';
    assert.equal(/It fits its base model/.test(about.join('\n')), isWhole, about.join('\n'));
  });

test('an adapter names the modules and shapes that do not fit', async (t) => {
  const wide = await readCheckpoint(await adapterOn(t, 'adapterOfLlama', 'llamaWide'));
  assert.deepEqual(wide.misfits, [
    'It does not fit its base model: shapes differ in 4 of 4 modules, such as `model.layers.0.self_attn.q_proj` (8 × 8 in the adapter, 16 × 16 in the base).',
  ]);
  const { outlook, call } = judgeCheckpoint(loadableOf(wide), { devices: {} });
  assert.deepEqual([outlook, call], ['fails', 'PeftModel.from_pretrained(base, folder)']);
  const other = await readCheckpoint(await adapterOn(t, 'adapterOfGpt2', 'llama'));
  assert.deepEqual(other.misfits, [
    'Its base model has none of the modules that it changes, such as `transformer.h.0.attn.c_attn`.',
  ]);
  const { about = [] } = await readCheckpoint(await adapterOn(t, 'adapterOfLlama', 'llamaOfOneLayer'));
  assert.match(about.join('\n'), /no weights for 2 of the 4 modules .* PEFT skips their tensors without an error\./);
});

test('a base model is found in the Hugging Face Hub cache by its revision', async (t) => {
  const folder = await adapterOn(t, 'adapterOfLlama', 'llama');
  const hub = await folderWith(t, {
    'models--org--llama/refs/main': 'abc123',
    'models--org--llama/refs/old': 'def456',
  });
  const snapshots = path.join(hub, 'models--org--llama', 'snapshots');
  await cp(path.join(FOLDERS, 'llama'), path.join(snapshots, 'abc123'), { recursive: true });
  await cp(path.join(FOLDERS, 'llamaWide'), path.join(snapshots, 'def456'), { recursive: true });
  const before = process.env.HF_HUB_CACHE;
  t.after(() => {
    if (before === undefined) delete process.env.HF_HUB_CACHE;
    else process.env.HF_HUB_CACHE = before;
  });
  process.env.HF_HUB_CACHE = hub;
  const read = async (change: object) => {
    const file = path.join(folder, 'adapter_config.json');
    const config = JSON.parse(readFileSync(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...config, base_model_name_or_path: 'org/llama', ...change }));
    const { about = [], misfits = [] } = await readCheckpoint(folder);
    return [...about, ...misfits].join('\n');
  };
  assert.match(await read({}), /It fits its base model/);
  assert.match(await read({ revision: 'old' }), /16 × 16 in the base/);
  const absent = /Not compared with its base model: no such folder was found/;
  assert.match(await read({ revision: 'new' }), absent);
  assert.match(await read({ revision: '../../../x' }), absent);
  assert.match(await read({ base_model_name_or_path: 'org/other' }), absent);
  assert.match(await read({ base_model_name_or_path: '//host/share' }), absent);
  assert.doesNotMatch(await read({ base_model_name_or_path: null }), /ompared/);
});

test('shapes of a quantized base model are not compared, and experts are skipped', async (t) => {
  const folder = await adapterOn(t, 'adapterOfLlama', 'llamaWide');
  const config = path.join(folder, '..', 'models', 'base', 'config.json');
  const read = JSON.parse(readFileSync(config, 'utf8'));
  await writeFile(config, JSON.stringify({ ...read, quantization_config: { quant_method: 'gptq' } }));
  const packed = await readCheckpoint(folder);
  assert.equal(packed.misfits, undefined);
  assert.match(packed.about?.join('\n') ?? '', /Shapes are not compared: the base is quantized\./);
  await writeFile(
    path.join(folder, 'adapter_model.safetensors'),
    safetensorsOf({
      'base_model.model.model.layers.0.mlp.experts.gate_up_proj.lora_A.weight': [2, 8],
      'base_model.model.model.layers.0.mlp.experts.gate_up_proj.lora_B.weight': [8, 2],
    }),
  );
  assert.equal((await readCheckpoint(folder)).misfits, undefined);
});

test('rows added to an embedding, and a rank that the configuration lacks, are reported', async (t) => {
  const folder = await adapterOn(t, 'adapterOfLlama', 'llama');
  await writeFile(
    path.join(folder, 'adapter_model.safetensors'),
    safetensorsOf({
      'base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight': [4, 8],
      'base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight': [8, 4],
      'base_model.model.model.embed_tokens.weight': [17, 8],
    }),
  );
  const { about = [], misfits } = await readCheckpoint(folder);
  assert.match(about.join('\n'), /`model\.embed_tokens\.weight` has 17 rows, and that of its base model has 16/);
  assert.deepEqual(misfits, [
    'The rank in its configuration is 2, but its tensors for `model.layers.0.self_attn.q_proj` have a different rank.',
  ]);
});

test('an agent learns that the base model is outside its folders, and gets the components', async (t) => {
  const folder = await adapterOn(t, 'adapterOfLlama', 'llamaWide');
  const access = accessTo([folder, FOLDERS]);
  const context = { access } as Parameters<typeof inspectCheckpoint>[1];
  const { text } = await inspectCheckpoint({ path: folder }, context);
  assert.match(text, /Not compared with its base model: it is outside the folders that may be read/);
  const pipeline = await inspectCheckpoint({ path: path.join(FOLDERS, 'pipeline') }, context);
  assert.match(pipeline.text, /^ {2}unet +UNet2DConditionModel +diffusers .* diffusion_pytorch_model\.safetensors$/m);
  assert.equal(pipeline.structured.files[0]?.pipeline?.components.length, 5);
});
