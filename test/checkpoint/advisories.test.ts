/** Forms that other scanners missed, from their advisories, each with a harmless payload. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import { judgeKerasConfiguration } from '../../server/src/checkpoint/formats/keras/configuration.ts';
import { readBytes, readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { pickle, stackGlobal, text } from './pickleWriter.ts';
import { zipOf } from './zipWriter.ts';

const verdictOf = async (bytes: Buffer) => (await readBytes(inMemory(bytes))).safety.verdict;

/** Functions that run their argument and that a scanner did not know. */
const FUNCTIONS: readonly (readonly [advisory: string, module: string, name: string])[] = [
  // picklescan: https://github.com/mmaitre314/picklescan/security/advisories
  ['GHSA-655q-fx9r-782v', 'pip', 'main'],
  ['GHSA-v7x6-rv5q-mhwc', 'timeit', 'timeit'],
  ['GHSA-9w88-8rmg-7g2p', 'cProfile', 'runctx'],
  ['GHSA-fqq6-7vqf-w3fg', 'doctest', 'debug_script'],
  ['GHSA-xp4f-hrf8-rxw7', 'ensurepip', '_run_pip'],
  ['GHSA-3gf5-cxq9-w223', 'idlelib.pyshell', 'ModifiedInterpreter.runcode'],
  ['GHSA-j343-8v2j-ff7w', 'idlelib.pyshell', 'ModifiedInterpreter.runcommand'],
  ['GHSA-m869-42cg-3xwr', 'idlelib.run', 'Executive.runcode'],
  ['GHSA-p9w7-82w4-7q8m', 'lib2to3.pgen2.pgen', 'ParserGenerator.make_label'],
  ['GHSA-86cj-95qr-2p4f', 'torch._dynamo.guards', 'GuardBuilder.get'],
  ['GHSA-f4x7-rfwp-v3xw', 'torch.fx.experimental.symbolic_shapes', 'ShapeEnv.evaluate_guards_expression'],
  ['GHSA-vr7h-p6mm-wpmh', 'torch.jit.unsupported_tensor_ops', 'execWrapper'],
  ['GHSA-vv6j-3g6g-2pvj', 'torch.utils._config_module', 'ConfigModule.load_config'],
  ['GHSA-4r9r-ch6f-vxmx', 'torch.utils.bottleneck.__main__', 'run_cprofile'],
  ['GHSA-4whj-rm5r-c2v8', 'torch.utils.bottleneck.__main__', 'run_autograd_prof'],
  ['GHSA-f745-w6jp-hpxx', 'torch.utils.collect_env', 'run'],
  ['GHSA-h3qp-7fh3-f8h4', 'torch.utils.data.datapipes.utils.decoder', 'basichandlers'],
  ['GHSA-vvpj-8cmc-gx39', 'pkgutil', 'resolve_name'],
  ['CVE-2025-10157', 'asyncio.unix_events', '_UnixSubprocessTransport._start'],
  ['CVE-2026-56315', 'uuid', '_get_command_stdout'],
  ['CVE-2026-56315', 'imaplib', 'IMAP4_stream'],
  ['CVE-2026-56315', '_pyrepl.pager', 'pipe_pager'],
  ['CVE-2026-56315', '_osx_support', '_read_output'],
  ['CVE-2026-56315', '_aix_support', '_read_cmd_output'],
  // fickling: https://github.com/trailofbits/fickling/security/advisories
  ['GHSA-r7v6-mfhq-g3m2', 'pty', 'spawn'],
  ['GHSA-565g-hwwr-4pp3', 'marshal', 'loads'],
  ['GHSA-565g-hwwr-4pp3', 'types', 'FunctionType'],
  ['GHSA-wfq2-52f7-7qvj', 'runpy', 'run_path'],
  ['GHSA-p523-jq9w-64x9', 'cProfile', 'run'],
  ['GHSA-5hvc-6wx8-mvv4', 'pydoc', 'locate'],
  ['GHSA-q5qq-mvfm-j35x', 'ctypes', 'CDLL'],
  ['GHSA-q5qq-mvfm-j35x', 'importlib', 'import_module'],
  ['GHSA-q5qq-mvfm-j35x', 'code', 'InteractiveInterpreter'],
  ['GHSA-q5qq-mvfm-j35x', 'multiprocessing.util', 'spawnv_passfds'],
];

for (const [advisory, module, name] of FUNCTIONS)
  test(`${advisory}: ${module}.${name}`, async () => {
    const call = pickle([0x80, 4], stackGlobal(module, name), text('echo harmless'), 0x85, 'R.');
    assert.equal(await verdictOf(call), 'dangerous');
    const old = pickle(`c${module}\n${name}\n(S'echo harmless'\ntR.`);
    assert.equal(await verdictOf(old), 'dangerous');
  });

