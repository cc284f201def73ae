/** The release tables: their derivation from metadata, and their consistency. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newestOfMinors, readRequired, sortedFinals, versionRanges } from '../../scripts/tables/metadata.ts';
import { wheelRows } from '../../scripts/tables/wheelNames.ts';
import { gpuPackages } from '../../server/src/published/gpuPackages.ts';
import { publishedReleases } from '../../server/src/published/releases/publishedWheels.ts';
import { tensorflowReleases } from '../../server/src/published/releases/tensorflowReleases.ts';
import { torchFamilyReleases } from '../../server/src/published/releases/torchCompanions.ts';
import { torchReleases } from '../../server/src/published/releases/torchReleases.ts';
import { torchWheelsOf } from '../../server/src/published/releases/torchWheels.ts';

test('requirements are read as each generation of tools writes them', () => {
  for (const [written, read] of [
    ['nvidia-cudnn-cu12 (==8.9.2.26) ; platform_system == "Linux"', ['nvidia-cudnn-cu12', '==8.9.2.26', null]],
    ["nvidia-cudnn-cu12 <10.0,>=9.1 ; extra == 'with_cuda'", ['nvidia-cudnn-cu12', '>=9.1,<10.0', 'with-cuda']],
    ['cuda-toolkit[cublas,cudart]==13.2.2; platform_system == "Linux"', ['cuda-toolkit', '==13.2.2', null]],
    ['triton~=3.8.0; python_version < "3.15"', ['triton', '~=3.8.0', null]],
    ['filelock', ['filelock', '', null]],
  ] as const) {
    const { name, specifier, extra } = readRequired(written);
    assert.deepEqual([name, specifier, extra], read);
  }
});

test('consecutive versions with equal values form one row', () => {
  const pins = [
    ['0.0.28', '==2.4.1'],
    ['0.0.28.post1', '==2.4.1'],
    ['0.0.28.post2', '==2.5.0'],
    ['0.0.29', ''],
    ['0.0.30', '==2.7.0'],
    ['0.0.31', '==2.7.0'],
  ] as const;
  assert.deepEqual(versionRanges(pins), [
    { versions: '>=0.0.28,<0.0.28.post2', value: '==2.4.1' },
    { versions: '==0.0.28.post2', value: '==2.5.0' },
    { versions: '==0.0.29', value: '' },
    { versions: '>=0.0.30,<=0.0.31', value: '==2.7.0' },
  ]);
});

test('release candidates are not releases', () => {
  const versions = sortedFinals(['2.10.0', '2.9.1', '2.9.0', '2.11.0rc1', '2.9.0.post1']);
  assert.deepEqual(versions, ['2.9.0', '2.9.0.post1', '2.9.1', '2.10.0']);
  assert.deepEqual(newestOfMinors(versions), ['2.9.1', '2.10.0']);
});

test('the NVIDIA wheels that torch requires match the CUDA in its table', () => {
  const known = torchReleases().filter(({ torch }) => torch !== '1.13' && !torch.startsWith('1.'));
  for (const { versions, pypi } of known)
    for (const version of versions) {
      const names = Object.keys(torchWheelsOf(version)?.wheels ?? {});
      const families = new Set(names.flatMap((name) => name.match(/-cu(\d+)$/)?.[1] ?? []));
      assert.deepEqual([version, [...families]], [version, [pypi.slice(2, 4)]]);
    }
});

test('every torch has its companions', () => {
  const torches = new Set(torchFamilyReleases().map(({ torch }) => torch));
  for (const { versions, torch } of torchReleases())
    if (Number(torch.split('.')[0]) >= 2) for (const version of versions) assert.ok(torches.has(version), version);
});

test('packages pin existing torch releases', () => {
  const torches = new Set(torchReleases().flatMap(({ versions }) => versions));
  for (const { name, versions, needs } of gpuPackages().torch)
    if (needs.startsWith('==') && !needs.endsWith('*')) assert.ok(torches.has(needs.slice(2)), `${name} ${versions}`);
});

test('file names determine the systems and Pythons with wheels', () => {
  const files = [
    'triton-2.0.0-1-cp310-cp310-manylinux2014_x86_64.manylinux_2_17_x86_64.whl',
    'triton-2.0.0-1-pp37-pypy37_pp73-manylinux2014_x86_64.manylinux_2_17_x86_64.whl',
    'triton-2.0.0.dev20221202-cp310-cp310-manylinux_2_17_x86_64.whl',
    'triton-2.1.0-0-cp39-cp39-manylinux2014_x86_64.manylinux_2_17_x86_64.whl',
    'triton-2.1.0-0-cp310-cp310-manylinux2014_x86_64.manylinux_2_17_x86_64.whl',
    'triton-2.2.0-cp38-abi3-manylinux1_x86_64.whl',
    'triton-2.2.0-cp39-cp39-win_amd64.whl',
    'triton-2.2.0-cp39-cp39-macosx_10_9_universal2.whl',
    'triton-2.2.0.tar.gz',
    'triton-2.3.0-py2.py3-none-any.whl',
    'triton-2.4.0-cp27-cp27mu-manylinux1_x86_64.whl',
  ].map((name) => [name, null] as const);
  const bounded = [
    ['triton-2.5.0-cp38-abi3-manylinux1_x86_64.whl', '<3.14,>=3.10.1'],
    ['triton-2.6.0-py3-none-any.whl', '>=3.9,!=3.9.0'],
  ] as const;
  assert.deepEqual(wheelRows([...files, ...bounded]), [
    { versions: '2.0.0', wheels: 'l10-10' },
    { versions: '2.1.0', wheels: 'l9-10' },
    { versions: '2.2.0', wheels: 'l8- iwm9-9 s' },
    { versions: '2.3.0', wheels: 'laiwm0-' },
    { versions: '2.5.0', wheels: 'l10-13' },
    { versions: '2.6.0', wheels: 'laiwm9-' },
  ]);
});

test('the framework tables agree with PyPI', () => {
  const pythonRange = (name: string, minor: string) => {
    const releases = (publishedReleases(name) ?? []).filter(({ version }) => `${version}.`.startsWith(`${minor}.`));
    const ranges = releases.flatMap(({ wheels }) => [...wheels.values()]);
    // Pythons before 3.5 are irrelevant.
    const [oldest, newest] = [Math.min(...ranges.map(([from]) => from)), Math.max(...ranges.map(([, to]) => to))];
    return [`3.${Math.max(oldest, 5)}`, `3.${newest}`];
  };
  // Python 3.4, which the oldest release supports, is irrelevant.
  for (const { tensorflow, python } of tensorflowReleases())
    assert.deepEqual([tensorflow, ...python], [tensorflow, ...pythonRange('tensorflow', tensorflow)]);
  // Releases with wheels for a Python that PyTorch did not announce and torchvision does not support.
  const unannounced: Record<string, string> = { '1.10': '3.10', '1.13': '3.11', '2.5': '3.13' };
  for (const { torch, python, versions } of torchReleases()) {
    const [oldest, newest] = pythonRange('torch', torch);
    assert.deepEqual([torch, oldest, unannounced[torch] ?? python[1]], [torch, python[0], newest]);
    const published = publishedReleases('torch')?.map(({ version }) => version) ?? [];
    for (const version of versions) assert.ok(published.includes(version), version);
  }
});
