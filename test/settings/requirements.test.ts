import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { findRequirements } from '../../server/src/settings/requirements.ts';
import { folderWith } from '../cli/run.ts';

const CASES: readonly [file: string, text: string, expected: string | undefined][] = [
  ['requirements.txt', 'numpy\ntorch==2.3.1\n', '==2.3.1'],
  ['requirements.txt', '# torch==1.0\ntorch >= 2.0, < 2.6 ; python_version < "3.12"  # tested\n', '>=2.0,<2.6'],
  ['requirements.txt', 'torch[opt-einsum]~=2.4.0\r\n', '~=2.4.0'],
  ['requirements.txt', 'torchvision==0.18\npytorch-lightning<2\ntorch\n', undefined],
  ['pyproject.toml', '[project]\ndependencies = ["numpy", "torch>=2.0,<2.5"]\n', '>=2.0,<2.5'],
  ['pyproject.toml', '[project.optional-dependencies]\nold = ["torch<2"]\n', undefined],
  ['pyproject.toml', '[tool.poetry.dependencies]\npython = "^3.10"\ntorch = "2.3.1"\n', '==2.3.1'],
  ['pyproject.toml', '[tool.poetry.dependencies]\ntorch = "^2.3"\n', undefined],
  ['pyproject.toml', '[tool.poetry.dependencies]\ntorch = { version = "2.3", source = "cpu" }\n', undefined],
  ['pyproject.toml', '[project]\ndependencies = ["torch<2"\n', undefined],
];

test("a project's torch requirement is read from its files", async (t) => {
  for (const [file, text, expected] of CASES) {
    const folder = await folderWith(t, { [file]: text });
    assert.equal((await findRequirements().of(folder)).torchRequirement, expected, text);
  }
});

test('the TensorFlow requirement is read, too', async (t) => {
  const folder = await folderWith(t, {
    'requirements.txt': 'TensorFlow-gpu >= 1.14\ntensorflow-hub==0.1\n',
    'a/pyproject.toml': '[tool.poetry.dependencies]\ntorch = "2.3"\n',
  });
  assert.deepEqual(await findRequirements().of(join(folder, 'a')), {
    torchRequirement: '==2.3',
    tensorflowRequirement: '>=1.14',
    wantsTensorflowGpu: true,
  });
});

test('the nearest file that names torch applies until the cache is cleared', async (t) => {
  const folder = await folderWith(t, { 'requirements.txt': 'torch<2\n', 'a/requirements.txt': 'numpy\n' });
  const { of, forget } = findRequirements();
  assert.deepEqual(await of(join(folder, 'a')), { torchRequirement: '<2' });
  await writeFile(join(folder, 'a/requirements.txt'), 'torch<1.5\n');
  assert.deepEqual(await of(join(folder, 'a')), { torchRequirement: '<2' });
  forget();
  assert.deepEqual(await of(join(folder, 'a')), { torchRequirement: '<1.5' });
});
