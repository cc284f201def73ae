/** Properties of all format declarations. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FORMAT_IDS, FORMATS } from '../../server/src/checkpoint/formats/index.ts';
import { patternsOf } from '../../server/src/checkpoint/names.ts';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';

test('no two formats claim a file name pattern or share a title', () => {
  const patterns = patternsOf('opened', 'offered', 'searched');
  assert.deepEqual(patterns, [...new Set(patterns)]);
  const titles = FORMAT_IDS.map((format) => FORMATS[format].title);
  assert.deepEqual(titles, [...new Set(titles)]);
});

test('each format has a reader, is found by another reader, or has a sentence that says why not', () => {
  const foundByOthers = FORMAT_IDS.filter((format) => {
    const { read, folder, problem } = FORMATS[format];
    return !read && !folder && problem === undefined;
  });
  assert.deepEqual(foundByOthers.sort(), [
    ...['joblib', 'keras', 'nemo', 'numpy-archive', 'safetensors-index', 'torch', 'torch-export', 'torch-package'],
    ...['torchscript', 'torchserve'],
  ]);
});

test('a file of a code-free format needs no trust', async () => {
  const seen = new Set<string>();
  for (const file of globSync('**/*.{safetensors,index}', { cwd: join(import.meta.dirname, 'fixtures') })) {
    const { format, safety } = await readCheckpoint(join(import.meta.dirname, 'fixtures', file));
    if (!FORMATS[format].isCodeFree) continue;
    seen.add(format);
    assert.match(safety.verdict, /^(no-code|not-checked)$/, file);
  }
  assert.deepEqual([...seen].sort(), ['safetensors', 'tensorflow-checkpoint']);
});
