import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startClient } from './client.ts';

const SERVER = fileURLToPath(new URL('../../server/src/server.ts', import.meta.url));

test('says what it can do, and ends with exit code 0 when told to', async (t) => {
  const client = await startClient(t);
  const { capabilities, serverInfo } = client.initialized;
  assert.equal(serverInfo?.name, 'gpu-doctor');
  assert.equal(capabilities.positionEncoding, 'utf-16');
  assert.deepEqual(capabilities.textDocumentSync, { openClose: true, change: 2, save: true });
  assert.equal(capabilities.hoverProvider, true);
  assert.equal(await client.stop(), 0);
});

test('ends when the client is gone without a word', { timeout: 30_000 }, async (t) => {
  const client = await startClient(t);
  const exited = once(client.process, 'exit');
  client.process.stdin?.end();
  const [code] = await exited;
  assert.equal(code, 1);
});

test('ends when the process that forked it lets go of it', { timeout: 30_000 }, async () => {
  const server = spawn(process.execPath, [SERVER, '--node-ipc'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const answered = once(server, 'message');
  server.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { processId: null, rootUri: null, capabilities: {} },
  });
  const [answer] = await answered;
  assert.equal(answer.id, 1);
  const exited = once(server, 'exit');
  server.disconnect();
  await exited;
});

test('says how it is started', async () => {
  const started = promisify(execFile)(process.execPath, [SERVER]);
  await assert.rejects(started, (error: { code: number; stderr: string }) => {
    assert.equal(error.code, 2);
    assert.match(error.stderr, /--stdio/);
    return true;
  });
});
