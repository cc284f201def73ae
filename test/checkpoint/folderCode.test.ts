/** Folders of models: the configuration files for which libraries run code without `trust_remote_code`. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { filesAt } from '../../server/src/cli/inspect.ts';
import { zipWith } from './archiveWriter.ts';
import { pickle } from './pickleWriter.ts';
import { safetensorsOf } from './safetensorsWriter.ts';

const root = mkdtempSync(join(tmpdir(), 'gd-folders-'));
after(() => rmSync(root, { recursive: true, force: true }));

const WEIGHTS = safetensorsOf({ weight: [2, 2] });

/** Writes files, each as JSON unless it is bytes or text, and returns their folder. */
function write(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(root, 'model-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const isPlain = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(join(folder, name), isPlain ? content : JSON.stringify(content));
  }
  return folder;
}

const read = (files: Readonly<Record<string, unknown>>) => readCheckpoint(write(files));

const model = (config: unknown) => ({ 'config.json': config, 'model.safetensors': WEIGHTS });
const sentences = (...types: unknown[]) => ({
  ...model({ model_type: 'bert' }),
  'modules.json': types.map((type, idx) => ({ idx, name: `${idx}`, path: '', type })),
});
const adapter = (mapping: unknown) => ({
  'adapter_config.json': { peft_type: 'LORA', auto_mapping: mapping },
  'adapter_model.safetensors': WEIGHTS,
});
/** A model of sentence-transformers with files of its second module. */
const dense = (config: unknown, files: Readonly<Record<string, unknown>> = {}) => ({
  ...sentences('sentence_transformers.models.Transformer', 'sentence_transformers.models.Dense'),
  '1_Dense/config.json': config,
  '1_Dense/model.safetensors': WEIGHTS,
  ...files,
});
/** A pickle that calls a function, as `torch.save` of an old release writes it. */
const HARMFUL = pickle([0x80, 2], 'cos\nsystem\n', 'X', [4, 0, 0, 0], 'true', [0x85], 'R.');
const pipeline = (index: object, files: Readonly<Record<string, unknown>> = {}) => ({
  'model_index.json': { _class_name: 'DDPMPipeline', unet: ['diffusers', 'UNet2DModel'], ...index },
  'unet/diffusion_pytorch_model.safetensors': WEIGHTS,
  'unet/config.json': { _class_name: 'UNet2DModel' },
  ...files,
});

const PRESET = {
  module: 'keras_hub.src.models.bert.bert_backbone',
  class_name: 'BertBackbone',
  registered_name: 'keras_hub>BertBackbone',
};
/** A preset of KerasHub, whose objects are all created when it is loaded. */
const preset = (dtype: unknown) => model({ ...PRESET, config: { num_layers: 2, dtype } });

