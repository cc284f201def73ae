import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderWith, run } from './run.ts';

test('the stack is read out as text', async (t) => {
  const cwd = await folderWith(t, {});
  const { status, stdout, stderr } = await run(['stack'], { cwd });
  assert.equal(status, 0);
  assert.equal(stderr, '');
  assert.match(stdout, /GPU/);
});

test('the stack is read out as JSON', async (t) => {
  const cwd = await folderWith(t, {});
  const { status, stdout } = await run(['stack', '--json', '--python', 'no-such-python'], { cwd });
  assert.equal(status, 0);
  const facts = JSON.parse(stdout);
  assert.equal(typeof facts.version, 'number');
  assert.ok(Array.isArray(facts.verdicts));
  assert.match(stdout, /no-such-python/);
});
