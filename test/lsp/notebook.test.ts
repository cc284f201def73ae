import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeOf, startClient } from './client.ts';

const NOTEBOOK = 'file:///project/study.ipynb';
const cell = (index: number) => `vscode-notebook-cell:/project/study.ipynb#W${index}`;

const NOTES = { uri: cell(0), text: '# torch.load("model.pt")', markup: true };
const IMPORTS = { uri: cell(1), text: 'import torch as th' };
const LOAD = { uri: cell(2), text: 'print("🦊")\nmodel = th.load("model.pt")' };

const change = (cells: object) => ({ notebookDocument: { uri: NOTEBOOK, version: 2 }, change: { cells } });

test('checks the cells of a notebook together', async (t) => {
  const client = await startClient(t);
  client.openNotebook(NOTEBOOK, [NOTES, IMPORTS, LOAD]);
  assert.deepEqual(await client.diagnostics(NOTES.uri), []);
  assert.deepEqual(await client.diagnostics(IMPORTS.uri), []);
  const [diagnostic] = await client.diagnostics(LOAD.uri);
  assert.equal(diagnostic?.code, 'GPU101');
  assert.deepEqual(diagnostic?.range.start, rangeOf(LOAD.text, 'th.load').start);
});

test('reports findings in their own cell', async (t) => {
  const client = await startClient(t);
  client.openNotebook(NOTEBOOK, [NOTES, { uri: LOAD.uri, text: 'torch.load("model.pt")\nimport torch' }]);
  assert.equal((await client.diagnostics(LOAD.uri)).length, 1);
  const start = { line: 0, character: 0 };
  const hover = (uri: string) =>
    client.connection.sendRequest('textDocument/hover', { textDocument: { uri }, position: start });
  assert.notEqual(await hover(LOAD.uri), null);
  assert.equal(await hover(NOTES.uri), null);
  assert.deepEqual(await client.actions(NOTES.uri, { start, end: start }, ['quickfix']), []);
});

test('never checks a cell alone', async (t) => {
  const client = await startClient(t);
  const text = 'import torch\nmodel = torch.load("model.pt")';
  client.open(LOAD.uri, text);
  assert.deepEqual(await client.diagnostics(LOAD.uri), []);
});

test('follows edits, moves, additions, deletions and changes of language', async (t) => {
  const client = await startClient(t);
  const send = (cells: object) => client.connection.sendNotification('notebookDocument/didChange', change(cells));
  const count = async () => (await client.diagnostics(LOAD.uri)).length;
  client.openNotebook(NOTEBOOK, [IMPORTS, LOAD]);
  assert.equal(await count(), 1);

  client.editCell(NOTEBOOK, IMPORTS.uri, rangeOf(IMPORTS.text, 'torch'), 'json');
  assert.equal(await count(), 0, 'th is another module now');
  client.editCell(NOTEBOOK, IMPORTS.uri, rangeOf('import json as th', 'json'), 'torch');
  assert.equal(await count(), 1);

  const added = { uri: cell(3), languageId: 'python', version: 1, text: 'import json as th' };
  const [load, other] = [LOAD, added].map(({ uri }) => ({ kind: 2, document: uri }));
  await send({ structure: { array: { start: 1, deleteCount: 0, cells: [other] }, didOpen: [added] } });
  assert.equal(await count(), 0, 'a cell in between makes th another module');
  await send({ structure: { array: { start: 1, deleteCount: 2, cells: [load, other] } } });
  assert.equal(await count(), 1, 'that cell comes after the call now');
  await send({ structure: { array: { start: 1, deleteCount: 2, cells: [other, load] } } });
  assert.equal(await count(), 0, 'and before it again');
  await send({ structure: { array: { start: 1, deleteCount: 1 }, didClose: [{ uri: added.uri }] } });
  assert.equal(await count(), 1, 'it is gone');

  await send({ data: [{ kind: 1, document: IMPORTS.uri }] });
  assert.equal(await count(), 0, 'the import is text now');

  await client.connection.sendNotification('notebookDocument/didClose', {
    notebookDocument: { uri: NOTEBOOK },
    cellTextDocuments: [{ uri: IMPORTS.uri }, { uri: LOAD.uri }],
  });
  assert.equal(await count(), 0);
  assert.deepEqual(client.log, []);
});

test('publishes the effects of an edit on other cells, and nothing unchanged', async (t) => {
  const client = await startClient(t);
  const sent: string[] = [];
  client.openNotebook(NOTEBOOK, [NOTES, IMPORTS, LOAD, { uri: cell(3), text: 'other = th.load("other.pt")' }]);
  for (const { uri } of [IMPORTS, LOAD]) await client.diagnostics(uri);
  await client.published(({ uri }) => uri === cell(3));
  client.editCell(NOTEBOOK, LOAD.uri, rangeOf(LOAD.text, 'model.pt'), 'm.pt');
  client.editCell(NOTEBOOK, IMPORTS.uri, undefined, 'import json as th');
  await client.published(({ uri, diagnostics }) => {
    sent.push(uri);
    return uri === cell(3) && diagnostics.length === 0;
  });
  assert.deepEqual(new Set(sent), new Set([IMPORTS.uri, LOAD.uri, cell(3)]));
  assert.deepEqual(await client.diagnostics(LOAD.uri), []);
});

test('a client that pulls a cell gets nothing, since diagnostics are pushed', async (t) => {
  const client = await startClient(t);
  client.openNotebook(NOTEBOOK, [NOTES, IMPORTS, LOAD]);
  for (const uri of [NOTES.uri, LOAD.uri]) {
    const report = await client.pull(uri);
    assert.deepEqual(report.kind === 'full' && report.items, []);
  }
  assert.equal((await client.published(({ uri }) => uri === LOAD.uri)).diagnostics.length, 1);
});

test('clears all diagnostics of a notebook when it is closed', { timeout: 180_000 }, async (t) => {
  const client = await startClient(t);
  client.openNotebook(NOTEBOOK, [IMPORTS, LOAD]);
  await client.published(({ uri, diagnostics }) => uri === LOAD.uri && diagnostics.length === 1);
  await client.connection.sendNotification('notebookDocument/didClose', {
    notebookDocument: { uri: NOTEBOOK },
    cellTextDocuments: [{ uri: IMPORTS.uri }, { uri: LOAD.uri }],
  });
  await client.published(({ uri, diagnostics }) => uri === LOAD.uri && diagnostics.length === 0);
});
