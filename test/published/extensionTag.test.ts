/** Tags of compiled extensions, as their publishers write them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extensionTag } from '../../server/src/published/extensionTag.ts';

const TAGS = {
  pt21cu118: { torch: '2.1', build: 'cu118' },
  pt113cu117: { torch: '1.13', build: 'cu117' },
  pt210cu128: { torch: '2.10', build: 'cu128' },
  pt24cpu: { torch: '2.4', build: 'cpu' },
  'pt2.3.0cu121': { torch: '2.3', build: 'cu121' },
  torch240cu121: { torch: '2.4', build: 'cu121' },
  torch24cu121: { torch: '2.4', build: 'cu121' },
  torch2100cu128: { torch: '2.10', build: 'cu128' },
  'torch2.4.0': { torch: '2.4' },
  cu121torch2: { build: 'cu121' },
  'cu12torch2.5cxx11abiFALSE': { torch: '2.5', build: 'cu12' },
  'cu121.torch2.4.0': { torch: '2.4', build: 'cu121' },
  'https://data.pyg.org/whl/torch-2.1.0+cu118.html': { torch: '2.1', build: 'cu118' },
  cu92: { build: 'cu92' },
  ubuntu2204: {},
};

for (const [tag, expected] of Object.entries(TAGS))
  test(`${tag} is read`, () => {
    assert.deepEqual(extensionTag(tag), expected);
  });
