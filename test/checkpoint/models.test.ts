/** Models that other programs serve or run, as their own libraries write them. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import type { SafetyVerdict } from '../../server/src/checkpoint/checkpoint.ts';
import { readTarMembers } from '../../server/src/checkpoint/encodings/tar.ts';
import { readBytes, readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { npyWith, tarWith, type ZipMember, zipWith } from './archiveWriter.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const read = (name: string) => readCheckpoint(join(FIXTURES, name));
const WEIGHTS = [
  ['layer.weight', 'float32', [2, 2]],
  ['layer.bias', 'float32', [2]],
];

for (const name of ['speech.nemo', 'packed.nemo'])
  test(`${name} lists the weights in it and is judged by them`, async () => {
    const checkpoint = await read(`models/${name}`);
    assert.equal(checkpoint.format, 'nemo');
    assert.equal(checkpoint.writtenBy, 'NeMo 1.23.0');
    assert.deepEqual(
      checkpoint.tensors.map(({ name, dtype, shape }) => [name, dtype, shape]),
      WEIGHTS,
    );
    assert.equal(checkpoint.safety.verdict, 'weights-only');
    assert.deepEqual(checkpoint.problems, []);
  });

/** Returns a NeMo archive with the fixture's weights and the given files. */
async function nemoWith(configuration: string, more: { name: string; content: Buffer }[] = []): Promise<Buffer> {
  const { members } = await readTarMembers(inMemory(await readFile(join(FIXTURES, 'models/speech.nemo'))));
  const [weights] = [...members].filter(([name]) => name.endsWith('.ckpt'));
  assert.ok(weights);
  const [name, content] = weights;
  return tarWith([
    { name: './model_config.yaml', content: Buffer.from(configuration) },
    { name, content: await content.read(0, content.size) },
    ...more,
  ]);
}

const MODEL = 'target: nemo.collections.asr.models.ctc_models.EncDecCTCModel\n';
const configurations: readonly (readonly [verdict: SafetyVerdict, configuration: string])[] = [
  ['weights-only', `${MODEL}encoder:\n  _target_: nemo.collections.asr.modules.ConvASREncoder\n`],
  ['weights-only', `${MODEL}optim: { _target_: torch.optim.adamw.AdamW, lr: 0.1 }\n`],
  ['weights-only', `${MODEL}# target: os.system\nnote: "target: os.system"\n`],
  ['weights-only', `a: &a\n  again: *a\n${MODEL}`],
  [
    'weights-only',
    `${MODEL}labels: [' ', '!', "'", a] # and ! others\nloss: { _target_: torch.nn.CrossEntropyLoss }\n`,
  ],
  ['weights-only', `${MODEL}rate: 16000\nwindow: \${multiply:\${rate},2}\nfeatures: \${rate}\nwhen: \${now:%Y}\n`],
  ['weights-only', `${MODEL}data: { _target_: nemo.collections.tts.torch.data.TTSDataset, rate: !!int 3 }\n`],
  ['weights-only', `${MODEL}tokenizer: { library: huggingface, trust_remote_code: false }\n`],
  ['needs-trust', `${MODEL}tokenizer: { library: huggingface, type: org/repo, trust_remote_code: true }\n`],
  ['needs-trust', `${MODEL}encoder: { hf_trust_remote_code: true }\n`],
  ['needs-trust', 'target: own.models.Network\n'],
  ['not-checked', `${MODEL}infer_target: own.models.Network\n`],
  ['not-checked', `${MODEL}functions:\n  - os.system\n`],
  [
    'weights-only',
    `${MODEL}data: { manifest: train.json, activation: torch.nn.ReLU }\nvocab: nemo:ab_vocab.txt\noptim: adam.w\n`,
  ],
  ['needs-trust', 'target: nemo.collections.asr.modules.run.Module\n'],
  ['needs-trust', `${MODEL}x: { _target_: torch.nn.modules.module.torch._C.PyTorchFileWriter }\n`],
  ['needs-trust', `${MODEL}x: { _target_: nemo.collections.asr.models.ctc_models.torch.FileStore }\n`],
  ['suspicious', `${MODEL}name: posix\nx: { _target_: "\${name}.system" }\n`],
  ['not-checked', `${MODEL}x: \${oc.decode:"{_target_: a}"}\n`],
  ['not-checked', `${MODEL}a: oc.decode\nx: '\${\${a}:"{_target_: a}"}'\n`],
  ['not-checked', `${MODEL}a: decode\nx: '\${oc.\${a}:"{_target_: a}"}'\n`],
  ['not-checked', `${MODEL}x: !own [1]\n`],
  ['not-checked', `${MODEL}x: 1\nx: 2\n`],
  ['not-checked', `${MODEL}x: ${'['.repeat(200)}${']'.repeat(200)}\n`],
  ['not-checked', `%TAG ! tag:example.org,2026:own/\n---\n${MODEL}`],
  ...['\u0085', '\u2028', '\u2029', '\r', '\ufeff', '\v'].map((end): readonly [SafetyVerdict, string] => [
    'not-checked',
    `${MODEL}# note${end}x: { _target_: posix.system }\n`,
  ]),
  ['suspicious', `${MODEL}cmd: !!python/object/apply:os.system [id]\n`],
  ['dangerous', `${MODEL}encoder:\n  layers:\n    - "_t\\x61rget_": subprocess.Popen\n`],
  ['dangerous', 'target: nemo.collections.asr.os.system\n'],
  ['dangerous', `${MODEL}{"a": {"_target_": "builtins.eval"}}`.slice(MODEL.length)],
  ['not-checked', `${MODEL}a: [1\n`],
  ['not-checked', '['.repeat(100_000)],
  ['not-checked', `${MODEL}#${'-'.repeat(1024 * 1024)}`],
];

