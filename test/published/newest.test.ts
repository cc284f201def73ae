/** All tables by torch release end with the same release: a table that is behind fails here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gpuPackages } from '../../server/src/published/gpuPackages.ts';
import { publishedReleases } from '../../server/src/published/releases/publishedWheels.ts';
import { torchFamilyReleases } from '../../server/src/published/releases/torchCompanions.ts';
import { newestComparedTorch } from '../../server/src/published/releases/torchFiles.ts';
import { torchReleases } from '../../server/src/published/releases/torchReleases.ts';
import { torchWheelsOf } from '../../server/src/published/releases/torchWheels.ts';
import { weightsOnly } from '../../server/src/published/releases/weightsOnly.ts';
import { satisfies } from '../../server/src/published/specifier.ts';
import { compareVersions, minorOf } from '../../server/src/published/versions.ts';

/** PyPI's newest release when the tables were generated. */
const newest = publishedReleases('torch')?.at(-1)?.version ?? '';

test('PyPI has a torch release', () => assert.match(newest, /^\d+\.\d+\.\d+$/));

for (const [table, version] of [
  ['torchReleases.yaml', torchReleases().at(-1)?.torch],
  ['torchCompanions.yaml', torchFamilyReleases().at(-1)?.torch],
  ['torchWheels.yaml', torchWheelsOf(newest)?.torch],
  ['weightsOnly.yaml', weightsOnly().newest],
  ['torchFiles.yaml', newestComparedTorch()],
] as const)
  test(`${table} includes the newest torch`, () => assert.equal(minorOf(version ?? 'nothing'), minorOf(newest)));

test('torchReleases.yaml has the newest patch', () => assert.ok(torchReleases().at(-1)?.versions.includes(newest)));

test('the newest torch has its torchvision, its Triton and the Pythons of its wheels', () => {
  const release = torchReleases().at(-1);
  assert.ok(torchFamilyReleases().at(-1)?.torchvision.length);
  assert.ok(gpuPackages().follows_torch.some(({ name, torch }) => name === 'triton' && satisfies(newest, torch)));
  const wheels = publishedReleases('torch')?.at(-1)?.wheels.get('linux');
  assert.deepEqual(
    wheels?.map((minor) => `3.${minor}`),
    release?.python,
  );
});

test('no package pins a torch that is newer than the tables', () => {
  for (const { name, needs } of gpuPackages().torch) {
    const pinned = /^==(\d[\d.]*\d)$/.exec(needs)?.[1];
    assert.ok(pinned === undefined || compareVersions(pinned, newest) <= 0, `${name} needs torch ${pinned}`);
  }
});
