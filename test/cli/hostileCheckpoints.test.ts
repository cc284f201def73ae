/** Commands that read checkpoints end, whatever a program or a user names as one. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { HOSTILE } from '../checkpoint/fuzz/hostileFiles.ts';
import { pickle } from '../checkpoint/pickleWriter.ts';
import { folderWith, run } from './run.ts';

const limit = { timeout: 120_000, skip: process.platform === 'win32' && 'Windows has no named pipes in folders' };

test('`check` of a program that names pipes and hostile files', limit, async (t) => {
  const cwd = await folderWith(t, {
    'load.py': [
      'import torch',
      ...['pipe.pt', 'b.keras', 'i.pkl', 'k.pkl', 'a.gguf'].map((name) => `torch.load("${name}")`),
      '',
    ].join('\n'),
    'pipe.index.json': '{"metadata": {}, "weight_map": {"w": "pipe.pt"}}',
  });
  execFileSync('mkfifo', [join(cwd, 'pipe.pt')]);
  for (const name of [
    'a Keras configuration that is wide',
    'a checkpoint loaded 300 times',
    'globals by the hundred thousand',
    'a chat template of openings',
  ])
    await HOSTILE[name]?.(cwd);
  const { status, stdout, stderr } = await run(['check', 'load.py', '--output-format', 'json'], { cwd });
  assert.equal(stderr, '');
  assert.equal(status, 1);
  assert.ok(JSON.parse(stdout).length >= 5);
});

test('`inspect` of a folder with a pipe and an index that names it', limit, async (t) => {
  const cwd = await folderWith(t, {
    'model.index.json': '{"metadata": {}, "weight_map": {"w": "pipe.safetensors"}}',
    'whole.pkl': pickle([0x80, 2], '}.'),
  });
  execFileSync('mkfifo', [join(cwd, 'pipe.safetensors')]);
  const { status, stdout, stderr } = await run(['inspect', '--no-live', '.'], { cwd });
  assert.match(stdout, /The shard `pipe\.safetensors` is a pipe, not a regular file, and is not opened/);
  assert.match(stdout, /whole\.pkl/);
  assert.equal(stderr, '');
  assert.equal(status, 1);
});

test('`inspect` limits its report of a file, and larger limits show more', limit, async (t) => {
  const cwd = await folderWith(t, {});
  const path = (await HOSTILE['tensors below long names']?.(cwd)) ?? '';
  const json = async (...options: string[]) => {
    const { stdout } = await run(['inspect', '--no-live', '--output-format', 'json', ...options, path], { cwd });
    return { length: stdout.length, file: JSON.parse(stdout)[0] };
  };
  const usual = await json();
  assert.ok(usual.length < 1_200_000, `${usual.length} characters`);
  assert.ok(usual.file.omitted.tensors > 0);
  const more = await json('--limits', '3');
  assert.ok(more.file.tensors.length > usual.file.tensors.length);
  const text = await run(['inspect', '--no-live', '--all', path], { cwd });
  assert.ok(text.stdout.length < 1_200_000, `${text.stdout.length} characters`);
  assert.match(text.stdout, /and [\d,]+ more \(`--limits`\)/);
});

test('`inspect --limits` requires a number', limit, async (t) => {
  const cwd = await folderWith(t, { 'whole.pkl': pickle([0x80, 2], '}.') });
  for (const wrong of ['0', 'high', '-3', '1e9']) {
    const { status, stderr } = await run(['inspect', '--no-live', `--limits=${wrong}`, 'whole.pkl'], { cwd });
    assert.equal(status, 2);
    assert.match(stderr, /`--limits` requires a number from 1 to 1000/);
  }
  const { status } = await run(['inspect', '--no-live', '--limits', '10', 'whole.pkl'], { cwd });
  assert.equal(status, 0);
});
