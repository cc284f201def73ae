/** Folders of models: the configuration files for which libraries run code without `trust_remote_code`. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { safetensorsOf } from './safetensorsWriter.ts';

const root = mkdtempSync(join(tmpdir(), 'gd-folders-'));
after(() => rmSync(root, { recursive: true, force: true }));

const WEIGHTS = safetensorsOf({ weight: [2, 2] });

/** Writes files, each as JSON unless it is bytes or text, and reads the folder. */
async function read(files: Readonly<Record<string, unknown>>) {
  const folder = mkdtempSync(join(root, 'model-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const isPlain = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(join(folder, name), isPlain ? content : JSON.stringify(content));
  }
  return readCheckpoint(folder);
}

const model = (config: unknown) => ({ 'config.json': config, 'model.safetensors': WEIGHTS });
const sentences = (...types: unknown[]) => ({
  ...model({ model_type: 'bert' }),
  'modules.json': types.map((type, idx) => ({ idx, name: `${idx}`, path: '', type })),
});
const adapter = (mapping: unknown) => ({
  'adapter_config.json': { peft_type: 'LORA', auto_mapping: mapping },
  'adapter_model.safetensors': WEIGHTS,
});
const pipeline = (index: object, files: Readonly<Record<string, unknown>> = {}) => ({
  'model_index.json': { _class_name: 'DDPMPipeline', unet: ['diffusers', 'UNet2DModel'], ...index },
  'unet/diffusion_pytorch_model.safetensors': WEIGHTS,
  'unet/config.json': { _class_name: 'UNet2DModel' },
  ...files,
});

const RUNS: Readonly<Record<string, readonly [files: Readonly<Record<string, unknown>>, reason: RegExp]>> = {
  'a kernel': [model({ _attn_implementation: 'org/repo' }), /kernel `org\/repo`/],
  'a kernel at a revision': [model({ attn_implementation: 'paged|org/repo@main:f' }), /kernel/],
  'a kernel of a part': [model({ text_config: { _attn_implementation: { text: 'org/repo' } } }), /kernel/],
  'a module of its own': [sentences('evil.Module'), /`evil\.Module`.*6\.2\.0 refuses/],
  'a second module of its own': [
    sentences('sentence_transformers.models.Transformer', 'custom.Pool'),
    /`custom\.Pool`/,
  ],
  'another function of the library': [sentences('sentence_transformers.util.http_get'), /util\.http_get/],
  'a module that is no name': [sentences({ a: 1 }), /something that is not a name/],
  'a library of an adapter': [adapter({ parent_library: 'evil', base_model_class: 'X' }), /PEFT.*`evil`/],
  'a pipeline class in a file': [pipeline({ _class_name: ['pipe', 'Pipe'] }), /`pipe\.py`/],
  'a component of another library': [pipeline({ x: ['os', 'System'] }), /`os\.System`/],
  'a component with a file of Python': [
    pipeline({ unet: ['unet', 'Net'] }, { 'unet/unet.py': 'print()' }),
    /`unet\.Net`/,
  ],
  'a file named like the library': [pipeline({}, { 'unet/diffusers.py': 'print()' }), /`diffusers\.UNet2DModel`/],
  'a walk through the library': [pipeline({ x: ['diffusers', 'utils.os.system'] }), /utils\.os\.system/],
};

for (const [title, [files, reason]] of Object.entries(RUNS))
  test(`${title} needs trust`, async () => {
    const { safety, problems } = await read(files);
    assert.equal(safety.verdict, 'needs-trust');
    assert.match(safety.reason, reason);
    assert.ok(problems.includes(safety.reason));
  });

const PLAIN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a model': model({ architectures: ['BertModel'], model_type: 'bert', _attn_implementation: 'sdpa' }),
  'parts with their own attention': model({
    attn_implementation: { text_config: 'flash_attention_2', vision_config: 'eager' },
    _attn_implementation_autoset: true,
  }),
  'sentence-transformers': sentences(
    'sentence_transformers.models.Transformer',
    'sentence_transformers.models.Pooling',
    'sentence_transformers.models.Normalize',
  ),
  'sentence-transformers 6': sentences(
    'sentence_transformers.base.modules.transformer',
    'sentence_transformers.sentence_transformer.modules.pooling.Pooling',
  ),
  'an adapter': adapter(null),
  'an adapter of transformers': adapter({
    base_model_class: 'BertModel',
    parent_library: 'transformers.models.bert.modeling_bert',
  }),
  'a pipeline': pipeline({ scheduler: ['diffusers', 'DDPMScheduler'], feature: [null, null], size: [64, 64] }),
  'a pipeline with a safety checker': pipeline({ safety: ['stable_diffusion', 'StableDiffusionSafetyChecker'] }),
};

for (const [title, files] of Object.entries(PLAIN))
  test(`${title} runs nothing`, async () => {
    const { safety } = await read(files);
    assert.equal(safety.verdict, 'no-code', safety.reason);
  });