const RUNS: Readonly<Record<string, readonly [files: Readonly<Record<string, unknown>>, reason: RegExp]>> = {
  'other weights by an argument': [
    { ...model({}), 'sentence_bert_config.json': { model_args: { weights_only: false, variant: 'old' } } },
    /`false` as an argument/,
  ],
  'a backbone that is unpickled': [
    model({ backbone: 'org/model', backbone_kwargs: { use_safetensors: false } }),
    /may unpickle/,
  ],
  'a format that is a file of Python': [
    model({ quantization_config: { sparsity_config: { format: 'model/evil.py:X' } } }),
    /compressed-tensors runs the file `model\/evil\.py:X`/,
  ],
  'a detector in another repository': [
    model({ trust_remote_code: true, keypoint_detector_config: { _name_or_path: 'org/repo' } }),
    /LightGlue.*`org\/repo`/,
  ],
  'a corpus that is pickled': [
    { ...model({}), 'tokenizer_config.json': { tokenizer_class: 'TransfoXLCorpus' } },
    /TransfoXLCorpus/,
  ],
  'a pickled class for an adapter': [adapter({ base_model_class: 'TransfoXLTokenizer' }), /TransfoXLTokenizer/],
  'a kernel': [model({ _attn_implementation: 'org/repo' }), /kernel `org\/repo`/],
  'a kernel at a revision': [model({ attn_implementation: 'paged|org/repo@main:f' }), /kernel/],
  'a kernel of a part': [model({ text_config: { _attn_implementation: { text: 'org/repo' } } }), /kernel/],
  'a module of its own': [sentences('evil.Module'), /before 6 imports `evil\.Module`/],
  'a second module of its own': [
    sentences('sentence_transformers.models.Transformer', 'custom.Pool'),
    /`custom\.Pool`/,
  ],
  'another function of the library': [sentences('sentence_transformers.util.http_get'), /util\.http_get/],
  'a module that is no name': [sentences({ a: 1 }), /something that is not a name/],
  'a module in a file of a release before 6': [dense({ types: { query_0: 'evil.Module' } }), /`evil\.Module`/],
  'an activation that is a name of Python': [
    dense({ in_features: 2, activation_function: 'os.getcwd' }),
    /before 5\.4\.1 imports and calls `os\.getcwd`/,
  ],
  'an activation of a cross-encoder': [model({ sbert_ce_default_activation_function: 'evil.Act' }), /`evil\.Act`/],
  'an activation of a newer cross-encoder': [
    model({ sentence_transformers: { activation_fn: 'torch.hub.help' } }),
    /`torch\.hub\.help`/,
  ],
  'a tokenizer of words': [
    dense({}, { '2_Words/wordembedding_config.json': { tokenizer_class: 'evil.Tokenizer' } }),
    /`evil\.Tokenizer`/,
  ],
  'a tokenizer that is pickled': [
    { ...model({}), 'tokenizer_config.json': { tokenizer_class: 'TransfoXLTokenizer' } },
    /before 4\.36 unpickles files in this folder for `TransfoXLTokenizer`/,
  ],
  'a model whose tokenizer is pickled': [model({ model_type: 'transfo-xl' }), /TransfoXLTokenizer/],
  'a processor that is no processor': [
    { ...model({}), 'preprocessor_config.json': { processor_class: 'RagRetriever' } },
    /RagRetriever/,
  ],
  'a processor in a pipeline': [
    pipeline({}, { 'image_processor/processor_config.json': { processor_class: 'RealmRetriever' } }),
    /before 5 unpickles.*RealmRetriever/,
  ],
  'a pickled class in a pipeline': [pipeline({ text: ['transformers', 'TransfoXLTokenizer'] }), /TransfoXLTokenizer/],
  'a kernel in a component without weights': [
    pipeline({}, { 'text/config.json': { _attn_implementation: 'org/repo' } }),
    /from 4\.52 to 5\.2 downloads and runs the kernel `org\/repo`/,
  ],
  'a kernel among arguments': [
    { ...model({}), 'sentence_bert_config.json': { model_args: { attn_implementation: 'org/repo' } } },
    /`org\/repo`/,
  ],
  'a pipeline in a component': [
    pipeline(
      { unet: ['diffusers', 'DDPMPipeline'] },
      { 'unet/model_index.json': { _class_name: 'DDPMPipeline', x: ['evil', 'Net'] } },
    ),
    /`evil\.Net`/,
  ],
  'a component in two letters': [pipeline({ x: 'ab' }, { 'x/a.py': 'print()' }), /imports `a\.b`/],
  'a component in two keys': [pipeline({ x: { os: 1, System: 2 } }), /imports `os\.System`/],
  'a modular pipeline': [
    {
      'modular_model_index.json': { unet: [null, null, { type_hint: ['evil', 'Net'] }] },
      'unet/diffusion_pytorch_model.safetensors': WEIGHTS,
    },
    /imports `evil\.Net`/,
  ],
  'a router between folders': [
    {
      ...sentences('sentence_transformers.models.Transformer', 'sentence_transformers.models.Router'),
      '1_Router/router_config.json': { types: { query: 'evil.Net' } },
      '1_Router/query/model.safetensors': WEIGHTS,
    },
    /`evil\.Net`/,
  ],
  'a file that timm reads': [model({ model_args: { checkpoint_path: 'notes.txt' } }), /timm.*`notes\.txt`/],
  'a file of a backbone': [model({ backbone_kwargs: { pretrained_cfg: { file: 'a' } } }), /timm/],
  'an address in capitals': [model({ architecture: ' HF-Hub:org/repo' }), /timm/],
  'a program library': [
    { 'model.onnx': '', 'genai_config.json': { model: { decoder: { custom_ops_library: 'ops.so' } } } },
    /ONNX Runtime GenAI loads the program library `ops\.so`/,
  ],
  'a tokenizer with program libraries': [
    { ...model({}), 'tokenizer_config.json': { sudachi_kwargs: { sudachi_config_path: 'sudachi.json' } } },
    /SudachiPy loads the program libraries that `sudachi\.json` names/,
  ],
  'a model of MLflow': [{ MLmodel: 'loader_module: evil', 'data/model.safetensors': WEIGHTS }, /MLflow/],
  'a model of SpeechBrain': [{ ...model({}), 'hyperparams.yaml': 'a: !new:evil.Net' }, /SpeechBrain/],
  'a backbone of OpenCLIP with weights elsewhere': [
    model({ vision_cfg: { timm_model_name: 'hf-hub:org/repo', timm_model_pretrained: true } }),
    /timm/,
  ],
  'a backbone with weights elsewhere': [model({ backbone: 'hf-hub:org/repo', use_timm_backbone: true }), /timm/],
  'a megatron of an adapter': [
    {
      ...adapter(null),
      'adapter_config.json': { peft_type: 'LORA', megatron_config: { a: 1 }, megatron_core: 'evil' },
    },
    /PEFT before 0\.20 imports `evil`/,
  ],
  'a tokenizer of an adapter that is trusted': [
    { ...adapter(null), 'adapter_config.json': { tokenizer_kwargs: { trust_remote_code: true } } },
    /loaded for training/,
  ],
  'adapters of an adapter': [
    { ...adapter(null), 'adapter_config.json': { peft_type: 'XLORA', adapters: { 0: 'local' } } },
    /PEFT before 0\.14 unpickles the weights of the adapter `local`/,
  ],
  'a detector with code of its own': [
    model({ model_type: 'lightglue', keypoint_detector_config: { auto_map: { AutoModel: 'org/repo--disk.Disk' } } }),
    /LightGlue in transformers runs/,
  ],
  'a part that is trusted': [model({ text_config: { trust_remote_code: true } }), /for a part/],
  'a profile that is written': [
    {
      ...model({}),
      'genai_config.json': { model: { decoder: { session_options: { enable_profiling: '../profile' } } } },
    },
    /GenAI writes a file whose name is `\.\.\/profile`/,
  ],
  'an unknown class in a preset of KerasHub': [
    preset({ module: 'evil', class_name: 'Policy', config: {} }),
    /`evil\.Policy`/,
  ],
  'a task in a preset of KerasHub': [
    { ...preset('float32'), 'task.json': { module: 'evil', class_name: 'Task', config: {}, registered_name: null } },
    /`evil\.Task`/,
  ],
  'a tokenizer in a folder of its own': [
    { ...model({}), 'qformer_tokenizer/tokenizer_config.json': { tokenizer_class: 'TransfoXLTokenizer' } },
    /TransfoXLTokenizer/,
  ],
  'a kind of tokenizer for an adapter': [
    { ...adapter(null), 'adapter_config.json': { tokenizer_kwargs: { tokenizer_type: 'transfo-xl' } } },
    /TransfoXLTokenizer/,
  ],
  'other weights by a file of GGUF': [
    { ...model({}), 'sentence_bert_config.json': { model_args: { gguf_file: 'other' } } },
    /`other` as an argument/,
  ],
  'a module outside of the folder': [
    {
      ...model({}),
      'modules.json': [{ path: 'a/../../b', type: 'sentence_transformers.models.Dense' }],
    },
    /`a\/\.\.\/\.\.\/b`, which is outside/,
  ],
  'a module of a router outside of the folder': [
    {
      ...model({}),
      ...{ 'modules.json': [], '1_Router/model.safetensors': WEIGHTS },
      '1_Router/router_config.json': { types: { '../../x': 'sentence_transformers.models.Dense' } },
    },
    /loads a `sentence_transformers\.models\.Dense` from outside/,
  ],
  'a vocabulary outside of the folder': [
    { ...model({}), 'tokenizer_config.json': { vocab_file: '/etc/hosts' } },
    /`\/etc\/hosts`, which is outside/,
  ],
  'a pipeline of pyannote': [
    { ...model({}), 'config.yaml': 'pipeline:\n  name: subprocess.Popen\n' },
    /pyannote\.audio/,
  ],
  'a preprocessor of pyannote': [
    { ...model({}), 'config.yml': 'preprocessors: { audio: { name: evil.Audio } }\n' },
    /`evil\.Audio`/,
  ],
  'a class of Vocos': [{ ...model({}), 'config.yaml': 'head: { class_path: evil.Head }\n' }, /`evil\.Head`/],
  'a file of timm': [model({ pretrained_cfg: { file: 'weights' } }), /timm.*`weights`/],
  'the name of a file of timm': [model({ pretrained_cfg: { hf_hub_filename: 'weights.bin' } }), /timm/],
  'prompts of another adapter': [
    { ...adapter(null), 'adapter_config.json': { prompt_tuning_init_state_dict_path: 'weights' } },
    /PEFT before 0\.14 unpickles `weights`/,
  ],
  'a modular pipeline with keys in place of a pair': [
    {
      'modular_model_index.json': { unet: [null, null, { type_hint: { 'evil.module': 1, Net: 2 } }] },
      'unet/diffusion_pytorch_model.safetensors': WEIGHTS,
    },
    /imports `evil\.module\.Net`/,
  ],
  'a task in a preset without a registered name': [
    {
      ...model({ ...PRESET, registered_name: null }),
      'task.json': { module: 'evil', class_name: 'Task', config: {}, registered_name: null },
    },
    /`evil\.Task`/,
  ],
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
    assert.ok(problems.some((problem) => problem.endsWith(safety.reason)));
  });

