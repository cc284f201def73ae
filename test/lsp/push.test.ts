import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DidChangeConfigurationNotification } from 'vscode-languageserver/node';
import { startClient } from './client.ts';

const LOAD = 'import torch\nmodel = torch.load("model.pt")\n';
const URI = 'file:///project/train.py';

/** A client without pull diagnostics. */
const capabilities = { notebookDocument: { synchronization: {} } };

test('pushes to a client that cannot pull', { timeout: 180_000 }, async (t) => {
  const client = await startClient(t, { capabilities });
  const { published } = client;
  client.open(URI, LOAD);
  const first = await published(({ uri }) => uri === URI);
  assert.equal(first.version, 1);
  assert.equal(first.diagnostics[0]?.code, 'GPU101');

  client.edit(URI, undefined, 'import torch\n');
  const fixed = await published(({ version }) => version === 2);
  assert.deepEqual(fixed.diagnostics, []);

  client.edit(URI, undefined, LOAD);
  await published(({ version }) => version === 3);
  client.connection.sendNotification(DidChangeConfigurationNotification.type, {
    settings: { gpuDoctor: { severity: { GPU101: 'error' } } },
  });
  const louder = await published(({ diagnostics }) => diagnostics[0]?.severity === 1);
  assert.equal(louder.version, 3);

  client.close(URI);
  const cleared = await published(({ uri }) => uri === URI);
  assert.deepEqual(cleared.diagnostics, []);
});

test('pushes for every cell of a notebook, and clears a removed one', { timeout: 180_000 }, async (t) => {
  const client = await startClient(t, { capabilities });
  const { published } = client;
  const [notebook, imports, load] = [
    'file:///project/a.ipynb',
    'vscode-notebook-cell:/a#1',
    'vscode-notebook-cell:/a#2',
  ];
  client.openNotebook(notebook, [
    { uri: imports, text: 'import torch' },
    { uri: load, text: 'model = torch.load("model.pt")' },
  ]);
  assert.deepEqual((await published(({ uri }) => uri === imports)).diagnostics, []);
  assert.equal((await published(({ uri }) => uri === load)).diagnostics.length, 1);
  client.connection.sendNotification('notebookDocument/didChange', {
    notebookDocument: { uri: notebook, version: 2 },
    change: { cells: { structure: { array: { start: 1, deleteCount: 1 }, didClose: [{ uri: load }] } } },
  });
  assert.deepEqual((await published(({ uri }) => uri === load)).diagnostics, []);
});
