/** Beginning a rule in a copy of the checkout, which then passes the checks that a rule could fail. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { root } from '../../scripts/root.ts';

/** Neither written by hand nor needed for a rule. */
const LEFT_OUT = new Set(['node_modules', '.git', 'dist', 'screenshots', 'coverage']);

test('a new rule passes all checks as it is written', async (t) => {
  const copy = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-new-rule-'));
  t.after(() => rm(copy, { recursive: true, force: true }));
  await cp(root, copy, { recursive: true, filter: (source) => !LEFT_OUT.has(path.basename(source)) });
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  const node = (...args: string[]) =>
    execa(process.execPath, args, {
      cwd: copy,
      all: true,
      reject: false,
      env: { NODE_TEST_CONTEXT: undefined, NODE_DISABLE_COMPILE_CACHE: '1' },
    });

  const begun = await node('scripts/newRule.ts', 'GPU299', 'some-name');
  assert.equal(begun.exitCode, 0, begun.all);
  assert.match(begun.all, /wrote server\/src\/rules\/someName\.ts[\s\S]*wrote README\.md/);

  const checked = await node(
    '--test',
    'test/architecture.test.ts',
    'test/rules/verdicts.test.ts',
    'test/rules/engine/triggers.test.ts',
    'test/scripts/generate.test.ts',
  );
  assert.equal(checked.exitCode, 0, checked.all);
  assert.match(checked.all, /GPU299\/reported\.py/);

  const again = await node('scripts/newRule.ts', 'GPU299', 'other-name');
  assert.equal(again.exitCode, 1);
  assert.match(again.all, /There is GPU299 some-name already\./);
});

test('a rule without a code or a name is not begun', async () => {
  const { exitCode, all } = await execa(process.execPath, ['scripts/newRule.ts', 'GPU1', 'Name'], {
    cwd: root,
    all: true,
    reject: false,
  });
  assert.equal(exitCode, 1);
  assert.match(all, /npm run new-rule -- GPU999 some-name/);
});
