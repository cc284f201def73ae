import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatedFiles } from '../../scripts/generate.ts';

test('generated files are up to date: npm run generate', async () => {
  for (const { file, now, wanted } of await generatedFiles()) assert.equal(now, wanted, file);
});
