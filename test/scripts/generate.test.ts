import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatedFiles } from '../../scripts/generate.ts';

test('what is generated is fresh: npm run generate', async () => {
  for (const { file, now, wanted } of await generatedFiles()) assert.equal(now, wanted, file);
});
