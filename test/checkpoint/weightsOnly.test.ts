/** Files that `weights_only=True` refuses, by version of torch, compared with PyTorch's own results. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import { blockersUnder, loads } from '../../server/src/checkpoint/formats/torch/weightsOnly.ts';
import { isAllowed } from '../../server/src/checkpoint/pickle/allowList.ts';
import { allowingCode } from '../../server/src/checkpoint/pickle/safeGlobals.ts';
import { readBytes, readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { zipWith } from './archiveWriter.ts';
import { bytesOf, legacy, pickle } from './pickleWriter.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

interface Results {
  readonly allowed: readonly string[];
  readonly files: Readonly<Record<string, { readonly loads: boolean; readonly globals: readonly string[] | null }>>;
}
const results: Record<string, Results> = JSON.parse(readFileSync(join(FIXTURES, 'weights_only.json'), 'utf8'));
const everAllowed = new Set([
  ...Object.values(results).flatMap(({ allowed }) => allowed),
  'torch._utils._rebuild_nested_tensor',
]);

/** Files that `torch.load` does not accept as checkpoints, regardless of `weights_only`. */
const OTHER_FORMATS = /plain.*\.pkl|scripted|traced|exported|package|safetensors/;
/** Debian's build had renamed this function; no release has it on its list. */
const DEBIAN_ONLY = 'torch._utils._rebuild_sparse_csr_tensor';

for (const [version, { allowed, files }] of Object.entries(results)) {
  test(`torch ${version} allows these imports and no others`, () => {
    const ours = [...everAllowed].filter((name) => isAllowed(name, version)).sort();
    assert.deepEqual(
      ours,
      allowed.filter((name) => name !== DEBIAN_ONLY),
    );
  });
  for (const [name, { loads: loaded, globals }] of Object.entries(files))
    test(`torch ${version} ${loaded ? 'loads' : 'refuses'} ${name}`, async () => {
      const blockers = blockersUnder(await readCheckpoint(join(FIXTURES, name)), version);
      assert.equal(blockers !== undefined, !OTHER_FORMATS.test(name));
      if (!blockers) return;
      assert.equal(loads(blockers), loaded);
      if (globals) assert.deepEqual([...blockers.globals].sort(), globals);
    });
}

test('safe globals are recommended if they help', async () => {
  const checkpoint = await readCheckpoint(join(FIXTURES, 'torch/namespace.pt'));
  const ask = (torch: string) => blockersUnder(checkpoint, torch);
  assert.deepEqual(ask('2.6.0+cu124'), {
    globals: ['argparse.Namespace'],
    opcodes: [],
    calls: [],
    needsWindows: false,
    remedy: [{ module: 'argparse', text: 'argparse.Namespace' }],
  });
  assert.equal(ask('2.3.1')?.remedy, undefined);
  assert.equal(ask('1.12.1'), undefined);
  const ofProtocol4 = blockersUnder(await readCheckpoint(join(FIXTURES, 'torch/protocol4.pt')), '2.15');
  assert.equal(ofProtocol4?.remedy, undefined);
  assert.ok(ofProtocol4?.opcodes.includes('STACK_GLOBAL'));
});

/** Arguments of `add_safe_globals`, each tested with torch 2.15 and NumPy 2.4. */
const remedies: Record<string, readonly string[] | undefined> = {
  // A layer's state contains more than data: allowing layers would let any file set it.
  'torch/whole_linear.pt': undefined,
  'torch/numpy.pt': [
    '(numpy.zeros(0).__reduce__()[0], "numpy.core.multiarray._reconstruct")',
    'numpy.ndarray',
    'numpy.dtype',
    'type(numpy.dtype("f8"))',
  ],
  'torch/whole_own.pt': undefined,
};

for (const [name, wanted] of Object.entries(remedies))
  test(`safe globals for ${name}`, async () => {
    const remedy = blockersUnder(await readCheckpoint(join(FIXTURES, name)), '2.15')?.remedy;
    assert.deepEqual(
      remedy?.map(({ text, alias }) => (alias ? `(${text}, "${alias}")` : text)),
      wanted,
    );
  });

