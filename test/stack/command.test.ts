import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { runCommand } from '../../server/src/stack/machine/command.ts';
import { nativeProgram } from '../../server/src/stack/machine/started.ts';
import { ended, fakeNvidiaSmi, withinLimit, writtenPids } from './processes.ts';

/** Real shell processes; their exit is checked in /proc. */
const options = { skip: process.platform !== 'linux' && 'needs /proc', timeout: 120_000 };

test('a program that exits returns its output and exit code', options, async (context) => {
  const folder = await fakeNvidiaSmi(context, 'echo out; echo err >&2; echo $LC_ALL; exit 9');
  const result = await runCommand(path.join(folder, 'nvidia-smi'), []);
  assert.deepEqual(result, {
    stdout: 'out\nC',
    stderr: 'err',
    exitCode: 9,
    failure: undefined,
    signal: undefined,
  });
});

test('a program that hangs and ignores polite signals is killed with its children', options, async (context) => {
  const script = `trap '' TERM INT HUP
sleep 1000 & echo $! > $HERE/pids; echo $$ >> $HERE/pids
echo begun; wait; sleep 1000`;
  await withinLimit(async (timeout) => {
    const folder = await fakeNvidiaSmi(context, script);
    const result = await runCommand(path.join(folder, 'nvidia-smi'), [], { timeout });
    assert.equal(result.failure, 'timedOut');
    assert.equal(result.exitCode, null);
    const pids = writtenPids(folder);
    assert.equal(pids.length, 2);
    await Promise.all(pids.map(ended));
  });
});

test('a child that left the group and holds the output does not delay the result', options, async (context) => {
  await withinLimit(async (timeout) => {
    const folder = await fakeNvidiaSmi(context, 'setsid sleep 1000 & echo $! > $HERE/pids; exit 0');
    const result = await runCommand(path.join(folder, 'nvidia-smi'), [], { timeout });
    for (const pid of writtenPids(folder)) process.kill(pid, 'SIGKILL');
    assert.equal(result.failure, 'timedOut');
  });
});

test('a program that prints endlessly is stopped', options, async (context) => {
  const folder = await fakeNvidiaSmi(context, 'echo $$ > $HERE/pids; while :; do echo flood; done');
  const result = await runCommand(path.join(folder, 'nvidia-smi'), [], { maxOutput: 10_000 });
  assert.equal(result.failure, 'tooMuchOutput');
  assert.ok(result.stdout.length <= 10_000);
  await Promise.all(writtenPids(folder).map(ended));
});

test('a program killed by a signal is reported', options, async (context) => {
  const folder = await fakeNvidiaSmi(context, 'echo half; kill -SEGV $$');
  const result = await runCommand(path.join(folder, 'nvidia-smi'), []);
  assert.equal(result.failure, 'killed');
  assert.equal(result.signal, 'SIGSEGV');
  assert.equal(result.stdout, 'half');
});

test('lines arrive as they are printed, from the requested folder', options, async (context) => {
  const folder = await fakeNvidiaSmi(context, 'pwd; echo second; exec sleep 1000');
  const controller = new AbortController();
  const lines: string[] = [];
  const onLine = (line: string) => {
    lines.push(line);
    if (lines.length === 2) controller.abort();
  };
  const { signal } = controller;
  const { failure } = await runCommand(path.join(folder, 'nvidia-smi'), [], { cwd: folder, onLine, signal });
  assert.equal(failure, 'aborted');
  assert.deepEqual(lines, [folder, 'second']);
});

test('missing programs and those without permission are distinguished', options, async (context) => {
  const folder = await fakeNvidiaSmi(context, '');
  assert.equal((await runCommand(path.join(folder, 'nothing'), [])).failure, 'notFound');
  assert.equal((await runCommand(folder, [])).failure, 'notPermitted');
  // Node.js reports this one by throwing.
  assert.equal((await runCommand(path.join(folder, 'nvidia-smi', 'nothing'), [])).failure, 'notStarted');
});

test('aborting ends the program at once', options, async (context) => {
  const folder = await fakeNvidiaSmi(context, 'echo $$ > $HERE/pids; exec sleep 1000');
  const controller = new AbortController();
  const running = runCommand(path.join(folder, 'nvidia-smi'), [], { signal: controller.signal });
  while (!hasPids(folder)) await setImmediate();
  controller.abort();
  assert.equal((await running).failure, 'aborted');
  await Promise.all(writtenPids(folder).map(ended));
  assert.equal((await runCommand('/bin/true', [], { signal: controller.signal })).failure, 'aborted');
});

test('a program ends with the process that runs it, even if a signal kills that process', options, async (context) => {
  const folder = await fakeNvidiaSmi(context, 'echo $$ > $HERE/pids; exec sleep 1000');
  const module = new URL('../../server/src/stack/machine/command.ts', import.meta.url);
  const script = `import { runCommand } from '${module}'; await runCommand('${folder}/nvidia-smi', [], { timeout: 20000 });`;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' });
    while (!hasPids(folder)) await setImmediate();
    parent.kill(signal);
    assert.deepEqual(await once(parent, 'exit'), [null, signal]);
    await Promise.all(writtenPids(folder).map(ended));
    await rm(path.join(folder, 'pids'));
  }
});

function hasPids(folder: string): boolean {
  try {
    return writtenPids(folder).some((pid) => pid > 0);
  } catch {
    return false;
  }
}

test('on Windows, only programs that start without a shell are started', () => {
  assert.equal(nativeProgram('C:\\Python\\python.exe', 'win32'), 'C:\\Python\\python.exe');
  assert.equal(nativeProgram('C:\\Python3.11\\PYTHON', 'win32'), 'C:\\Python3.11\\PYTHON.exe');
  // A shell would run it. Instead, a file with that name is searched for, and there is none.
  assert.equal(nativeProgram('C:\\work\\python.bat', 'win32'), 'C:\\work\\python.bat.exe');
  assert.equal(nativeProgram('/usr/bin/python.bat', 'linux'), '/usr/bin/python.bat');
});