const HARMFUL_FILES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'objects of a preset': preset({ module: 'subprocess', class_name: 'Popen', config: { args: 'true' } }),
  'targets of Hydra': model({ net: { _target_: 'os.system', command: 'true' } }),
  'other weights': { ...model({}), 'pytorch_model.bin': HARMFUL },
  'weights of a module': dense({}, { '1_Dense/pytorch_model.bin': HARMFUL }),
  'weights of a module of a module': dense({}, { '2_Router/query_0/pytorch_model.bin': HARMFUL }),
  'weights of the only module': {
    'modules.json': [{ path: '0_Transformer', type: 'sentence_transformers.models.Transformer' }],
    '0_Transformer/pytorch_model.bin': HARMFUL,
  },
};

for (const [title, files] of Object.entries(HARMFUL_FILES))
  test(`${title} are dangerous`, async () => {
    const { safety, problems } = await read(files);
    assert.equal(safety.verdict, 'dangerous', safety.reason);
    assert.ok(problems.some((problem) => problem.includes(safety.reason)));
  });

const UNREAD: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a path under an unknown key': model({ extra_weights: '../other/weights' }),
  'a module under an unknown key': model({ text_config: { hook: 'evil.run' } }),
  'an address under an unknown key': { ...model({}), 'tokenizer_config.json': { source: 'https://example.org/a' } },
  'a file whose name has a space': model({ extra: 'my notes.txt' }),
  'options with a path for a provider': {
    ...model({}),
    'genai_config.json': {
      model: { decoder: { session_options: { provider_options: [{ npu: { plan: './a.so' } }] } } },
    },
  },
  'a configuration that is no JSON': { ...model({}), 'tokenizer_config.json': '{"a": }' },
  'a configuration that is too long': { ...model({}), 'config.json': `{"a": "${'x'.repeat(17_000_000)}"}` },
  'a configuration that takes too much work': { ...model({}), 'config.json': `[${'[],'.repeat(5_500_000)}[]]` },
  'modules in many folders': {
    ...sentences('sentence_transformers.models.Transformer'),
    ...Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`${index}_Dense/config.json`, {}])),
  },
  'weights of Flax in a pipeline': pipeline(
    { text: ['transformers', 'FlaxCLIPTextModel'] },
    { 'text/flax_model.msgpack': 'a' },
  ),
  'a program of ONNX in a pipeline': pipeline({ text: ['diffusers', 'OnnxRuntimeModel'] }, { 'text/model.onnx': 'a' }),
  'a configuration in YAML with tags': { ...model({}), 'config.yaml': 'a: !new:evil.Net {}' },
  'modules in deep folders': dense({}, { '1_Dense/a/b/c/d/e/config.json': {} }),
};