test('a NeMo archive is also judged by the names in its configuration', async () => {
  for (const [verdict, configuration] of configurations) {
    const { format, safety, problems } = await readBytes(inMemory(await nemoWith(configuration)));
    assert.equal(format, 'nemo');
    assert.equal(safety.verdict, verdict, `${configuration.slice(0, 80)}: ${safety.reason}`);
    assert.deepEqual(
      problems,
      verdict === 'weights-only' ? [] : [safety.reason],
      'what is to be acted on is a problem',
    );
  }
});

test('every configuration in a NeMo archive is judged', async () => {
  const content = Buffer.from('x: { _target_: posix.system }\n');
  for (const name of ['model_config.yaml', 'decoder.yaml', './tokenizer.yaml']) {
    const { safety } = await readBytes(inMemory(await nemoWith(MODEL, [{ name, content }])));
    assert.equal(safety.verdict, 'dangerous', name);
  }
  const plain = await readBytes(
    inMemory(await nemoWith(MODEL, [{ name: 'words.yaml', content: Buffer.from('- a\n') }])),
  );
  assert.equal(plain.safety.verdict, 'weights-only', plain.safety.reason);
});

test('weights of a NeMo archive that others overwrite or accompany are not called harmless', async () => {
  const evil = Buffer.from("cposix\nsystem\n(S'id'\ntR.");
  for (const name of ['model_weights.ckpt', './/model_weights.ckpt', 'x/../model_weights.ckpt', 'second.ckpt']) {
    const { safety } = await readBytes(inMemory(await nemoWith(MODEL, [{ name, content: evil }])));
    assert.match(safety.verdict, /dangerous|not-checked/, name);
  }
});

test('a TorchServe archive lists the weights in it and needs trust if it contains code', async () => {
  const checkpoint = await read('models/served.mar');
  assert.equal(checkpoint.format, 'torchserve');
  assert.deepEqual(checkpoint.about, ['It is the model `served`, version 1.0, served by `own_handler.py`.']);
  assert.deepEqual(
    checkpoint.tensors.map(({ name, dtype, shape }) => [name, dtype, shape]),
    WEIGHTS,
  );
  assert.equal(checkpoint.safety.verdict, 'needs-trust');
  assert.deepEqual(checkpoint.problems, []);
});

const manifest = (model: object) => ({
  name: 'MAR-INF/MANIFEST.json',
  content: Buffer.from(JSON.stringify({ runtime: 'python', model: { modelName: 'm', ...model } })),
});
const array = {
  name: 'weights.npy',
  content: npyWith("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", Buffer.alloc(4)),
};
const EVIL = Buffer.from("cposix\nsystem\n(S'id'\ntR.");
const ownHandler = manifest({ handler: 'image_classifier', serializedFile: 'weights.npy' });

const configured = (configFile: string) =>
  manifest({ handler: 'image_classifier', serializedFile: 'weights.npy', configFile });

