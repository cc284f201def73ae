import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { bundleSuite, FILES } from '../desktop/bundle.ts';
import { openEditor } from './editor.ts';

test('the suite that desktops run passes in the workbench, too', async (t) => {
  const home = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-suite-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const suite = path.join(home, 'suite');
  await bundleSuite(suite);
  // Events from here on are kept. The suite ends by itself; this limit is for one that never begins.
  const changes = watch(suite, { signal: AbortSignal.timeout(600_000) });
  const editor = await openEditor(FILES, { extensions: [suite] });
  t.after(() => editor.close());
  let said = '';
  for await (const { filename } of changes) {
    if (filename !== 'result') continue;
    said = await readFile(path.join(suite, filename), 'utf8');
    if (said !== '') break;
  }
  assert.equal(said, 'passed');
});
