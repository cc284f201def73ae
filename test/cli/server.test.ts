import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startClient } from '../lsp/client.ts';
import { CLI } from '../programs.ts';
import { folderWith, run } from './run.ts';

test('the command becomes the language server', { timeout: 180_000 }, async (t) => {
  const client = await startClient(t, { command: [CLI, 'server', '--stdio'] });
  assert.equal(client.initialized.serverInfo?.name, 'gpu-doctor');
  client.open('file:///project/train.py', 'import torch\ntorch.load("model.pt")\n');
  assert.equal((await client.diagnostics('file:///project/train.py')).length, 1);
  assert.equal(await client.stop(), 0);
});

test('it explains how to start it', async (t) => {
  const cwd = await folderWith(t, {});
  const { status, stdout, stderr } = await run(['server'], { cwd });
  assert.equal(status, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /--stdio/);
  const help = await run(['server', '--help'], { cwd });
  assert.equal(help.status, 0);
  assert.match(help.stdout, /Usage: gpu-doctor server/);
});
