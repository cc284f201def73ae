import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/root.ts';
import { readData } from '../../server/src/dataFiles.ts';
import { kerasReleasesSchema } from '../../server/src/published/releases/kerasReleasesSchema.ts';

test('the table of Keras releases is valid and lists each class once', () => {
  const folder = path.join(root, 'server', 'src', 'published', 'releases');
  const { classes } = kerasReleasesSchema.parse(readData(folder, 'kerasReleases'));
  const names = classes.flatMap(({ missing }) => missing);
  assert.equal(new Set(names).size, names.length);
});