for (const [title, files] of Object.entries(UNREAD))
  test(`${title} is not checked`, async () => {
    const { safety } = await read(files);
    assert.equal(safety.verdict, 'not-checked', safety.reason);
  });

const PLAIN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a preset of KerasHub': preset('float32'),
  'texts that name no code': {
    ...model({
      _name_or_path: 'org/model',
      transformers_version: '4.57.1.dev0',
      task_specific_params: { translation: { prefix: 'translate English to German: ' } },
      torch_dtype: 'torch.float16',
      instruction: 'Represent this sentence. Then answer: ',
      id2label: { 0: 'a/b.c' },
      quantization_config: { quant_method: 'gptq', modules_to_not_convert: ['model.layers.0'] },
      trust_remote_code: true,
    }),
    'tokenizer_config.json': {
      eos_token: { content: '</s>' },
      added_tokens_decoder: { 2: { content: './a' } },
      chat_template: '{{ messages[0].content }}',
      image_end: '</image>',
    },
    'genai_config.json': {
      model: { decoder: { filename: 'decoder.onnx', inputs: { past_key_names: 'past_key_values.%d.key' } } },
    },
  },
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
  'an adapter with the defaults of its library': {
    ...adapter(null),
    'adapter_config.json': { peft_type: 'LORA', megatron_config: null, megatron_core: 'megatron.core' },
  },
  'sentence-transformers with a dense module': dense(
    { in_features: 2, out_features: 2, activation_function: 'torch.nn.modules.activation.Tanh' },
    { '1_Dense/pytorch_model.bin': pickle([0x80, 2], '}.') },
  ),
  'a modular pipeline': {
    'modular_model_index.json': { unet: ['diffusers', 'UNet2DModel', { type_hint: ['diffusers', 'UNet2DModel'] }] },
    'unet/diffusion_pytorch_model.safetensors': WEIGHTS,
    'unet/config.json': { _class_name: 'UNet2DModel' },
  },
  'a backbone of timm': model({ backbone: 'timm/resnet50', backbone_kwargs: { out_indices: [1, 2], in_chans: 3 } }),
  'a router': dense({ types: { query_0_Dense: 'sentence_transformers.models.Dense' }, structure: {} }),
  'a cross-encoder': model({
    activation_function: 'gelu_new',
    sentence_transformers: { activation_fn: 'torch.nn.modules.linear.Identity' },
  }),
  'a tokenizer and a processor': {
    ...model({ backbone: 'resnet50', rope_scaling: { type: 'linear' }, auto_map: { AutoModel: 'model.Model' } }),
    'tokenizer_config.json': { tokenizer_class: 'LlamaTokenizer', auto_map: { AutoTokenizer: ['t.T', null] } },
    'preprocessor_config.json': { image_processor_type: 'CLIPImageProcessor', processor_class: 'LlavaProcessor' },
  },
  'names that a model only shows': {
    ...model({
      quantization_config: {
        quant_method: 'gptq',
        checkpoint_format: 'gptq',
        meta: { quantizer: ['gptqmodel:1.4.0'] },
      },
      text_encoder: { task_specific_params: { summarization: { prefix: 'a: b.c' } } },
      label_names: ['n01.x'],
    }),
    'preprocessor_config.json': { class_info_file: 'coco_panoptic.json', repo_path: 'shi-labs/oneformer_demo' },
    'data_config.json': [{ name: 'a/b.jsonl.gz' }],
  },
  'an adapter at a revision': {
    'adapter_config.json': { peft_type: 'LORA', revision: 'refs/pr/3', prompt_tuning_init_text: 'See https://a.b/c' },
    'adapter_model.safetensors': WEIGHTS,
  },
  'numbers that only Python writes': model('{"time_step_limit": [0.0, Infinity], "pad": NaN, "text": "a\\"NaN"}'),
  'configurations in YAML': {
    ...model({}),
    'config.yaml': 'pipeline: { name: pyannote.audio.pipelines.SpeakerDiarization }\ndata: /home/me/train.csv\n',
  },
  'a model of timm': model({
    architecture: 'vit_small_patch16.augreg',
    pretrained_cfg: { tag: 'a.b', url: 'https://a.b/c.pth', first_conv: 'patch_embed.proj', custom_load: false },
  }),
  'a tokenizer in its own folder': {
    ...model({}),
    ...{ 'tokenizer/tokenizer_config.json': { tokenizer_class: 'BertTokenizer', vocab_file: './vocab.txt' } },
  },
  'a pipeline with its own Python': pipeline({}, { 'pipeline.py': 'print()' }),
  'a pipeline': pipeline({ scheduler: ['diffusers', 'DDPMScheduler'], feature: [null, null], size: [64, 64] }),
  'a pipeline with a safety checker': pipeline({ safety: ['stable_diffusion', 'StableDiffusionSafetyChecker'] }),
  'a pipeline with an image encoder': pipeline({ image_embedder: ['flux', 'ReduxImageEncoder'] }),
};

