import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { CLI } from '../programs.ts';
import { folderWith, run } from './run.ts';

/** More output in each format than the system buffers for a slow reader. */
const NAME = 'checkpoint'.repeat(60);
const LOADS = Array.from({ length: 1000 }, (_, index) => `m${index} = torch.load("${NAME}${index}.pt")\n`);
const FINDINGS = `import torch\n${LOADS.join('')}`;

/** A safetensors file with that many empty tensors. */
function manyTensors(count: number): Buffer {
  const tensor = { dtype: 'F32', shape: [0], data_offsets: [0, 0] };
  const header = JSON.stringify(
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`model.layers.${index}.weight`, tensor])),
  );
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, Buffer.from(header)]);
}

const exitOf = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('close', resolve));

/** Reads some kilobytes per turn of the event loop, much slower than they are written. */
async function readSlowly(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  const end = once(stream, 'end');
  while (!stream.readableEnded) {
    const chunk: Buffer | null = stream.read(8192) ?? stream.read();
    if (chunk) {
      chunks.push(chunk);
      await setImmediate();
    } else await Promise.race([once(stream, 'readable'), end]);
  }
  return Buffer.concat(chunks).toString();
}

/** Runs the same command with its standard output in a file, which is written at once. */
async function intoFile(t: TestContext, args: readonly string[], cwd: string): Promise<string> {
  const file = join(await folderWith(t, {}), 'output');
  const descriptor = openSync(file, 'w');
  const child = spawn(process.execPath, [CLI, ...args], { cwd, stdio: ['ignore', descriptor, 'ignore'] });
  closeSync(descriptor);
  await exitOf(child);
  return readFile(file, 'utf8');
}

const limit = { timeout: 300_000 };

test('a slow reader gets megabytes of output completely, and the status', limit, async (t) => {
  const cwd = await folderWith(t, { 'train.py': FINDINGS, 'model.safetensors': manyTensors(20_000) });
  const commands: [string[], number][] = [
    [['check', '--hints', 'train.py'], 1],
    [['check', '--output-format', 'json', 'train.py'], 1],
    [['check', '--output-format', 'sarif', 'train.py'], 1],
    [['check', '--output-format', 'github', 'train.py'], 1],
    [['check', '--diff', 'train.py'], 1],
    // The free memory changes from one run to the next.
    [['inspect', '--output-format', 'json', '--no-live', 'model.safetensors'], 0],
    [['rule', 'GPU101'], 0],
  ];
  for (const [args, status] of commands) {
    const expected = await intoFile(t, args, cwd);
    const child = spawn(process.execPath, [CLI, ...args], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
    const exit = exitOf(child);
    assert.equal(await readSlowly(child.stdout), expected, args.join(' '));
    assert.equal(await exit, status, args.join(' '));
    assert.ok(args[0] === 'rule' || expected.length > 200_000, `${args.join(' ')}: ${expected.length}`);
  }
});

test('a reader that ignores standard error still reads all of standard output', limit, async (t) => {
  const cwd = await folderWith(t, { 'train.py': FINDINGS });
  const args = ['check', '--hints', 'missing.py', 'train.py'];
  const child = spawn(process.execPath, [CLI, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.destroy();
  const exit = exitOf(child);
  assert.equal(await text(child.stdout), await intoFile(t, args, cwd));
  assert.equal(await exit, 2);
});

test('reading only the first lines causes no error, and the status is correct', limit, async (t) => {
  const cwd = await folderWith(t, { 'train.py': FINDINGS });
  const child = spawn(process.execPath, [CLI, 'check', 'train.py'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = exitOf(child);
  const said = text(child.stderr);
  child.stdout.once('data', () => child.stdout.destroy());
  assert.equal(await exit, 1);
  assert.equal(await said, '');
});

const hasFullDevice = process.platform === 'linux';

test('a full disk is reported, with the status of an error', {
  ...limit,
  skip: !hasFullDevice,
}, async (t) => {
  const cwd = await folderWith(t, { 'train.py': FINDINGS });
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [CLI, 'check', 'train.py'], { cwd, stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  const exit = exitOf(child);
  assert.match(await text(child.stderr as Readable), /^gpu-doctor: its output could not be written: .*ENOSPC.*\n$/);
  assert.equal(await exit, 2);
});

/** Runs a command that consists of that code. */
async function runCode(
  t: TestContext,
  code: string,
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const module = pathToFileURL(join(import.meta.dirname, '../../server/src/cli/untilWritten.ts')).href;
  const cwd = await folderWith(t, {
    'made.mjs': `import { untilWritten } from ${JSON.stringify(module)};\nvoid untilWritten(async () => { ${code} });\n`,
  });
  const child = spawn(process.execPath, ['made.mjs'], { cwd });
  const exit = exitOf(child);
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { status, stdout, stderr };
}

test('a command that waits for something that does not keep Node running still finishes', async (t) => {
  const waiting =
    'await new Promise((resolve) => setTimeout(resolve, 100).unref()); process.stdout.write("done"); return 1;';
  assert.deepEqual(await runCode(t, waiting), { status: 1, stdout: 'done', stderr: '' });
});

test('a command that can never finish, or fails, does not end silently', async (t) => {
  const never = await runCode(t, 'await new Promise(() => {});');
  assert.equal(never.status, 2);
  assert.equal(never.stderr, 'gpu-doctor: exited before it finished; please report this\n');
  const failing = await runCode(t, 'process.stdout.write("x".repeat(1e6)); throw new Error("of ours");');
  assert.equal(failing.status, 2);
  assert.equal(failing.stdout.length, 1e6);
  assert.match(failing.stderr, /^gpu-doctor: failed; please report this: Error: of ours\n/);
});

test('errors in a call are reported', async (t) => {
  const cwd = await folderWith(t, {});
  for (const args of [['server'], ['chek'], ['check', '--colour']]) {
    const { status, stderr } = await run(args, { cwd });
    assert.equal(status, 2, args.join(' '));
    assert.doesNotMatch(stderr, /please report/);
    assert.ok(stderr.length > 20);
  }
});
