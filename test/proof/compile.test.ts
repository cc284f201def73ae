/** CPython compiles the result of every fix for every finding, in the proof's programs and in the rules' fixtures. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { ensurePython } from '../../scripts/python.ts';
import { root } from '../../scripts/root.ts';
import { compileFailures, sourcesBelow, variantsOf } from './variants.ts';

test('the result of every fix compiles', async () => {
  const { torch: python } = await ensurePython();
  const sources = ['examples', 'test/proof/programs', 'test/rules']
    .flatMap((folder) => sourcesBelow(path.join(root, folder)))
    .map((source) => ({ name: path.relative(root, source.path), source }));
  // Fixtures in Python 2 and broken ones did not compile before the fix either.
  const broken = new Set((await compileFailures(python, sources)).map(({ name }) => name));
  const results = sources
    .filter(({ name }) => !broken.has(name))
    .flatMap(({ name, source }) =>
      variantsOf(source).map(({ finding, fix, source }) => ({
        name: `${name}: ${finding.code} at ${finding.span.start}, ${fix.title}`,
        source,
      })),
    );
  assert.deepEqual(await compileFailures(python, results), []);
});
