import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { DiagnosticRefreshRequest } from 'vscode-languageserver/node';
import { REFRESH_STACK, WATCH_STACK } from '../../server/src/protocol.ts';
import { folderWith } from '../cli/run.ts';
import { FULL, startClient } from './client.ts';

const gpu = (index: number) => `${index}, GPU-${index}, NVIDIA GeForce RTX 3090, 550.54, 24576, 300, 0, 8.6, [N/A]`;

test("an index beyond this machine's GPUs is an error until there are more", { timeout: 180_000 }, async (t) => {
  const folder = await folderWith(t, {});
  const program = join(folder, 'nvidia-smi');
  const pretend = async (...gpus: string[]) => {
    await writeFile(program, `#!/bin/sh\ncat <<'END'\n${gpus.join('\n')}\nEND\n`);
    await chmod(program, 0o755);
  };
  await pretend(gpu(0));
  let refreshed = () => {};
  const client = await startClient(t, {
    capabilities: { ...FULL, workspace: { diagnostics: { refreshSupport: true } } },
    env: { PATH: [folder, process.env.PATH].join(delimiter), CUDA_VISIBLE_DEVICES: '0,1,2' },
    prepare: (connection) => connection.onRequest(DiagnosticRefreshRequest.type, () => refreshed()),
  });
  const uri = 'file:///project/train.py';
  client.open(uri, 'import torch\nx = torch.zeros(1, device="cuda:1")\n');
  const found = async () => (await client.diagnostics(uri)).map(({ code, severity }) => `${code} ${severity}`);
  const refresh = () =>
    new Promise<void>((resolve) => {
      refreshed = resolve;
    });
  assert.deepEqual(await found(), ['GPU201 2']);

  let news = refresh();
  await client.connection.sendNotification(WATCH_STACK, { folders: [folder], trusted: true });
  await client.connection.sendRequest(REFRESH_STACK);
  await news;
  assert.deepEqual(await found(), ['GPU204 1']);
  const [{ message } = {}] = await client.diagnostics(uri);
  assert.match(String(message), /^`"cuda:1"` fails here: this machine has 1 GPU \(RTX 3090\)\.$/);

  await pretend(gpu(0), gpu(1));
  news = refresh();
  await client.connection.sendRequest(REFRESH_STACK);
  await news;
  assert.deepEqual(await found(), ['GPU201 2']);
  assert.deepEqual(client.log, []);
});
