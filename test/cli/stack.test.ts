import assert from 'node:assert/strict';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { folderWith, run } from './run.ts';

test('the stack is printed as text', async (t) => {
  const cwd = await folderWith(t, {});
  const { status, stdout, stderr } = await run(['stack'], { cwd });
  assert.equal(status, 0);
  assert.equal(stderr, '');
  assert.match(stdout, /GPU/);
});

test('the stack is printed as JSON', async (t) => {
  const cwd = await folderWith(t, { '.venv/bin/python': '' });
  const { status, stdout } = await run(['stack', '--output-format', 'json', '--no-probe', '--python', '.venv'], {
    cwd,
  });
  assert.equal(status, 0);
  const facts = JSON.parse(stdout);
  assert.equal(typeof facts.version, 'number');
  assert.ok(Array.isArray(facts.verdicts));
  assert.equal(facts.interpreter.value.path, join(cwd, '.venv/bin/python'));
});

test('a missing Python is an error', async (t) => {
  const cwd = await folderWith(t, { 'empty/readme.txt': '' });
  for (const command of [
    ['stack'],
    ['stack', '--output-format', 'json', '--no-probe'],
    ['plan', 'torch'],
    ['plan', '--check', 'torch'],
  ]) {
    const absent = await run([...command, '--python', 'no-such-python'], { cwd });
    assert.deepEqual(absent, {
      status: 2,
      stdout: '',
      stderr: 'gpu-doctor: `--python no-such-python` does not exist\n',
    });
    const empty = await run([...command, '--python', 'empty'], { cwd });
    assert.equal(empty.status, 2);
    assert.equal(empty.stderr, 'gpu-doctor: `--python empty` is a folder without a Python\n');
  }
});

/** A project whose own Python prints the arguments that it was started with and has a framework. */
async function projectWithPython(t: TestContext) {
  const cwd = await folderWith(t, {
    '.venv/pyvenv.cfg': 'home = /usr/bin\nversion = 3.12.1\n',
    '.venv/lib/python3.12/site-packages/torch/version.py': "__version__ = '2.9.0+cpu'\n",
    '.venv/bin/python': '#!/bin/sh\necho "$2" >> "$(dirname "$0")/started"\nexit 3\n',
  });
  await chmod(join(cwd, '.venv/bin/python'), 0o755);
  const env = { XDG_CACHE_HOME: cwd, VIRTUAL_ENV: '', CONDA_PREFIX: '' };
  const started = () => readFile(join(cwd, '.venv/bin/started'), 'utf8').catch(() => '');
  return { cwd, env, started };
}

const posix = { skip: process.platform === 'win32' && 'the Python is a shell script' };

test('a Python in the current folder is started only if it is named', posix, async (t) => {
  const { cwd, env, started } = await projectWithPython(t);
  const careful = await run(['stack'], { cwd, env });
  assert.match(careful.stdout, /found in the current folder and not started; `--python \.venv` starts it/);
  assert.equal((await run(['stack', '--smoke'], { cwd, env })).status, 2);
  await run(['stack', '--no-probe'], { cwd, env });
  assert.equal(await started(), '');
  const probed = await run(['stack', '--python', '.venv'], { cwd, env });
  assert.match(probed.stdout, /Python exited with code 3 during the start of Python/);
  assert.equal(await started(), 'ask\n');
});

test('a Python that is activated or named is started', posix, async (t) => {
  const { cwd, env, started } = await projectWithPython(t);
  await run(['stack'], { cwd, env: { ...env, VIRTUAL_ENV: join(cwd, '.venv') } });
  assert.equal(await started(), 'ask\n');
  await run(['stack', '--python', '.venv'], { cwd, env });
  assert.equal(await started(), 'ask\nask\n');
});

test('a smoke test of a failing framework fails', posix, async (t) => {
  const { cwd, env, started } = await projectWithPython(t);
  const { status, stdout } = await run(['stack', '--smoke', '--python', '.venv', '--output-format', 'json'], {
    cwd,
    env,
  });
  assert.equal(status, 1);
  assert.equal(await started(), 'ask\nsmoke\n');
  const report = JSON.parse(stdout);
  assert.equal(report.outcome, 'disproved');
  assert.equal(report.frameworks[0].trouble.text, 'Python exited with code 3 during the start of Python');
});