const SYSTEM = pickle([0x80, 2], 'cos\nsystem\n', 'X', [13, 0, 0, 0], 'echo harmless', 0x85, 'R.');

const files: Readonly<Record<string, () => Buffer>> = {
  // https://github.com/mmaitre314/picklescan/issues/13
  'an import by INST': () => pickle('(', "S'echo harmless'\n", 'ios\nsystem\n.'),
  // https://github.com/mmaitre314/picklescan/issues/14
  'a memo that is numbered in two ways': () =>
    pickle(
      [0x80, 4],
      'U',
      2,
      'os',
      'q',
      0,
      '0U',
      6,
      'system',
      'q',
      1,
      '0',
      text('torch._utils'),
      0x94,
      '0',
      text('_rebuild_tensor_v2'),
      0x94,
      '0h',
      0,
      'h',
      1,
      0x93,
      text('echo harmless'),
      0x85,
      'R.',
    ),
  'GHSA-769v-p64c-89pr: a pickle that has another one loaded, under a meaningless name': () =>
    zipOf(
      'model/data.pkl',
      pickle([0x80, 2], 'ctorch.serialization\nload\n', 'X', [8, 0, 0, 0], 'config.p', 0x85, 'R.'),
    ),
  'GHSA-w8jq-xcqf-f792: an encryption flag': () => {
    const zip = zipOf('model/data.pkl', SYSTEM);
    zip.writeUInt16LE(1, 6);
    zip.writeUInt16LE(1, zip.indexOf('PK\x01\x02', 0, 'latin1') + 8);
    return zip;
  },
  'GHSA-7q5r-7gvp-wc82: a local header with another name than the directory': () => {
    const zip = zipOf('model/data.pkl', SYSTEM);
    zip.write('model/nothing!', 30);
    return zip;
  },
  'CVE-2025-10156: a wrong checksum': () => {
    const zip = zipOf('model/data.pkl', SYSTEM);
    zip.writeUInt32LE(0xdeadbeef, zip.indexOf('PK\x01\x02', 0, 'latin1') + 16);
    return zip;
  },
};

for (const [name, file] of Object.entries(files))
  test(name, async () => assert.equal(await verdictOf(file()), 'dangerous'));

test('CVE-2025-32434: the tar format, which weights_only=True once unpickled without checks', async () => {
  const tar = readFileSync(join(import.meta.dirname, 'fixtures/torch/tar.pt'));
  assert.equal(await verdictOf(tar), 'not-checked');
  const at = tar.indexOf('ccollections\nOrderedDict\n');
  const attack = pickle('cos\nsystem\n', '0'.repeat(13));
  attack.copy(tar, at);
  assert.equal(await verdictOf(tar), 'dangerous');
});

/** Configurations that made Keras import or run code: https://github.com/keras-team/keras/security/advisories */
const configurations: Readonly<Record<string, readonly [object, string]>> = {
  'CVE-2025-1550: a function of any module': [
    { module: 'os', class_name: 'function', config: 'system', registered_name: 'system' },
    'dangerous',
  ],
  'CVE-2025-8747: a Keras function that downloads': [
    { module: 'keras.utils', class_name: 'function', config: 'get_file', registered_name: 'get_file' },
    'dangerous',
  ],
  'CVE-2025-9906: a Keras function that disables safe mode': [
    { module: 'keras.config', class_name: 'function', config: 'enable_unsafe_deserialization' },
    'dangerous',
  ],
  'CVE-2025-9905: the code of a Lambda layer': [
    { class_name: 'Lambda', config: { function: ['4wEA', null, null], function_type: 'lambda' } },
    'needs-trust',
  ],
  'CVE-2025-49655: a pickled PyTorch module': [
    { module: 'keras.layers', class_name: 'TorchModuleWrapper', config: { module: 'gAJ9' } },
    'needs-trust',
  ],
  'a Keras activation': [{ module: 'keras.activations', class_name: 'function', config: 'relu' }, 'no-code'],
  'a registered function': [{ module: 'builtins', class_name: 'function', config: 'mine>act' }, 'no-code'],
};

for (const [name, [layer, verdict]] of Object.entries(configurations))
  test(name, () => {
    const configuration = { class_name: 'Sequential', config: { layers: [layer] } };
    assert.equal(judgeKerasConfiguration(configuration, 'hdf5').safety.verdict, verdict);
  });

test('CVE-2026-1669: an HDF5 file that makes the library read another file', async () => {
  const { safety } = await readCheckpoint(join(import.meta.dirname, 'fixtures/keras/outside.h5'));
  assert.equal(safety.verdict, 'suspicious');
});

test('data types of the standard library with names like those in attacks are not dangerous', async () => {
  const verdict = await verdictOf(pickle([0x80, 2], 'cuuid\nUUID\n', ')', 0x81, '.'));
  assert.notEqual(verdict, 'dangerous');
});
