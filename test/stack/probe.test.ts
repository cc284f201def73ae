import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { execa } from 'execa';
import { thisMachine } from '../../server/src/stack/machine/machine.ts';
import { PROBE, type ProbeTask, runProbe } from '../../server/src/stack/runtime/probe.ts';
import { environmentWith, systemPython } from './environments.ts';
import { ended, fakeProgram, withinLimit, writtenPids } from './processes.ts';

/** Real processes; their exit is checked in /proc. */
const options = { skip: process.platform !== 'linux' && 'needs /proc', timeout: 120_000 };

const SECONDS = 1000;

/** Runs torch's report and records its answer. */
async function ask(python: string, more: Partial<ProbeTask> = {}) {
  const messages: unknown[] = [];
  const { trouble } = await runProbe(
    thisMachine(),
    { python, task: 'ask', framework: 'torch', timeout: 60 * SECONDS, ...more },
    (message) => {
      messages.push(message);
      return true;
    },
  );
  return { messages, trouble };
}

test('the programs run in Python 3.8', options, async () => {
  const files = readdirSync(PROBE).filter((name) => name.endsWith('.py'));
  assert.ok(files.length > 1);
  const program =
    'import ast, sys\nfor file in sys.argv[1:]: ast.parse(open(file).read(), file, feature_version=(3, 8))';
  await execa(systemPython(), ['-c', program, ...files.map((name) => path.join(PROBE, name))]);
});

test('an import that never returns is reported and leaves no process', options, async (context) => {
  const { python, folder } = await environmentWith(context, {
    'torch.py': `import os, sys, time
print("a library that prints", flush=True)
open(sys.prefix + "/pids", "w").write(str(os.getpid()))
time.sleep(1000)`,
  });
  const { messages, trouble } = await ask(python, { timeout: 5 * SECONDS });
  assert.deepEqual(messages, []);
  assert.deepEqual(trouble, { cause: 'timedOut', reason: 'import torch did not return within 5 s' });
  await Promise.all(writtenPids(folder).map(ended));
});

test('an import that fails is reported with its own message', options, async (context) => {
  const { python } = await environmentWith(context, { 'torch.py': 'raise OSError("libcudnn.so.9: cannot open")' });
  const { messages, trouble } = await ask(python);
  assert.deepEqual(messages, [{ failure: 'OSError: libcudnn.so.9: cannot open' }]);
  assert.equal(trouble, undefined);
});

test('a crash is reported with the signal and the step', options, async (context) => {
  const { python } = await environmentWith(context, { 'torch.py': 'import os; os.kill(os.getpid(), 11)' });
  const { trouble } = await ask(python);
  assert.deepEqual(trouble, { cause: 'failed', reason: 'Python died of SIGSEGV during import torch' });
});

test('a flood of output is stopped', options, async (context) => {
  const { python } = await environmentWith(context, { 'torch.py': 'while True: print("flood")' });
  const { trouble } = await ask(python);
  assert.equal(trouble?.reason, 'Python produced endless output during import torch and was stopped');
});

test('the output of a fake Python is quoted, in any code page', options, async (context) => {
  const garbage = await fakeProgram(context, 'python', "printf 'Zugriff verweigert \\204\\224\\201\\n'; exit 3");
  const { trouble } = await ask(garbage);
  assert.match(trouble?.reason ?? '', /^Python exited with code 3 during the start of Python: "Zugriff verweigert/);
  const silent = await fakeProgram(context, 'python', 'exit 0');
  assert.deepEqual((await ask(silent)).trouble, { cause: 'unreadable', reason: 'Python did not respond' });
  const missing = path.join(path.dirname(silent), 'nothing');
  assert.equal((await ask(missing)).trouble?.cause, 'absent');
});

test("the framework is the environment's, not a file in the current folder", options, async (context) => {
  const { python, folder } = await environmentWith(context, { 'torch.py': 'raise OSError("of the environment")' });
  await writeFile(path.join(folder, 'torch.py'), 'raise OSError("of the folder")');
  const before = process.cwd();
  process.chdir(folder);
  try {
    const { messages } = await ask(python);
    assert.deepEqual(messages, [{ failure: 'OSError: of the environment' }]);
  } finally {
    process.chdir(before);
  }
});

test('an orphaned program ends itself, even within a call that never returns', options, async (context) => {
  // libc's pause() holds Python's global lock, so that no Python thread runs meanwhile.
  const hang = 'import ctypes; ctypes.PyDLL(None).pause()';
  const { python } = await environmentWith(context, { 'torch.py': hang });
  await withinLimit(async (limit) => {
    const seconds = String(limit / 1000);
    const { exitCode, stdout, stderr } = await execa(python, [PROBE, 'ask', 'torch', seconds], { reject: false });
    assert.equal(exitCode, 1);
    assert.equal(stdout, '{"doing": "import torch"}');
    assert.match(stderr, /^Timeout/);
  });
});

test('a process killed without cleanup leaves no children', options, async (context) => {
  const pids = `import os, sys, time; open(sys.prefix + "/pids", "w").write(str(os.getpid())); time.sleep(1000)`;
  const { python, folder } = await environmentWith(context, { 'torch.py': pids });
  const module = (name: string) => new URL(`../../server/src/stack/${name}`, import.meta.url).href;
  const script = `import { runProbe } from '${module('runtime/probe.ts')}';
import { thisMachine } from '${module('machine/machine.ts')}';
await runProbe(thisMachine(), { python: '${python}', task: 'ask', framework: 'torch', timeout: 60000 }, () => true);`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' });
  while (!hasPid(folder)) await setImmediate();
  parent.kill('SIGKILL');
  await Promise.all(writtenPids(folder).map(ended));
});

function hasPid(folder: string): boolean {
  try {
    return writtenPids(folder).some((pid) => pid > 0);
  } catch {
    return false;
  }
}
