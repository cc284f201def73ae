import assert from 'node:assert/strict';
import { test } from 'node:test';
import { torchReleases } from '../../server/src/published/releases/torchReleases.ts';
import { firstTorchForXpu, nameOfXpu } from '../../server/src/published/releases/xpuReleases.ts';

test('Intel GPUs that torch supports are recognized by device id, and older graphics are not', () => {
  const names = ['56a0', '5690', 'e20b', 'e212', '0bd5', '7d55', '64a0', 'b082'].map(nameOfXpu);
  assert.deepEqual(names, [
    'Intel Arc A770',
    'Intel Arc A-series or Data Center GPU Flex',
    'Intel Arc B580',
    'Intel Arc B-series',
    'Intel Data Center GPU Max',
    'Intel Arc Graphics (Core Ultra, Meteor Lake)',
    'Intel Arc Graphics (Core Ultra, Lunar Lake)',
    'Intel Graphics (Core Ultra, Panther Lake)',
  ]);
  // UHD Graphics 770, Iris Xe, HD Graphics 630.
  assert.deepEqual(['4680', '9a49', '5912'].map(nameOfXpu), [undefined, undefined, undefined]);
});

test('the first release with XPU wheels depends on the system and the GPU', () => {
  assert.equal(firstTorchForXpu('linux'), '2.5');
  assert.equal(firstTorchForXpu('windows', 'Intel Arc A770'), '2.6');
  assert.equal(firstTorchForXpu('windows', 'Intel Arc B580'), '2.7');
  assert.equal(firstTorchForXpu('linux', 'Intel Graphics (Core Ultra, Panther Lake)'), '2.12');
  assert.equal(firstTorchForXpu('macos'), undefined);
  const released = torchReleases().map(({ torch }) => torch);
  for (const gpu of ['Intel Arc A770', 'Intel Arc B580', 'Intel Graphics (Core Ultra, Panther Lake)'])
    assert.ok(released.includes(firstTorchForXpu('linux', gpu) ?? ''));
});
