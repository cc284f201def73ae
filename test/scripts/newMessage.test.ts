/** Beginning a message in a copy of the checkout, which then passes the checks that a message could fail. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { root } from '../../scripts/root.ts';

/** Neither written by hand nor needed for a message. */
const LEFT_OUT = new Set(['node_modules', '.git', 'dist', 'screenshots', 'coverage', 'checkpoint', 'rules', 'python']);

test('a new message is found by its case as it is written', async (t) => {
  const copy = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-new-message-'));
  t.after(() => rm(copy, { recursive: true, force: true }));
  const isWanted = (source: string) =>
    !LEFT_OUT.has(path.basename(source)) || path.relative(root, source).startsWith(path.join('server', 'src'));
  await cp(root, copy, { recursive: true, filter: (source) => isWanted(source) || source.includes(`${path.sep}docs`) });
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  const node = (...args: string[]) =>
    execa(process.execPath, args, { cwd: copy, all: true, reject: false, env: { NODE_TEST_CONTEXT: undefined } });

  const begun = await node('scripts/newMessage.ts', 'triton', 'some-thing-fails');
  assert.equal(begun.exitCode, 0, begun.all);
  assert.match(begun.all, /wrote server\/src\/messages\/catalogue\/triton\.yaml[\s\S]*wrote docs\/errors\/triton\.md/);

  const tests = ['test/messages/catalogue.test.ts', 'test/cases/cases.test.ts'];
  const checked = await node(
    '--test',
    '--test-name-pattern=/some-thing-fails|the family triton|no two messages/',
    ...tests,
  );
  assert.equal(checked.exitCode, 0, checked.all);
  for (const passed of [
    'case some-thing-fails',
    'some-thing-fails: its examples',
    'the family triton',
    'no two messages',
  ])
    assert.match(checked.all, new RegExp(`✔ ${passed}`));

  const again = await node('scripts/newMessage.ts', 'triton', 'some-thing-fails');
  assert.equal(again.exitCode, 1);
  assert.match(again.all, /There is a message some-thing-fails already, in triton\./);
  const unknown = await node('scripts/newMessage.ts', 'nothing', 'some-thing-fails');
  assert.match(unknown.all, /npm run new-message -- someFamily some-id/);
});