for (const [title, files] of Object.entries(PLAIN))
  test(`${title} runs nothing`, async () => {
    const { safety } = await read(files);
    assert.equal(safety.verdict, 'no-code', safety.reason);
  });

test('short text in a configuration is judged at once', async () => {
  const { safety } = await read(model({ note: `1.${'a'.repeat(40)}!`, version: '4.57.0.dev0', torch: '2.1.0+cu121' }));
  assert.match(safety.reason, /under `note`/);
});

test("a LoRA file's metadata is judged as the configuration of an adapter", async () => {
  const file = (metadata: object) =>
    readCheckpoint(
      join(
        write({
          'lora.safetensors': safetensorsOf({ weight: [2, 2] }, { lora_adapter_metadata: JSON.stringify(metadata) }),
        }),
        'lora.safetensors',
      ),
    );
  assert.equal((await file({ 'unet.megatron_core': 'evil' })).safety.verdict, 'needs-trust');
  assert.equal((await file({ 'unet.r': 8, 'unet.target_modules': ['to_q.0'] })).safety.verdict, 'no-code');
});

test('a list of parts or a pipeline does not hide a pickle, and links to a folder are followed once', async () => {
  const hiding = (list: Readonly<Record<string, unknown>>) => write({ ...model({}), ...list, 'head.pkl': HARMFUL });
  for (const folder of [hiding({ 'modules.json': [] }), hiding(pipeline({}))]) {
    symlinkSync('.', join(folder, 'a'));
    symlinkSync('.', join(folder, 'b'));
    assert.deepEqual(await filesAt(folder), [folder, join(folder, 'head.pkl')]);
    const found = (await filesAt(dirname(folder))).filter((file) => file.startsWith(folder));
    assert.deepEqual(found, [folder, join(folder, 'head.pkl')]);
    rmSync(folder, { recursive: true });
  }
});

