import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOfRocm, newestRocmFor } from '../../server/src/published/releases/rocmReleases.ts';
import { torchReleases } from '../../server/src/published/releases/torchReleases.ts';

const CODE: readonly [torch: string, rocm: string, architecture: string, isInside: boolean][] = [
  // Architectures added by a torch release, for any ROCm.
  ['2.5.1', '6.2.41133', 'gfx1101', false],
  ['2.6.0', '6.1.40093', 'gfx1101', true],
  ['2.6.0', '6.2.4', 'gfx1200', false],
  ['2.7.1', '6.2.4', 'gfx1200', true],
  ['2.12.1', '7.2', 'gfx1103', false],
  ['2.13.0', '7.1', 'gfx1103', true],
  // Architectures added and removed by ROCm.
  ['2.3.1', '5.7', 'gfx942', false],
  ['2.3.1', '6.0.32830', 'gfx942', true],
  ['2.10.0', '7.0', 'gfx1151', true],
  ['2.14.1', '7.2', 'gfx906', true],
  ['2.14.1', '7.14', 'gfx906', false],
];

test('the GPU code in ROCm wheels depends on the releases of torch and ROCm', () => {
  for (const [torch, rocm, architecture, isInside] of CODE)
    assert.equal(codeOfRocm(torch, rocm)?.includes(architecture), isInside, `${torch} ${rocm} ${architecture}`);
  assert.equal(codeOfRocm('1.8.0', '4.0.1'), undefined);
});

test('the GPU code of every published ROCm build is known', () => {
  for (const { versions, rocm } of torchReleases())
    for (const each of rocm) assert.ok(codeOfRocm(versions[0] ?? '', each), `${versions[0]} ${each}`);
});

test('the newest build for a GPU has wheels for the Python in use', () => {
  assert.deepEqual(newestRocmFor('gfx906', undefined), { torch: '2.14.1', rocm: '7.2' });
  assert.equal(newestRocmFor('gfx1201', '3.9')?.torch, '2.8.0');
  assert.equal(newestRocmFor('gfx803', undefined), undefined);
});
