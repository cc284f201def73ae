import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CLI } from '../programs.ts';
import { folderWith } from './run.ts';

const LOAD = 'import torch\n\nstate = torch.load("a.pt")\n';

/** A check that runs again after each change and ends with the test. */
function watching(t: TestContext, cwd: string, ...args: string[]) {
  const env = { ...process.env, XDG_CACHE_HOME: join(tmpdir(), 'gpu-doctor-test-cache') };
  const child = spawn(process.execPath, [CLI, 'check', '--watch', '--output-format', 'concise', ...args], { cwd, env });
  t.after(() => child.kill());
  let text = '';
  let wake = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      wake();
    });
  return {
    /** Returns its output up to the line that says that it waits. */
    async round(): Promise<string> {
      const end = 'Watching for changes.\n';
      while (!text.includes(end))
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const round = text.slice(0, text.indexOf(end));
      text = text.slice(round.length + end.length);
      return round;
    },
    child,
  };
}

test('files are checked again when one changes, appears or disappears', { timeout: 300_000 }, async (t) => {
  const cwd = await folderWith(t, { 'a.py': LOAD, 'sub/b.py': 'print(1)\n', '.gitignore': 'ignored/\n' });
  const { round, child } = watching(t, cwd);
  assert.match(await round(), /^a\.py:3:9: GPU101 .*\nFound 1 problem/);
  await writeFile(join(cwd, 'a.py'), 'print(1)\n');
  assert.equal(await round(), 'No problems found.\n');
  await writeFile(join(cwd, 'sub', 'b.py'), LOAD);
  assert.match(await round(), /^sub\/b\.py:3:9: GPU101 /);
  // Unchecked files cause no run; settings, a new folder and a file in it do.
  await writeFile(join(cwd, 'log.txt'), 'x');
  await writeFile(join(cwd, '.gpu-doctor.yaml'), 'ignroe: [GPU101]\n');
  assert.match(await round(), /there is no setting `ignroe`/);
  await writeFile(join(cwd, '.gpu-doctor.yaml'), 'exclude: [sub/]\n');
  // The count of unchecked files may arrive after the sentence about the settings.
  assert.match(await round(), /^(?:1 file not checked\.\n)?No problems found\.\n$/);
  await mkdir(join(cwd, 'new'));
  assert.equal(await round(), 'No problems found.\n');
  await writeFile(join(cwd, 'new', 'c.py'), LOAD);
  assert.match(await round(), /^new\/c\.py:3:9: GPU101 /);
  await rm(join(cwd, 'new'), { recursive: true });
  assert.equal(await round(), 'No problems found.\n');
  assert.equal(child.exitCode, null);
});

test('files that it fixed are checked once more, and no more', { timeout: 300_000 }, async (t) => {
  const cwd = await folderWith(t, { 'a.py': LOAD });
  const { round } = watching(t, cwd, '--fix');
  assert.match(await round(), /1 fixed, 0 remaining/);
  await writeFile(join(cwd, 'a.py'), LOAD.replace('a.pt', 'b.pt'));
  let last = await round();
  while (!last.includes('1 fixed')) last = await round();
  assert.equal(await round(), 'No problems found.\n');
});
