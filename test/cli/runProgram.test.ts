import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { CLI } from '../programs.ts';
import { folderWith, run } from './run.ts';

const here = { cwd: import.meta.dirname };
const sh = (script: string) => ['run', '--', 'sh', '-c', script];

test('a program that succeeds keeps its input, output and status, and nothing is added', async () => {
  const { status, stdout, stderr } = await run(sh('cat; printf "\\033[1mbar\\r\\n" >&2'), {
    ...here,
    input: 'hello\n',
  });
  assert.deepEqual([status, stdout, stderr], [0, 'hello\n', '\u001B[1mbar\r\n']);
});

test("a known error is explained below the program's output", async () => {
  const { status, stderr } = await run(
    sh('echo "AssertionError: Torch not compiled with CUDA enabled" >&2; exit 3'),
    here,
  );
  assert.equal(status, 3);
  assert.match(
    stderr,
    /^AssertionError: Torch not compiled with CUDA enabled\n\n── GPU Doctor ──\nThis torch has no CUDA\n/,
  );
});

test('an unknown error is passed through unchanged', async () => {
  const { status, stderr } = await run(sh('echo "KeyError: 1" >&2; exit 1'), here);
  assert.deepEqual([status, stderr], [1, 'KeyError: 1\n']);
});

test('for an unknown error, problems of the named file on this machine are reported', async (t) => {
  const cwd = await folderWith(t, { 'model.safetensors': 'ab' });
  const { status, stderr } = await run(sh('echo "ValueError: cannot use \'model.safetensors\'" >&2; exit 4'), { cwd });
  assert.equal(status, 4);
  assert.match(stderr, /── GPU Doctor ──\nNo explanation for this error:\n\n {4}ValueError: cannot use/);
  assert.match(stderr, /which may or may not be the cause:\n- model\.safetensors: /);
});

test('a program that a signal ended has the status that a shell gives it', async () => {
  assert.equal((await run(sh('kill -SEGV $$'), here)).status, 139);
});

// Lightning and batch systems announce the end of a program's time with USR1, which makes Node open a debugger port.
for (const signal of ['TERM', 'USR1', 'USR2'] as const)
  test(`signals are forwarded: ${signal}`, async () => {
    const child = spawn(process.execPath, [
      CLI,
      ...sh(`trap "exit 7" ${signal}; echo ready; while :; do sleep 0.1; done`),
    ]);
    await once(child.stdout, 'data');
    child.kill(`SIG${signal}`);
    const [status] = await once(child, 'close');
    assert.equal(status, 7);
  });

test('a failed program is explained even if its child still runs', async () => {
  const script =
    'sleep 600 >/dev/null & echo $!; echo "AssertionError: Torch not compiled with CUDA enabled" >&2; exit 3';
  const { status, stdout, stderr } = await run(sh(script), here);
  assert.equal(process.kill(Number(stdout)), true);
  assert.equal(status, 3);
  assert.match(stderr, /── GPU Doctor ──/);
});

test('a program that cannot be started gets one sentence', async () => {
  const missing = await run(['run', '--', 'no-such-program'], here);
  assert.deepEqual([missing.status, missing.stderr], [127, 'gpu-doctor: no-such-program does not exist\n']);
  assert.equal((await run(['run'], here)).status, 2);
});

const hasScript = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '');

test('on a terminal, standard error stays one byte by byte, and standard output is unchanged', {
  skip: !hasScript,
}, async () => {
  const program = '[ -t 2 ] && printf "tty\\n" >&2; [ -t 1 ] || printf "no tty\\n"; exit 5';
  // The outer terminal is the user's; its own conversion of line ends is disabled.
  const outer = spawn(
    'script',
    ['-qec', `stty -opost; ${process.execPath} ${CLI} run -- sh -c '${program}' | cat`, '/dev/null'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  assert.deepEqual((await text(outer.stdout)).split('\n').sort(), ['', 'no tty', 'tty']);
});

test("on a terminal, a program can prompt its user and knows the terminal's width", {
  skip: !hasScript,
}, async () => {
  // Password prompts read from the terminal itself.
  const program = 'stty size <&2; printf "name? "; read -r name </dev/tty && printf "hello %s\\n" "$name"';
  const outer = spawn(
    'script',
    ['-qec', `stty -opost -echo cols 77 rows 40; ${process.execPath} ${CLI} run -- sh -c '${program}'`, '/dev/null'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  let printed = '';
  for await (const bytes of outer.stdout) {
    const wasAsked = printed.includes('name? ');
    printed += bytes;
    if (!wasAsked && printed.includes('name? ')) outer.stdin.write('Ada\n');
  }
  assert.match(printed, /^40 77\nname\? hello Ada\n$/);
});
