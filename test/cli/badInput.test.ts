import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLI } from '../programs.ts';
import { folderWith, run } from './run.ts';

const LOAD = 'import torch\n\nstate = torch.load("a.pt")\n';

test('each problem is one line, the rest is checked, and the status is 2', async (t) => {
  const cwd = await folderWith(t, {
    'binary.py': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff]),
    'latin.py': Buffer.from('# caf\u00e9\nx = 1\n', 'latin1'),
    'utf16.py': Buffer.from(`\uFEFF${LOAD}`, 'utf16le'),
    'unknown.py': `# coding: klingon\n${LOAD}`,
    'broken.ipynb': '{"cells": [\n  {"cell_type": "code", }',
    'list.ipynb': '[]',
    'none.ipynb': '',
    'old.ipynb': '{"worksheets": []}',
    'odd.ipynb': JSON.stringify({
      cells: [{ cell_type: 'code', source: 5 }, 'x', { cell_type: 'code', source: LOAD }, { cell_type: 'code' }],
    }),
    'good.py': LOAD,
    'empty.py': '',
  });
  await symlink('nowhere.py', join(cwd, 'dangling.py'));
  const { status, stdout, stderr } = await run(['check', '.', 'missing.py', 'missing/', 'dangling.py'], { cwd });
  assert.equal(status, 2);
  const lines = stderr.trimEnd().split('\n');
  const about = (name: string) => lines.filter((line) => line.startsWith(`error: ${name} `));
  assert.match(about('binary.py').join(), /is binary/);
  assert.match(about('latin.py').join(), /is not UTF-8 \(line 1\)/);
  assert.match(about('utf16.py').join(), /is UTF-16/);
  assert.match(about('unknown.py').join(), /encoding `klingon`/);
  assert.match(about('broken.ipynb').join(), /is not JSON \(line 2, column \d+: /);
  for (const name of ['list.ipynb', 'none.ipynb', 'old.ipynb']) assert.match(about(name).join(), /notebook/);
  assert.equal(about('odd.ipynb').length, 3);
  for (const name of ['missing.py', 'missing', 'dangling.py']) assert.match(about(name).join(), /does not exist/);
  assert.equal(lines.length, 14);
  assert.match(stdout, /good\.py:3:9: GPU101/);
  assert.match(stdout, /odd\.ipynb:cell 3:3:9: GPU101/);
});

test('a file that cannot be written is named and stays unchanged', async (t) => {
  const text = Buffer.concat([
    Buffer.from('# coding: shift_jis\n# '),
    Buffer.from([0x93, 0xfa]),
    Buffer.from(`\n${LOAD}`),
  ]);
  const cwd = await folderWith(t, { 'sjis.py': text });
  const { status, stdout, stderr } = await run(['check', '--fix', 'sjis.py'], { cwd });
  assert.equal(status, 2);
  assert.match(stderr, /^error: sjis\.py was not changed/);
  assert.match(stdout, /sjis\.py:5:9: GPU101/);
  assert.match(stdout, /Found 1 problem/);
});

test('invalid calls get one sentence and status 2', async (t) => {
  const cwd = await folderWith(t, { 'a.py': LOAD });
  for (const [args, sentence] of [
    [['chekc'], /no command `chekc`/],
    [['check', '--hint'], /no option `--hint`: did you mean `--hints`\?/],
    [['check', '--output-format', 'xml'], /`--output-format xml` is not one of text, concise, json/],
    [['check', '--select'], /--select/],
    [['check', '-', 'a.py'], /`-` cannot be combined/],
    [['check', '--stdin-filename', 'x.py'], /standard input/],
    [['check', '--config', 'none.yaml'], /none\.yaml.*does not exist/],
    [['check', '--config', 'a.py'], /a\.py/],
    [['rule', 'GPU999'], /no rule `GPU999`/],
    [['stack', 'x'], /no path/],
  ] as const) {
    const { status, stdout, stderr } = await run(args, { cwd });
    assert.equal(status, 2, args.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, sentence);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
  }
});

test('help and version are printed', async (t) => {
  const cwd = await folderWith(t, {});
  for (const args of [[], ['--help'], ['check', '--help'], ['stack', '-h'], ['rule', '-h']]) {
    const { status, stdout } = await run(args, { cwd });
    assert.equal(status, 0);
    assert.match(stdout, /Usage: gpu-doctor/);
  }
  assert.match((await run(['--version'], { cwd })).stdout, /^gpu-doctor \d+\.\d+\.\d+\n$/);
  assert.match((await run(['rule', 'gpu900'], { cwd })).stdout, /^# GPU900 unused-suppression/);
});

test('no files is not a failure', async (t) => {
  const cwd = await folderWith(t, { 'readme.md': 'x' });
  const { status, stderr } = await run(['check'], { cwd });
  assert.equal(status, 0);
  assert.match(stderr, /No Python files, notebooks or environment files found/);
});

test('a reader that exits early is not an error', async (t) => {
  const cwd = await folderWith(t, { 'a.py': `import torch\n${'torch.load("a.pt")\n'.repeat(20_000)}` });
  const child = spawn(process.execPath, [CLI, 'check', 'a.py'], { cwd });
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  await once(child, 'close');
  assert.equal(stderr, '');
});

test('terminal control characters in a source are made harmless', async (t) => {
  const cwd = await folderWith(t, { 'a.py': 'import torch\ns = "\u001b[31m"; torch.load("a.pt")\n' });
  const { stdout } = await run(['check'], { cwd });
  assert.equal(stdout.includes('\u001b'), false);
});

test('a program with very many lines is checked and fixed', async (t) => {
  const cwd = await folderWith(t, { 'a.py': `import torch\n${'#\n'.repeat(150_000)}def f(x):\n    return x.cuda()\n` });
  const { stdout, stderr } = await run(['check', 'a.py'], { cwd });
  assert.equal(stderr, '');
  assert.match(stdout, /^a\.py:150003:14: GPU202 /);
});
