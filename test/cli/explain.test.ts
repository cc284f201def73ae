import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderWith, run } from './run.ts';

const ERROR = 'AssertionError: Torch not compiled with CUDA enabled\n';
const here = { cwd: import.meta.dirname };

test('explains standard input', async () => {
  const { status, stdout } = await run(['explain', '--no-probe'], { ...here, input: ERROR });
  assert.equal(status, 0);
  assert.match(stdout, /^This torch has no CUDA\n/);
  assert.match(stdout, /^→ Install the build for CUDA/m);
});

test('prints JSON and Markdown', async (context) => {
  const folder = await folderWith(context, { 'error.txt': ERROR });
  const json = await run(['explain', 'error.txt', '--output-format', 'json', '--no-probe'], { cwd: folder });
  const { version, explanations } = JSON.parse(json.stdout);
  assert.deepEqual(
    [version, explanations[0].id, explanations[0].message],
    [1, 'torch-not-compiled-with-cuda', ERROR.trim()],
  );
  const markdown = await run(['explain', 'error.txt', '--output-format', 'markdown', '--no-probe'], { cwd: folder });
  assert.match(markdown.stdout, /^## This torch has no CUDA\n\n```text\nAssertionError/);
});

test('quotes the line that it understood as an unknown error, with status 1', async () => {
  const input = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nKeyError: \'colour\'\n';
  const { status, stdout } = await run(['explain', '-', '--no-probe'], { ...here, input });
  assert.equal(status, 1);
  assert.match(stdout, /No explanation for this error:\n\n {2}KeyError: 'colour'/);
});

test('unreadable input gets one sentence and status 2', async (context) => {
  const folder = await folderWith(context, {
    'facts.json': '{}',
    'error.txt': ERROR,
    'model.bin': Buffer.alloc(900, 0x80),
  });
  for (const [args, message] of [
    [['missing.txt'], /missing\.txt does not exist\n$/],
    [['.'], /is a folder\n$/],
    [['model.bin'], /model\.bin is binary\n$/],
    [['--output-format', 'pdf'], /`--output-format pdf` is not one of text, json, markdown\n$/],
    [['a', 'b'], /accepts one file/],
    [
      ['error.txt', '--stack', 'facts.json'],
      /facts\.json is not what `gpu-doctor stack --output-format json` prints\n$/,
    ],
    [['error.txt', '--stack', join('no', 'facts.json')], /does not exist\n$/],
  ] as const) {
    const { status, stderr } = await run(['explain', ...args], { cwd: folder });
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, message);
  }
});
