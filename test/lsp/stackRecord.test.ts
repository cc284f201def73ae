import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DidChangeWatchedFilesNotification, FileChangeType } from 'vscode-languageserver/node';
import {
  RECORD_STACK,
  REFRESH_STACK,
  type RecordAnswer,
  STACK_CHANGED,
  type StackChanged,
  WATCH_STACK,
} from '../../server/src/protocol.ts';
import { folderWith } from '../cli/run.ts';
import { rangeOf, startClient } from './client.ts';

const RECORD = `# ours
format: 1
driver: 550.54
gpus:
  - name: NVIDIA GeForce RTX 3090
    count: 2
    memory: 24 GiB
`;

/** A workspace with a record, on a machine with one RTX 3090 and no Python. */
async function startWorkspace(t: TestContext, record: string | undefined) {
  const folder = await folderWith(t, record === undefined ? {} : { 'gpu-stack.yaml': record });
  const uri = pathToFileURL(join(folder, 'gpu-stack.yaml')).href;
  const told: StackChanged[] = [];
  let look = () => {};
  const client = await startClient(t, {
    env: { PATH: [folder, '/usr/bin', '/bin'].join(delimiter), VIRTUAL_ENV: '', CONDA_PREFIX: '' },
    prepare: (connection) =>
      connection.onNotification(STACK_CHANGED, (news: StackChanged) => {
        told.push(news);
        look();
      }),
  });
  const driver = async (version: string) => {
    const gpu = `0, GPU-1, NVIDIA GeForce RTX 3090, ${version}, 24576, 300, 0, 8.6, [N/A]`;
    await writeFile(join(folder, 'nvidia-smi'), `#!/bin/sh\necho '${gpu}'\n`);
    await chmod(join(folder, 'nvidia-smi'), 0o755);
  };
  await driver('550.54');
  /** Waits for the status bar's text. */
  const summary = (wanted: (news: StackChanged) => boolean) =>
    new Promise<StackChanged>((resolve) => {
      look = () => {
        const last = told.at(-1);
        if (last && wanted(last)) resolve(last);
      };
      look();
    });
  const watch = (trusted = true) => client.connection.sendNotification(WATCH_STACK, { folders: [folder], trusted });
  return { folder, uri, client, summary, watch, driver };
}

const mentionsRecord = ({ tooltip }: StackChanged) => tooltip.includes('stack-drift');

test('drift is shown at its lines and in the status bar', { timeout: 180_000 }, async (t) => {
  const { uri, client, summary, watch, driver } = await startWorkspace(t, RECORD);
  await watch();
  const { diagnostics, version } = await client.published((params) => params.uri === uri);
  assert.equal(version, undefined);
  assert.deepEqual(diagnostics, [
    {
      range: rangeOf(RECORD, 'gpus'),
      severity: 2,
      code: 'stack-drift',
      source: 'gpu-doctor',
      message: 'Recorded: 2 × RTX 3090 24 GiB. This machine: RTX 3090 24 GiB.',
    },
  ]);
  const drifted = await summary(mentionsRecord);
  assert.equal(drifted.state, 'warning');

  // Unsaved text counts, including what it says about another machine.
  const edited = RECORD.replace('    count: 2\n', '').replace('550.54', '560.10 # newer');
  client.open(uri, RECORD, 'yaml');
  client.edit(uri, undefined, edited);
  const live = await client.published((params) => params.uri === uri && params.version === 2);
  assert.deepEqual(
    live.diagnostics.map(({ range, severity, message }) => ({ range, severity, message })),
    [{ range: rangeOf(edited, '560.10'), severity: 2, message: 'Driver is 550.54 here; 560.10 was recorded.' }],
  );

  const broken = 'format: 1\ndrvier: 550.54\n';
  client.edit(uri, undefined, broken);
  const mistakes = await client.published((params) => params.uri === uri && params.version === 3);
  assert.deepEqual(
    mistakes.diagnostics.map(({ range, severity }) => ({ range, severity })),
    [{ range: rangeOf(broken, 'drvier'), severity: 1 }],
  );

  client.edit(uri, undefined, 'format: 1\ndriver: 550.54\n');
  await client.published((params) => params.uri === uri && params.diagnostics.length === 0);
  await summary((news) => !mentionsRecord(news));

  // The stack changes after the file was read.
  await driver('535.10');
  await client.connection.sendRequest(REFRESH_STACK);
  const changed = await client.published((params) => params.uri === uri && params.diagnostics.length === 1);
  assert.match(String(changed.diagnostics[0]?.message), /^Driver is 535\.10 here; 550\.54 was recorded\.$/);
  await summary(mentionsRecord);

  client.close(uri);
  const closed = await client.published((params) => params.uri === uri && params.diagnostics.length === 2);
  assert.deepEqual(
    closed.diagnostics.map(({ severity }) => severity),
    [2, 2],
    'the file on disk counts again',
  );
  assert.deepEqual(client.log, []);
});

test('a file that appears on disk is compared', { timeout: 180_000 }, async (t) => {
  const { folder, uri, client, summary, watch } = await startWorkspace(t, undefined);
  await watch();
  await client.connection.sendRequest(REFRESH_STACK);
  await summary((news) => !mentionsRecord(news));
  await writeFile(join(folder, 'gpu-stack.yaml'), RECORD);
  await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
    changes: [{ uri, type: FileChangeType.Created }],
  });
  const { diagnostics } = await client.published((params) => params.uri === uri);
  assert.equal(diagnostics.length, 1);
  await summary(mentionsRecord);
});

test('in an untrusted workspace, only errors in the file are shown', { timeout: 180_000 }, async (t) => {
  const { uri, client, watch } = await startWorkspace(t, RECORD);
  await watch(false);
  await client.connection.sendRequest(REFRESH_STACK);
  client.open(uri, 'format: 2\n', 'yaml');
  const { diagnostics } = await client.published((params) => params.uri === uri);
  assert.match(String(diagnostics[0]?.message), /another version/);
  client.edit(uri, undefined, RECORD);
  await client.published((params) => params.uri === uri && params.diagnostics.length === 0);
});

test("the stack is recorded over the file's contents", { timeout: 180_000 }, async (t) => {
  const { client, watch } = await startWorkspace(t, RECORD);
  await watch();
  const record = (text?: string) => client.connection.sendRequest<RecordAnswer>(RECORD_STACK, { text });
  const kept = await record(RECORD);
  assert.equal(kept.replaces, false);
  assert.match(
    kept.text,
    /^# ours\nformat: 1\ndriver: "550\.54"\ngpus:\n {2}- name: NVIDIA GeForce RTX 3090\n {4}memory/,
  );
  const fresh = await record();
  assert.deepEqual([fresh.replaces, /^# The GPU stack/.test(fresh.text)], [false, true]);
  assert.deepEqual(await record('a: ['), { ...fresh, replaces: true });
});
