/** A process that still registers tests, and one that something keeps alive, lose no result. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { root } from '../../scripts/root.ts';
import { folderWith } from '../cli/run.ts';

const SLOW = `import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
for (let index = 0; index < 20; index++) {
  test('test ' + index, () => {});
  await setTimeout(5);
}
test('the one that fails', () => assert.fail());
`;

test('all tests of a process run, and it ends although something keeps it alive', async (t) => {
  const folder = await folderWith(t, { 'slow.mjs': SLOW, 'alive.mjs': 'setInterval(() => {}, 1000);\n' });
  const last = pathToFileURL(path.join(root, 'scripts/lastTest.ts'));
  const entry = path.join(folder, 'entry.mjs');
  await writeFile(
    entry,
    `import './alive.mjs';\nimport './slow.mjs';\nimport { addLastTest } from '${last}';\naddLastTest();\n`,
  );
  const { stdout, stderr, exitCode } = await execa(process.execPath, ['--test', '--test-reporter=tap', entry], {
    env: { NODE_TEST_CONTEXT: undefined },
    reject: false,
    timeout: 60_000,
  });
  assert.equal(exitCode, 1, stderr);
  assert.match(stdout, /^# tests 22$/m);
  assert.match(stdout, /^not ok 21 - the one that fails$/m);
  assert.match(stdout, /Ended a test process that was kept alive by /);
});
