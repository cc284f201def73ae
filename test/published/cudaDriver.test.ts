import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compiledBy,
  cudaOfDriver,
  lastDriverBranch,
  lowestDriver,
} from '../../server/src/published/releases/cudaDriver.ts';
import { compareVersions } from '../../server/src/published/versions.ts';

test('versions compare number by number', () => {
  assert.ok(compareVersions('570.26', '570.124.06') < 0);
  assert.equal(compareVersions('580', '580.0'), 0);
  assert.ok(compareVersions('12', '12.4') < 0);
});

test('from CUDA 11 on, all minor versions share a minimum driver', () => {
  assert.equal(lowestDriver('12.8', 'linux'), '525.60.13');
  assert.equal(lowestDriver('12', 'windows'), '528.33');
  assert.equal(lowestDriver('10.2', 'linux'), '440.33');
  assert.equal(lowestDriver('9.2', 'linux'), '396.26');
  assert.equal(lowestDriver('7.5', 'linux'), undefined);
  assert.equal(lowestDriver('130', 'linux'), undefined);
});

test('the compilers of a CUDA version support a range of GPUs', () => {
  const range = (cuda: string) => [compiledBy(cuda)?.lowest, compiledBy(cuda)?.highest];
  assert.deepEqual(range('10.1'), ['3.0', '7.5']);
  assert.equal(compiledBy('11.5')?.highest, '8.7');
  assert.equal(compiledBy('12.8.1')?.highest, '12.0');
  assert.equal(compiledBy('7.5'), undefined);
  // Packages such as JAX's plug-ins do not state which release of a CUDA major version built them.
  assert.deepEqual(range('12'), ['5.0', '12.1']);
  // A B300 is within the range of 12.8's GPUs, but not one of them.
  assert.deepEqual(
    ['12.8', '12.9', '13.0'].map((cuda) => compiledBy(cuda)?.capabilities.includes('10.3')),
    [false, true, true],
  );
});

test('a driver version implies a CUDA version', () => {
  assert.equal(cudaOfDriver('470.182.03', 'linux'), '11.4');
  assert.equal(cudaOfDriver('535.104.05', 'linux'), '12.2');
  assert.equal(cudaOfDriver('390.87', 'linux'), undefined);
});

test('old GPU generations have a last driver branch', () => {
  assert.equal(lastDriverBranch('3.5'), 470);
  assert.equal(lastDriverBranch('6.1'), 580);
  assert.equal(lastDriverBranch('8.6'), undefined);
});