test('a smoke test needs a Python', async (t) => {
  const cwd = await folderWith(t, {});
  const { status, stderr } = await run(['stack', '--smoke', '--no-probe'], { cwd });
  assert.equal(status, 2);
  assert.equal(stderr, 'gpu-doctor: `--smoke` and `--no-probe` exclude each other\n');
});

test('facts printed on another machine are judged as on that machine', async (t) => {
  const cwd = await folderWith(t, { '.venv/bin/python': '' });
  const printed = await run(['stack', '--output-format', 'json', '--no-probe', '--python', '.venv'], { cwd });
  const again = await run(['stack', '--output-format', 'json', '--from', '-'], { cwd, input: printed.stdout });
  assert.equal(again.status, 0, again.stderr);
  assert.deepEqual(JSON.parse(again.stdout), JSON.parse(printed.stdout));
  const text = await run(['stack', '--from', '-'], { cwd, input: printed.stdout });
  const here = await run(['stack', '--no-probe', '--python', '.venv'], { cwd });
  assert.equal(text.stdout, here.stdout);
});

test('a post is judged by program output in it, and its error is explained by that', async (t) => {
  const cwd = await folderWith(t, {
    'error.txt': 'RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED\n',
    'both.txt':
      'Failed to initialize NVML: Driver/library version mismatch\nPyTorch version: 2.4.0\nCUDA used to build PyTorch: 12.1\n',
  });
  const alone = await run(['stack', '--from', 'error.txt'], { cwd });
  assert.equal(alone.status, 0, alone.stderr);
  assert.match(
    alone.stdout,
    /^The text contains no program output that describes a machine\.\n\nThe error in the text\n\ncuDNN cannot start/,
  );
  const both = await run(['stack', '--from', 'both.txt'], { cwd });
  assert.match(both.stdout, /^Error: The NVIDIA driver libraries and the loaded kernel module/m);
  assert.match(both.stdout, /The error in the text results from it: The driver's libraries/);
  const json = await run(['stack', '--output-format', 'json', '--from', 'error.txt'], { cwd });
  assert.equal(json.status, 2);
  for (const begins of ['[Bug]: it does not start', '[2026-10-05 10:00:00] starting', "{'torch': '2.4.0'}"]) {
    const post = await run(['stack', '--from', '-'], { cwd, input: `${begins}\nnvidia-smi: command not found\n` });
    assert.equal(post.status, 0, post.stderr);
  }
});

test('input that is not a record of facts is refused with one sentence', async (t) => {
  const cwd = await folderWith(t, {
    'other.json': '{"a": 1}',
    'odd.json': '{"version":1,"frameworks":{},"gpus":{"source":"","value":7}}',
  });
  for (const [args, input, sentence] of [
    [['--from', 'other.json'], '', 'other.json is not what `gpu-doctor stack --output-format json` prints'],
    [['--from', 'odd.json'], '', 'odd.json has no gpus.readAt: it is not what'],
    [['--from', 'missing.json'], '', 'missing.json does not exist'],
    [['--from', '.'], '', ' is a folder'],
    [['--from', '-'], '{', 'standard input is not what `gpu-doctor stack --output-format json` prints'],
    [['--from', '-'], 'hello', 'nor the output of a program that reports on a machine'],
    [['--from', '-'], '{"version": 9, "gpus": {}, "frameworks": {}}', 'standard input has format 9'],
    [['--from', '-', '--smoke'], '', '`--smoke` tests the GPUs of this machine and cannot be combined with `--from`'],
  ] as const) {
    const { status, stderr } = await run(['stack', ...args], { cwd, input });
    assert.equal(status, 2, stderr);
    assert.ok(stderr.includes(sentence), stderr);
  }
});

test('a stack with problems is recorded only on request', posix, async (t) => {
  const cwd = await folderWith(t, {
    '.venv/pyvenv.cfg': 'home = /usr/bin\nversion = 3.12.1\n',
    '.venv/bin/python': '',
    '.venv/lib/python3.12/site-packages/keras-3.11.3.dist-info/METADATA': '',
  });
  const env = { KERAS_BACKEND: 'jax', VIRTUAL_ENV: '', CONDA_PREFIX: '' };
  const refused = await run(['stack', '--record'], { cwd, env });
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /Keras is set to use jax[\s\S]*`--force` records it anyway/);
  await assert.rejects(readFile(join(cwd, 'gpu-stack.yaml')));
  assert.equal((await run(['stack', '--record', '--force'], { cwd, env })).status, 0);
  assert.match(await readFile(join(cwd, 'gpu-stack.yaml'), 'utf8'), /keras/);
});
