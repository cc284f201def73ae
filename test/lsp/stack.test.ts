import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  REFRESH_STACK,
  STACK_CHANGED,
  STACK_DOCUMENT,
  type StackChanged,
  type StackScope,
  WATCH_STACK,
} from '../../server/src/protocol.ts';
import { startClient } from './client.ts';

/** A project with a CPU build of torch in its `.venv`, on a machine without any GPU. */
async function startProject(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'gpu-doctor-lsp-'));
  t.after(() => rm(folder, { recursive: true }));
  const bin = join(folder, '.venv', 'bin');
  const packages = join(folder, '.venv', 'lib', 'python3.12', 'site-packages');
  await mkdir(bin, { recursive: true });
  await mkdir(join(packages, 'torch'), { recursive: true });
  await mkdir(join(packages, 'torch-2.9.0+cpu.dist-info'));
  await writeFile(join(folder, '.venv', 'pyvenv.cfg'), `home = ${folder}\nversion = 3.12.1\n`);
  await writeFile(join(packages, 'torch', 'version.py'), "__version__ = '2.9.0+cpu'\ncuda = None\nhip = None\n");
  await writeFile(join(packages, 'torch-2.9.0+cpu.dist-info', 'METADATA'), 'Name: torch\nVersion: 2.9.0+cpu\n');
  await writeFile(join(bin, 'python'), '#!/bin/sh\nexit 1\n');
  await chmod(join(bin, 'python'), 0o755);

  const told: StackChanged[] = [];
  let look = () => {};
  const client = await startClient(t, {
    // Only this folder: no other Python and no nvidia-smi of the machine that runs the test.
    env: { PATH: [folder, '/nonexistent'].join(delimiter), VIRTUAL_ENV: '', CONDA_PREFIX: '' },
    prepare: (connection) =>
      connection.onNotification(STACK_CHANGED, (summary: StackChanged) => {
        told.push(summary);
        look();
      }),
  });
  const watch = (scope: StackScope) => client.connection.sendNotification(WATCH_STACK, scope);
  const summary = (wanted: (summary: StackChanged) => boolean) =>
    new Promise<StackChanged>((resolve) => {
      look = () => {
        const found = told.find(wanted);
        if (found) resolve(found);
      };
      look();
    });
  return { folder, client, told, watch, summary };
}

test('reports the known stack when the client requests it', { timeout: 180_000 }, async (t) => {
  const { folder, client, told, watch, summary } = await startProject(t);
  await client.diagnostics('file:///project/train.py');
  assert.deepEqual(told, []);
  await watch({ folders: [folder], trusted: true });
  const known = await summary(({ text }) => text.includes('2.9.0+cpu'));
  assert.match(known.tooltip, /torch/);
  const document: string = await client.connection.sendRequest(STACK_DOCUMENT);
  assert.match(document, /^# /);
  assert.match(document, /2\.9\.0\+cpu/);

  const before = told.length;
  await client.connection.sendRequest(REFRESH_STACK);
  assert.ok(told.length > before);
  assert.deepEqual(client.log, []);
  assert.equal(await client.stop(), 0);
});

test('does not use the contents of an untrusted workspace until it is trusted', { timeout: 180_000 }, async (t) => {
  const { folder, client, told, watch, summary } = await startProject(t);
  await watch({ folders: [folder], trusted: false });
  await client.connection.sendRequest(REFRESH_STACK);
  assert.ok(told.length > 0);
  assert.ok(!told.some(({ text }) => text.includes('2.9.0')));
  // Nor does another Python's report replace it.
  assert.match(told.at(-1)?.text ?? '', /not read \(Restricted Mode\)/);
  await watch({ folders: [folder], trusted: true });
  await summary(({ text }) => text.includes('2.9.0+cpu'));
});

test('answers with the report to an editor that only requests it', { timeout: 180_000 }, async (t) => {
  const { client } = await startProject(t);
  const document: string = await client.connection.sendRequest(STACK_DOCUMENT);
  assert.match(document, /^# /);
});
