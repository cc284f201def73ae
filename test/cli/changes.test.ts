/** Git in a repository that brings its own settings: comparing runs none of its programs. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { findChanges } from '../../server/src/cli/changes.ts';
import { shownPath } from '../../server/src/files/paths.ts';
import { thisMachine } from '../../server/src/stack/machine/machine.ts';

test('the filters, hooks and monitors of a repository are not run', {
  skip: process.platform === 'win32',
}, async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'gd-since-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const [ran, file] = [join(home, 'ran'), join(home, 'a.py')];
  const git = (...args: string[]) =>
    execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: home });
  await git('init', '--quiet');
  writeFileSync(join(home, '.gitattributes'), '*.py filter=one\n*.txt filter=two diff=three\n');
  for (const name of ['a.py', 'b.txt', 'kept.py']) writeFileSync(join(home, name), 'a = 1\n');
  await git('add', '.');
  await git('commit', '--quiet', '--message=first');
  const program = join(home, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\ncat\n`);
  chmodSync(program, 0o755);
  for (const setting of ['filter.one.clean', 'filter.two.process', 'core.fsmonitor', 'diff.three.textconv'])
    await git('config', setting, program);
  await git('config', 'filter.one.required', 'true');
  mkdirSync(join(home, '.git/hooks'), { recursive: true });
  writeFileSync(join(home, '.git/hooks/post-index-change'), `#!/bin/sh\ntouch '${ran}'\n`);
  chmodSync(join(home, '.git/hooks/post-index-change'), 0o755);
  for (const name of ['a.py', 'b.txt']) writeFileSync(join(home, name), 'a = 1\nb = 2\n');
  utimesSync(join(home, 'kept.py'), 1, 1);

  const changes = await findChanges('HEAD', [file], thisMachine(), home);
  assert.deepEqual(
    [changes.touches(file, { first: 2, last: 2 }), changes.touches(file, { first: 1, last: 1 })],
    [true, false],
  );
  assert.equal(existsSync(ran), false);

  await git('config', 'filter.x=y.clean', program);
  await assert.rejects(findChanges('HEAD', [file], thisMachine(), home), /filter/);
  assert.equal(existsSync(ran), false);
});

test('names of files cannot start a line or turn text around', () => {
  const name = 'a\n::error::forged\u202e\u009b.py';
  assert.equal(shownPath(name, '/elsewhere'), 'a␊::error::forged\ufffd\ufffd.py');
  assert.equal(shownPath('größe 模型.py', '/elsewhere'), 'größe 模型.py');
});
