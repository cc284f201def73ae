import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions, lowestDriver, torchWheelFor } from '../../server/src/stack/releases/cudaDriver.ts';

test('versions compare number by number', () => {
  assert.ok(compareVersions('570.26', '570.124.06') < 0);
  assert.equal(compareVersions('580', '580.0'), 0);
  assert.ok(compareVersions('12', '12.4') < 0);
});

test('a CUDA family shares one lowest driver from 11 on', () => {
  assert.equal(lowestDriver('12.8', 'linux'), '525.60.13');
  assert.equal(lowestDriver('12', 'windows'), '528.33');
  assert.equal(lowestDriver('10.2', 'linux'), '440.33');
  assert.equal(lowestDriver('9.2', 'linux'), undefined);
  assert.equal(lowestDriver('130', 'linux'), undefined);
});

test('the wheel of torch suits the driver and every GPU', () => {
  assert.equal(torchWheelFor('580.95.05', 'linux', ['8.6']), 'cu130');
  assert.equal(torchWheelFor('580.95.05', 'linux', ['6.1', '8.6']), 'cu126');
  assert.equal(torchWheelFor('570.124.06', 'linux', ['8.6']), 'cu126');
  assert.equal(torchWheelFor('572.61', 'windows', ['8.6', '12.0']), 'cu128');
  assert.equal(torchWheelFor('470.256.02', 'linux', ['7.0']), 'cu118');
  assert.equal(torchWheelFor('390.157', 'linux', ['2.1']), undefined);
  assert.equal(torchWheelFor('550.54.15', 'linux', []), 'cu126');
});