test('calls with arguments that only newer releases accept', async () => {
  for (const [name, before, since] of [
    ['forms/conjugated.pt', '1.13', '2.0'],
    ['forms/sparse_bsr.pt', '1.13', '2.0'],
    ['forms/sparse_coo.pt', '2.0', '2.1'],
  ] as const) {
    const checkpoint = await readCheckpoint(join(FIXTURES, name));
    const isLoaded = (torch: string) => loads(blockersUnder(checkpoint, torch) ?? assert.fail());
    assert.deepEqual([before, since].map(isLoaded), [false, true], name);
    assert.match(checkpoint.safety.reason, new RegExp(`in torch ${since.replace('.', '\\.')} and newer`));
  }
});

test('the first torch that accepts a file', async () => {
  for (const [name, version] of [
    ['torch/cpu.pt', '1.13'],
    ['torch/nothing.pt', '1.13'],
    ['recent/kinds.pt', '2.'],
  ] as const) {
    const { safety } = await readCheckpoint(join(FIXTURES, name));
    assert.ok(safety.reason.startsWith(`It loads with \`weights_only=True\` in torch ${version}`), safety.reason);
  }
});

test('the name in the file of something that NumPy moved can be given since torch 2.6 only', async () => {
  const checkpoint = await readCheckpoint(join(FIXTURES, 'torch/numpy.pt'));
  assert.equal(blockersUnder(checkpoint, '2.5.1')?.remedy, undefined);
});

test('the code that allows imports is one line of Python', () => {
  const code = allowingCode([
    { module: 'numpy', text: 'numpy.ndarray' },
    { module: 'numpy', text: 'type(numpy.dtype("f8"))' },
    { module: 'pathlib', text: 'pathlib.PosixPath', alias: 'pathlib._local.PosixPath' },
    { text: 'set' },
  ]);
  const given = 'numpy.ndarray, type(numpy.dtype("f8")), (pathlib.PosixPath, "pathlib._local.PosixPath"), set';
  assert.equal(code, `import torch; import numpy; import pathlib; torch.serialization.add_safe_globals([${given}])`);
});

const P2 = [0x80, 2];
const refused: Record<string, Buffer> = {
  'a container that `weights_only=True` puts nothing into': pickle(
    P2,
    'ccollections\ndefaultdict\nc__builtin__\nlist\n',
    0x85,
    'RK',
    1,
    ']s.',
  ),
  'an object whose type no import names': pickle(
    P2,
    'cnumpy.random._pickle\n__randomstate_ctor\nU',
    7,
    'MT19937',
    0x85,
    'R}b.',
  ),
  'a function that unpickles bytes': pickle(P2, 'ctorch.storage\n_load_from_bytes\n', bytesOf(legacy()), 0x85, 'R.'),
  'a constant': pickle(P2, 'c__builtin__\nEllipsis\n.'),
  'a function that no such torch has': pickle(P2, 'ctorch._utils\n_rebuild_sparse_csr_tensor\n.'),
  'a Windows path': pickle(P2, 'cpathlib\nWindowsPath\nU', 1, 'C', 0x85, 'R.'),
  'a whole model with the source of its classes': pickle(
    P2,
    '(U',
    6,
    'modulectorch.nn.modules.linear\nIdentity\nU',
    1,
    'fU',
    1,
    'stQ)',
    0x81,
    '}b.',
  ),
};

for (const [name, content] of Object.entries(refused))
  test(`no allowed global helps against ${name}`, async () => {
    const archive = zipWith([
      { name: 'a/data.pkl', content },
      { name: 'a/version', content: Buffer.from('3\n') },
    ]);
    const checkpoint = await readBytes(inMemory(archive));
    const blockers = blockersUnder(checkpoint, '2.15');
    assert.ok(blockers && !loads(blockers));
    assert.equal(blockers.remedy, undefined);
    assert.doesNotMatch(checkpoint.safety.reason, /add_safe_globals/);
    assert.equal(blockers.needsWindows, name === 'a Windows path');
  });
