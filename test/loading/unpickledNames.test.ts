import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Here } from '../../server/src/loading/here.ts';
import { lackingNames, ownNames } from '../../server/src/loading/unpickledNames.ts';

const lackingIn = (name: string, here: Omit<Here, 'devices'>) =>
  lackingNames([{ name, standing: 'allowed' }], { devices: {}, ...here }).map(({ because }) => because);

/** Results of the real libraries for files with these names: torch 1.13 and 2.9, NumPy 1.24 to 1.26, Python 3.11. */
const CASES: readonly [name: string, fails: Omit<Here, 'devices'>, loads: Omit<Here, 'devices'>][] = [
  ['torch._utils._rebuild_tensor_v3', { torch: '1.13.0a0' }, { torch: '2.9.1+cu128' }],
  ['torch._utils._rebuild_parameter_with_state', { torch: '1.13.1' }, { torch: '2.0.0' }],
  ['torch.nn.modules.normalization.RMSNorm', { torch: '2.3.1' }, { torch: '2.4.0' }],
  ['torch.storage._TypedStorage', { torch: '1.13.0' }, { torch: '1.12.1' }],
  ['torch._utils._rebuild_tensor_v2', {}, { torch: '1.6.0' }],
  ['numpy._core.multiarray._reconstruct', { numpy: '1.25.2' }, { numpy: '1.26.4' }],
  ['numpy.core.multiarray._reconstruct', {}, { numpy: '2.4.6' }],
  ['numpy.dtypes.Float64DType', { numpy: '1.24.2' }, { numpy: '1.25.2' }],
  ['numpy.random._pcg64.PCG64', { numpy: '1.26.4' }, { numpy: '2.0.0' }],
  ['pathlib._local.PosixPath', { python: '3.11.7' }, { python: '3.13.0', system: 'other' }],
  ['pathlib.WindowsPath', { system: 'other' }, { system: 'windows' }],
  ['pathlib.PosixPath', { system: 'windows' }, { system: 'other' }],
  ['pathlib.PurePosixPath', {}, { system: 'windows' }],
];

for (const [name, fails, loads] of CASES)
  test(`environments that lack ${name}`, () => {
    assert.equal(lackingIn(name, fails).length, Object.keys(fails).length);
    assert.deepEqual(lackingIn(name, loads), []);
    assert.deepEqual(lackingIn(name, {}), []);
  });

test('names what is missing, with a remedy', () => {
  const imports = [{ name: 'torch._utils._rebuild_tensor_v3', standing: 'allowed' as const }];
  assert.deepEqual(lackingNames(imports, { devices: {}, torch: '2.1.2' }), [
    {
      because: 'The file refers to `torch._utils._rebuild_tensor_v3`, which torch 2.1.2 does not have yet.',
      remedy: 'Update torch, or save the file with the older one.',
    },
  ]);
});

test('the loading script must define what the saving script defined', () => {
  assert.equal(ownNames([{ name: 'torch.Tensor', standing: 'allowed' }]), undefined);
  assert.equal(
    ownNames([{ name: '__main__.Net', standing: 'unknown' }]),
    'The script that saved it defined `Net`: the script that loads it must define the same.',
  );
});
