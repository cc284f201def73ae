import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SERVER } from '../programs.ts';
import { startClient } from './client.ts';

test('announces its capabilities and exits with 0 on request', async (t) => {
  const client = await startClient(t);
  const { capabilities, serverInfo } = client.initialized;
  assert.equal(serverInfo?.name, 'gpu-doctor');
  assert.equal(capabilities.positionEncoding, 'utf-16');
  assert.deepEqual(capabilities.textDocumentSync, { openClose: true, change: 2, save: true });
  assert.equal(capabilities.hoverProvider, true);
  assert.equal(await client.stop(), 0);
});

test('exits when the client disappears', { timeout: 180_000 }, async (t) => {
  const client = await startClient(t);
  const exited = once(client.process, 'exit');
  client.process.stdin?.end();
  const [code] = await exited;
  assert.equal(code, 1);
});

test('exits when the client is killed while it sends and reads', { timeout: 180_000 }, async (t) => {
  // A client that types endlessly and reads nothing, in a separate process.
  const typing = `
    const { spawn } = require('node:child_process');
    const server = spawn(process.execPath, [${JSON.stringify(SERVER)}, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const send = (message) => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      server.stdin.write('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body);
    };
    const text = 'import torch\\n' + 'torch.load(f).cuda()\\n'.repeat(2000);
    send({ id: 1, method: 'initialize', params: { processId: process.pid, rootUri: null, capabilities: {} } });
    server.stdout.once('data', () => {
      send({ method: 'initialized', params: {} });
      send({ method: 'textDocument/didOpen', params: { textDocument: { uri: 'file:///a.py', languageId: 'python', version: 1, text } } });
      server.stdout.pause();
      let version = 1;
      setInterval(() => send({ method: 'textDocument/didChange', params: {
        textDocument: { uri: 'file:///a.py', version: ++version }, contentChanges: [{ text: '# ' + version + '\\n' + text }],
      } }), 5);
      setTimeout(() => console.log(server.pid), 500);
    });`;
  const client = spawn(process.execPath, ['-e', typing], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => void client.kill('SIGKILL'));
  const server = Number(String((await once(client.stdout, 'data'))[0]));
  assert.ok(isRunning(server));
  client.kill('SIGKILL');
  // The library checks every three seconds whether the client's process still exists.
  while (isRunning(server)) await setTimeout(50);
});

test('exits when the parent process closes the channel', { timeout: 180_000 }, async () => {
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

test('explains how to start it', async () => {
  const started = promisify(execFile)(process.execPath, [SERVER]);
  await assert.rejects(started, (error: { code: number; stderr: string }) => {
    assert.equal(error.code, 2);
    assert.match(error.stderr, /--stdio/);
    return true;
  });
});

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}