type Served = readonly [name: string, members: readonly ZipMember[], verdict: SafetyVerdict, reason: RegExp];
const served: readonly Served[] = [
  ['a TorchServe handler', [ownHandler, array], 'no-code', /numpy/],
  [
    'labels and settings',
    [
      ownHandler,
      array,
      { name: 'index_to_name.json', content: Buffer.from('{"0": "cat!"}') },
      { name: 'model-config.yaml', content: Buffer.from('minWorkers: 1 # all!\n') },
      { name: 'words.txt', content: Buffer.from('!\n"\n#\n') },
    ],
    'no-code',
    /numpy/,
  ],
  [
    'a handler under another name',
    [manifest({ handler: 'own', serializedFile: 'weights.npy' }), array],
    'needs-trust',
    /`own`/,
  ],
  ['no handler', [manifest({ serializedFile: 'weights.npy' }), array], 'needs-trust', /`none`/],
  ...[
    'own.pyc',
    'own/__init__.py',
    'own.cpython-312-x86_64-linux-gnu.so',
    'requirements.txt',
    '__pycache__/a.cpython-312.pyc',
  ].map(
    (name): Served => [
      `\`${name}\``,
      [ownHandler, array, { name, content: Buffer.from('x') }],
      'needs-trust',
      /code that TorchServe runs or installs/,
    ],
  ),
  [
    'requirements under another name',
    [
      manifest({ handler: 'image_classifier', serializedFile: 'weights.npy', requirementsFile: 'deps.txt' }),
      array,
      { name: 'deps.txt', content: Buffer.from('own-package') },
    ],
    'needs-trust',
    /`deps\.txt`/,
  ],
  [
    'requirements by another path',
    [
      manifest({ handler: 'image_classifier', serializedFile: 'weights.npy', requirementsFile: './a/../deps.txt' }),
      array,
      { name: 'deps.txt', content: Buffer.from('own-package') },
    ],
    'needs-trust',
    /`deps\.txt`/,
  ],
  [
    'options of pip instead of requirements',
    [
      manifest({ handler: 'image_classifier', serializedFile: 'weights.npy', requirementsFile: 'a.txt -i http://b' }),
      array,
    ],
    'needs-trust',
    /runs or installs/,
  ],
  [
    'a module around its handler',
    [manifest({ handler: 'image_classifier', serializedFile: 'weights.npy', envelope: 'own' }), array],
    'needs-trust',
    /`envelope`/,
  ],
  ['a pickle', [ownHandler, array, { name: 'source_vocab.pt', content: EVIL }], 'dangerous', /source_vocab/],
  [
    'a pickle with the suffix of text',
    [ownHandler, array, { name: 'words.txt', content: EVIL }],
    'dangerous',
    /words\.txt/,
  ],
  [
    'bytes of an unknown kind',
    [ownHandler, array, { name: 'extra', content: Buffer.from([1, 2, 3]) }],
    'not-checked',
    /`extra`/,
  ],
  [
    'tags in its settings',
    [
      ownHandler,
      array,
      { name: 'model-config.yaml', content: Buffer.from('a: !!javax.script.ScriptEngineManager []\n') },
    ],
    'not-checked',
    /model-config\.yaml/,
  ],
  ...[
    'a: {"b":!!python/object/apply:os.getcwd []}\n',
    '{"a":!!javax.script.ScriptEngineManager []}',
    '%TAG ! tag:yaml.org,2002:python/\n---\na: !object/apply:os.getcwd []\n',
    'a: [\n',
  ].map(
    (text): Served => [
      `settings such as ${JSON.stringify(text)}`,
      [ownHandler, array, { name: 'model-config.yaml', content: Buffer.from(text) }],
      'not-checked',
      /model-config\.yaml/,
    ],
  ),
  [
    'settings with quotes and flow style',
    [configured('settings.yaml'), array, { name: 'settings.yaml', content: Buffer.from('{"a":"!!x", b: \'!y\'}\n') }],
    'no-code',
    /numpy/,
  ],
  [
    'settings that only the manifest identifies',
    [configured('settings.txt'), array, { name: 'settings.txt', content: Buffer.from('a: !!java.net.URL ["x"]\n') }],
    'not-checked',
    /settings\.txt/,
  ],
  [
    'plain settings that only the manifest identifies',
    [configured('./settings.txt'), array, { name: 'settings.txt', content: Buffer.from('minWorkers: 1\n') }],
    'no-code',
    /numpy/,
  ],
  [
    'settings that are also its weights',
    [configured('weights.npy'), array],
    'not-checked',
    /`weights\.npy`, are not plain YAML/,
  ],
  ['missing settings', [configured('../settings.yaml'), array], 'not-checked', /settings\.yaml/],
  ...(
    [
      ['compile: { enable: true, backend: inductor, mode: max-autotune }', 'no-code', /numpy/],
      ['compile: { enable: true, options: { max_autotune: true } }', 'no-code', /numpy/],
      ['compile: { enable: true, options: { cuda.cuda_cxx: own/compiler } }', 'needs-trust', /`own\/compiler`/],
    ] as const
  ).map(
    ([settings, verdict, reason]): Served => [
      `settings for torch.compile such as ${settings}`,
      [configured('s.yaml'), array, { name: 's.yaml', content: Buffer.from(`batchSize: 4\npt2: { ${settings} }\n`) }],
      verdict,
      reason,
    ],
  ),
  [
    'a setting that is not known',
    [configured('s.yaml'), array, { name: 's.yaml', content: Buffer.from('hooks: own.module\n') }],
    'not-checked',
    /`own\.module` under `hooks`/,
  ],
];

for (const [name, members, verdict, reason] of served)
  test(`a TorchServe archive with ${name}: ${verdict}`, async () => {
    const { format, safety } = await readBytes(inMemory(zipWith(members)));
    assert.equal(format, 'torchserve');
    assert.equal(safety.verdict, verdict, safety.reason);
    assert.match(safety.reason, reason);
  });

test('a part of a SavedModel is not called harmless on its own', async () => {
  const { safety } = await read('tensorflow/keras2/keras_metadata.pb');
  assert.equal(safety.verdict, 'not-checked');
});
