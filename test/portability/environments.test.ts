/** Differences between machines: users, home folders, languages and clocks. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { folderWith, run } from '../cli/run.ts';
import { startClient } from '../lsp/client.ts';
import { CLI, SERVER } from '../programs.ts';

const FILES = { 'a.py': 'import torch\nx = torch.ones(2).cuda()\n', 'b.ipynb': '{"cells": []}', 'error.txt': 'boom' };
const COMMANDS = [
  ['check', '--hints'],
  ['inspect', join(import.meta.dirname, '../rules/checkpoints/runs_code.pt')],
  ['explain', 'error.txt', '--no-probe'],
];

const isRoot = process.getuid?.() === 0;

test('a user without a passwd entry, a home or a writable folder', { skip: !isRoot }, async (t) => {
  const cwd = await folderWith(t, FILES);
  await chmod(cwd, 0o555);
  const before = readdirSync(cwd);
  const { HOME: _, ...env } = process.env;
  for (const args of [...COMMANDS, ['stack']]) {
    const child = spawnSync(process.execPath, [CLI, ...args], { cwd, env, uid: 54321, gid: 54321, encoding: 'utf8' });
    assert.doesNotMatch(child.stderr, /report it|Error/, args[0]);
    assert.ok(child.stdout.length > 20, args[0]);
    assert.notEqual(child.status, null);
  }
  assert.deepEqual(readdirSync(cwd), before);
  const fix = spawnSync(process.execPath, [CLI, 'check', '--fix'], { cwd, env, uid: 54321, encoding: 'utf8' });
  assert.equal(fix.status, 2);
  assert.match(fix.stderr, /^error: a\.py .*permission denied\n$/);
  chmodSync(cwd, 0o755);
});

test('a home folder that does not exist or is a file', async (t) => {
  const cwd = await folderWith(t, FILES);
  const usual = await run(['check'], { cwd });
  for (const HOME of ['/nowhere/at/all', join(cwd, 'a.py'), '', 'relative'])
    for (const args of [['check'], ['stack', '--no-probe']]) {
      const { status, stdout, stderr } = await run(args, { cwd, env: { HOME, XDG_CACHE_HOME: HOME } });
      assert.doesNotMatch(stderr, /report it/, `${args[0]} ${HOME}`);
      if (args[0] === 'check') assert.deepEqual([status, stdout], [usual.status, usual.stdout]);
    }
});

test('a locale with other digits, letters and collation changes nothing', async (t) => {
  const cwd = await folderWith(t, FILES);
  // Free memory varies between runs.
  const ran = async (args: string[], env: Record<string, string>) => {
    const { stdout, ...rest } = await run(args, { cwd, env });
    return { ...rest, stdout: stdout.replace(/[\d.]+ GiB free of/, 'some GiB free of') };
  };
  for (const args of COMMANDS) {
    const usual = await ran(args, {});
    for (const language of ['ar_EG.UTF-8', 'tr_TR.UTF-8'])
      assert.deepEqual(await ran(args, { LC_ALL: language, LANG: language }), usual, language);
  }
});

test('a jumping clock changes nothing', async (t) => {
  const cwd = await folderWith(t, FILES);
  const clock = pathToFileURL(join(import.meta.dirname, 'leapingClock.ts')).href;
  const usual = await run(['check', '--no-cache'], { cwd });
  // Three runs: the second may find cache entries from the future or the distant past.
  for (let time = 0; time < 3; time++)
    assert.deepEqual(await run(['check'], { cwd, env: { NODE_OPTIONS: `--import=${clock}` } }), usual);
});

test('the server tolerates a jumping clock while the user types', { timeout: 180_000 }, async (t) => {
  const clock = pathToFileURL(join(import.meta.dirname, 'leapingClock.ts')).href;
  const client = await startClient(t, { command: ['--import', clock, SERVER, '--stdio'] });
  client.open('file:///a.py', FILES['a.py']);
  for (let index = 0; index < 20; index++) {
    client.edit('file:///a.py', { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, '#\n');
    const [found] = await client.diagnostics('file:///a.py');
    assert.equal(found?.range.start.line, 2 + index);
  }
});
