/** The tables of releases: what is made of metadata, and that the tables agree with each other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inOrder, newestOfMinors, readRequired, runs } from '../../scripts/tables/metadata.ts';
import { gpuPackages } from '../../server/src/stack/catalogue/gpuPackages.ts';
import { torchFamilyReleases } from '../../server/src/stack/releases/torchCompanions.ts';
import { torchReleases } from '../../server/src/stack/releases/torchReleases.ts';
import { torchWheelsOf } from '../../server/src/stack/releases/torchWheels.ts';

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

test('neighbours of which the same holds are one row, and what lies between two rows is in neither', () => {
  const pins = [
    ['0.0.28', '==2.4.1'],
    ['0.0.28.post1', '==2.4.1'],
    ['0.0.28.post2', '==2.5.0'],
    ['0.0.29', ''],
    ['0.0.30', '==2.7.0'],
    ['0.0.31', '==2.7.0'],
  ] as const;
  assert.deepEqual(runs(pins), [
    { versions: '>=0.0.28,<0.0.28.post2', value: '==2.4.1' },
    { versions: '==0.0.28.post2', value: '==2.5.0' },
    { versions: '==0.0.29', value: '' },
    { versions: '>=0.0.30,<=0.0.31', value: '==2.7.0' },
  ]);
});

test('candidates are no releases', () => {
  const versions = inOrder(['2.10.0', '2.9.1', '2.9.0', '2.11.0rc1', '2.9.0.post1']);
  assert.deepEqual(versions, ['2.9.0', '2.9.0.post1', '2.9.1', '2.10.0']);
  assert.deepEqual(newestOfMinors(versions), ['2.9.1', '2.10.0']);
});

test('the wheels of NVIDIA that torch requires are for the CUDA that its table says', () => {
  const known = torchReleases().filter(({ torch }) => torch !== '1.13' && !torch.startsWith('1.'));
  for (const { versions, pypi } of known)
    for (const version of versions) {
      const names = Object.keys(torchWheelsOf(version)?.wheels ?? {});
      const families = new Set(names.flatMap((name) => name.match(/-cu(\d+)$/)?.[1] ?? []));
      assert.deepEqual([version, [...families]], [version, [pypi.slice(2, 4)]]);
    }
});

test('every torch has its family', () => {
  const torches = new Set(torchFamilyReleases().map(({ torch }) => torch));
  for (const { versions, torch } of torchReleases())
    if (Number(torch.split('.')[0]) >= 2) for (const version of versions) assert.ok(torches.has(version), version);
});

test('packages pin a torch that there is', () => {
  const torches = new Set(torchReleases().flatMap(({ versions }) => versions));
  for (const { name, versions, needs } of gpuPackages().torch)
    if (!needs.endsWith('*')) assert.ok(torches.has(needs.slice(2)), `${name} ${versions}`);
});
