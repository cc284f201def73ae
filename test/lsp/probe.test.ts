import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { CancellationTokenSource, LSPErrorCodes, WorkDoneProgress } from 'vscode-languageserver/node';
import { ensurePython } from '../../scripts/python.ts';
import {
  REFRESH_STACK,
  SMOKE_TEST,
  type SmokeTestResult,
  type StackScope,
  WATCH_STACK,
} from '../../server/src/protocol.ts';
import { ended, writtenPids } from '../stack/processes.ts';
import { startClient } from './client.ts';

/** Real processes, which are looked up in /proc. */
const options = { skip: process.platform !== 'linux' && 'needs /proc', timeout: 120_000 };

/** A project with a torch in its `.venv` whose Python writes its process id and hangs. */
async function startProject(t: TestContext) {
  const folder = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-probe-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const environment = path.join(folder, '.venv');
  const python = path.join(environment, 'bin', 'python');
  const packages = path.join(environment, 'lib', 'python3.12', 'site-packages');
  await mkdir(path.dirname(python), { recursive: true });
  await mkdir(path.join(packages, 'torch'), { recursive: true });
  await writeFile(path.join(environment, 'pyvenv.cfg'), 'home = /usr/bin\nversion = 3.12.1\n');
  await writeFile(path.join(packages, 'torch', 'version.py'), "__version__ = '2.9.0+cpu'\n");
  await writeFile(python, `#!/bin/sh\necho $$ >> '${folder}/pids'\nexec /bin/sleep 1000\n`);
  await chmod(python, 0o755);
  const client = await startClient(t, {
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'project' }],
    env: { XDG_CACHE_HOME: path.join(folder, 'cache'), VIRTUAL_ENV: '' },
  });
  return {
    ...{ folder, python, client },
    watch: (scope: StackScope) => client.connection.sendNotification(WATCH_STACK, scope),
  };
}

/** Returns the process ids of the server's running child processes. */
function childrenOf(server: number | undefined): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const status = /^\d+$/.test(name) ? statOf(name) : undefined;
    return status?.parent === server && status?.state !== 'Z' ? Number(name) : [];
  });
}

function statOf(process: string): { state: string; parent: number } | undefined {
  try {
    const [state = '', parent] = readFileSync(`/proc/${process}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/** Returns the process of the project's Python, once it runs. */
async function started(folder: string): Promise<number> {
  while (!existsSync(path.join(folder, 'pids')) || !(writtenPids(folder).at(-1) ?? 0)) await setImmediate();
  return writtenPids(folder).at(-1) ?? 0;
}

test('no process of the workspace is started until it is trusted', options, async (t) => {
  const { folder, python, client, watch } = await startProject(t);
  const { pid } = client.process;
  // The workspace is not trusted yet.
  await client.connection.sendRequest(REFRESH_STACK);
  assert.ok(!existsSync(path.join(folder, 'pids')));
  for (const scope of [{ folders: [folder] }, { folders: [folder], interpreter: python }]) {
    await watch({ ...scope, trusted: false });
    // Answered after everything has been read.
    await client.connection.sendRequest(REFRESH_STACK);
    assert.deepEqual(childrenOf(pid), []);
    assert.ok(!existsSync(path.join(folder, 'pids')));
  }
  await assert.rejects(client.connection.sendRequest(SMOKE_TEST, {}), /not trusted/);
  assert.ok(!existsSync(path.join(folder, 'pids')));

  await watch({ folders: [folder], trusted: true });
  const child = await started(folder);
  assert.deepEqual(childrenOf(pid), [child]);
});

test('another scope stops the processes of the previous one, as does revoked trust', options, async (t) => {
  const { folder, client, watch } = await startProject(t);
  await watch({ folders: [folder], trusted: true });
  const child = await started(folder);
  await watch({ folders: [folder], trusted: false });
  await ended(child);
  await client.connection.sendRequest(REFRESH_STACK);
  assert.deepEqual(childrenOf(client.process.pid), []);
});

test('no process remains when the server exits normally or by a signal', options, async (t) => {
  for (const end of ['order', 'SIGTERM', 'SIGINT'] as const) {
    const { folder, client, watch } = await startProject(t);
    await watch({ folders: [folder], trusted: true });
    const child = await started(folder);
    if (end === 'order') assert.equal(await client.stop(), 0);
    else client.process.kill(end);
    await ended(child);
  }
});

test('the smoke test reports its progress and result', options, async (t) => {
  const { torch } = await ensurePython();
  const { folder, client, watch } = await startProject(t);
  const told: string[] = [];
  client.connection.onProgress(WorkDoneProgress.type, 'test', (value) => {
    told.push('message' in value && value.message ? `${value.kind}: ${value.message}` : value.kind);
  });
  await watch({ folders: [folder], interpreter: torch, trusted: true });
  const answer: SmokeTestResult = await client.connection.sendRequest(SMOKE_TEST, { workDoneToken: 'test' });
  assert.match(answer.document, /^# GPU smoke test\n\n\*\*.*\*\*\n\n## PyTorch \d/);
  assert.match(answer.document, /^\| .* \| convolution \| passed/m);
  assert.equal(told[0], 'begin: reading the stack');
  assert.ok(told.includes('report: torch: import'));
  assert.equal(told.at(-1), 'end');
});

test('an aborted smoke test stops its process immediately', options, async (t) => {
  const { folder, python, client, watch } = await startProject(t);
  const quickFirst = `#!/bin/sh\ncase "$2" in ask) exit 1;; esac\necho $$ >> '${folder}/pids'\nexec /bin/sleep 1000\n`;
  await writeFile(python, quickFirst);
  await watch({ folders: [folder], trusted: true });
  const source = new CancellationTokenSource();
  const answer = client.connection.sendRequest(SMOKE_TEST, {}, source.token);
  const child = await started(folder);
  source.cancel();
  await assert.rejects(answer, { code: LSPErrorCodes.RequestCancelled });
  await ended(child);
});