test('a folder of models lists configurations that run code, also where no weights are', async () => {
  const router = { 'modules.json': [], '1_Router/query/model.safetensors': WEIGHTS };
  const folder = write({
    'a/tokenizer/tokenizer_config.json': { tokenizer_class: 'TransfoXLTokenizer' },
    'b/tokenizer/tokenizer_config.json': { tokenizer_class: 'BertTokenizer' },
    ...Object.fromEntries(Object.entries(router).map(([name, content]) => [`c/${name}`, content])),
    'd/model.fp16.safetensors': WEIGHTS,
    'd/config.json': { _attn_implementation: 'org/repo' },
    'e/open_clip_model.safetensors': WEIGHTS,
    'e/open_clip_config.json': { model_cfg: { vision_cfg: { timm_model_name: 'hf-hub:org/repo' } } },
  });
  const found = (await filesAt(folder)).map((file) => relative(folder, file));
  const weights = [join('d', 'model.fp16.safetensors'), join('e', 'open_clip_model.safetensors')];
  assert.deepEqual(found, [join('a', 'tokenizer'), 'c', ...weights]);
  for (const name of weights)
    assert.equal((await readCheckpoint(join(folder, name))).safety.verdict, 'needs-trust', name);
});

test('a folder search lists pickles of any name, and no other files', async () => {
  const agent = (second: string) =>
    zipWith([
      { name: 'data', content: Buffer.from('{}') },
      { name: second, content: Buffer.from('{}') },
    ]);
  const folder = write({
    ...Object.fromEntries(['a.mdl', 'b.pdparams', 'c.distcp', 'd.ckpt-1000', 'e.chk'].map((name) => [name, HARMFUL])),
    ...{ 'f.blob': gzipSync(HARMFUL), 'g.pkl.xz': 'xz', 'h.zip': agent('policy.pth') },
    ...{
      'notes.mdl': 'text',
      'picture.raw': Buffer.alloc(9),
      'texts.zip': agent('other.json'),
      'log.blob': gzipSync('text'),
    },
  });
  const found = (await filesAt(folder)).map((file) => relative(folder, file));
  assert.deepEqual(found, ['a.mdl', 'b.pdparams', 'c.distcp', 'd.ckpt-1000', 'e.chk', 'f.blob', 'g.pkl.xz', 'h.zip']);
  assert.equal((await readCheckpoint(join(folder, 'h.zip'))).safety.verdict, 'needs-trust');
});
