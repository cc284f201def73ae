import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ApplyWorkspaceEditParams } from 'vscode-languageserver/node';
import {
  APPLY_REMEDY,
  EXPLAIN,
  EXPLAIN_ERROR,
  type ExplainAnswer,
  type FailureReport,
  type KnownFailure,
  REPORT_FAILURE,
} from '../../server/src/protocol.ts';
import { folderWith } from '../cli/run.ts';
import { type Client, FULL, rangeOf, startClient } from './client.ts';

const NOTEBOOK = 'file:///project/study.ipynb';
const cell = (index: number) => `vscode-notebook-cell:/project/study.ipynb#W${index}`;
const LOAD = { uri: cell(1), text: '# 🦊\nmodel = torch.load("model.pt")' };
const IMPORT = { uri: cell(0), text: 'import torch' };

const MESSAGE =
  'Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running on a CPU-only machine, please use torch.load with map_location=torch.device("cpu") to map your storages to the CPU.';

/** As IPython 9 prints it. */
const ERROR = `---------------------------------------------------------------------------
RuntimeError                              Traceback (most recent call last)
Cell In[7], line 2
      1 # 🦊
----> 2 model = torch.load("model.pt")

RuntimeError: ${MESSAGE}`;

const report = (client: Client, { id = LOAD.uri, failure }: Partial<FailureReport>): Promise<KnownFailure | null> =>
  client.connection.sendRequest(REPORT_FAILURE, { id, failure });
const fail = (client: Client, text = ERROR) =>
  report(client, { failure: { document: LOAD.uri, outputs: [{ kind: 'error', text }] } });
const failed = (code: string | number | undefined) => code === 'checkpoint-of-missing-device';

const EXPLAINING = { ...FULL, experimental: { gpuDoctor: { opensExplanations: true } } };

test('a failed cell has a diagnostic on the line until it runs again', async (t) => {
  const client = await startClient(t);
  client.openNotebook(NOTEBOOK, [IMPORT, LOAD]);
  const known = await fail(client);
  assert.equal(known?.failed, true);
  const found = (await client.diagnostics(LOAD.uri)).filter(({ code }) => failed(code));
  assert.deepEqual(
    found.map(({ range, severity }) => ({ range, severity })),
    [{ range: rangeOf(LOAD.text, 'model = torch.load("model.pt")'), severity: 1 }],
  );
  assert.match(String(found[0]?.message), /What to do: /);
  assert.equal(await report(client, { failure: null }), null);
  assert.deepEqual(
    (await client.diagnostics(LOAD.uri)).map(({ code }) => code),
    ['GPU101'],
  );
});

test('it moves with its line, disappears while that is edited, and returns', async (t) => {
  const client = await startClient(t);
  client.openNotebook(NOTEBOOK, [IMPORT, LOAD]);
  await fail(client);
  const lines = async () =>
    (await client.diagnostics(LOAD.uri)).flatMap(({ code, range }) => (failed(code) ? [range.start.line] : []));
  const start = { line: 0, character: 0 };
  client.editCell(NOTEBOOK, LOAD.uri, { start, end: start }, 'import os\n');
  assert.deepEqual(await lines(), [2]);
  client.editCell(NOTEBOOK, LOAD.uri, rangeOf(client.text(LOAD.uri), 'model.pt'), 'other.pt');
  assert.deepEqual(await lines(), []);
  client.editCell(NOTEBOOK, LOAD.uri, rangeOf(client.text(LOAD.uri), 'other.pt'), 'model.pt');
  assert.deepEqual(await lines(), [2]);
});

test('an unknown error and a successful cell have none', async (t) => {
  const client = await startClient(t);
  client.openNotebook(NOTEBOOK, [IMPORT, LOAD]);
  assert.equal(await fail(client, "KeyError: 'epochs'"), null);
  assert.equal(await report(client, { failure: { document: LOAD.uri, outputs: [] } }), null);
  assert.deepEqual(
    (await client.diagnostics(LOAD.uri)).map(({ code }) => code),
    ['GPU101'],
  );
});

test('the light bulb explains it if the client can, and offers the remedy once', async (t) => {
  const client = await startClient(t, { capabilities: EXPLAINING });
  client.openNotebook(NOTEBOOK, [IMPORT, LOAD]);
  await fail(client);
  const actions = await client.actions(LOAD.uri, rangeOf(LOAD.text, 'torch.load'), ['quickfix']);
  const [explanation] = actions;
  assert.equal(explanation?.command?.command, EXPLAIN_ERROR);
  assert.equal(actions.filter(({ title }) => title.includes('map_location="cpu"')).length, 1);
  const [request] = explanation.command.arguments ?? [];
  const answer: ExplainAnswer = await client.connection.sendRequest(EXPLAIN, request);
  assert.equal(answer.explanation?.id, 'checkpoint-of-missing-device');

  const other = await startClient(t);
  other.openNotebook(NOTEBOOK, [IMPORT, LOAD]);
  await fail(other);
  const without = await other.actions(LOAD.uri, rangeOf(LOAD.text, 'torch.load'), ['quickfix']);
  assert.deepEqual(
    without.filter(({ command }) => command),
    [],
  );
});

test('a disabled rule still offers its remedy for a failed line', async (t) => {
  const client = await startClient(t, { initializationOptions: { ignore: ['GPU101'] } });
  client.openNotebook(NOTEBOOK, [IMPORT, LOAD]);
  await fail(client);
  const [remedy] = await client.actions(LOAD.uri, rangeOf(LOAD.text, 'torch.load'), ['quickfix']);
  assert.ok(remedy?.edit);
  client.apply(remedy.edit);
  assert.equal(client.text(LOAD.uri), '# 🦊\nmodel = torch.load("model.pt", map_location="cpu")');
});

test('a remedy is applied on request, to a cell and to a file, but not after an edit', async (t) => {
  const applied: ApplyWorkspaceEditParams[] = [];
  const folder = await folderWith(t, { 'train.py': 'import torch\n\nmodel = torch.load("model.pt")\n' });
  const client = await startClient(t, {
    prepare: (connection) =>
      connection.onRequest('workspace/applyEdit', (params: ApplyWorkspaceEditParams) => {
        applied.push(params);
        return { applied: true };
      }),
  });
  client.openNotebook(NOTEBOOK, [IMPORT, LOAD]);
  await fail(client);
  const apply = async (error: object): Promise<boolean> => {
    const { explanation }: ExplainAnswer = await client.connection.sendRequest(EXPLAIN, error);
    const [remedy] = explanation?.remedies ?? [];
    return client.connection.sendRequest(APPLY_REMEDY, { error, remedy: remedy?.title });
  };
  assert.equal(await apply({ failure: LOAD.uri }), true);
  client.apply(applied[0]?.edit ?? {});
  assert.equal(client.text(LOAD.uri), '# 🦊\nmodel = torch.load("model.pt", map_location="cpu")');
  assert.equal(await apply({ failure: LOAD.uri }), false);

  const file = join(folder, 'train.py');
  const text = `Traceback (most recent call last):\n  File "${file}", line 3, in <module>\n    model = torch.load("model.pt")\nRuntimeError: ${MESSAGE}\n`;
  assert.equal(await apply({ text }), true);
  const end = { line: 2, character: 29 };
  assert.deepEqual(applied[1]?.edit.documentChanges, [
    {
      textDocument: { uri: pathToFileURL(file).href, version: null },
      edits: [{ range: { start: end, end }, newText: ', map_location="cpu"' }],
    },
  ]);
});

test('an exception at which a debugger stops is shown in the file while it is current', async (t) => {
  const client = await startClient(t);
  const uri = 'file:///project/train.py';
  client.open(uri, 'import torch\n\nmodel = torch.load("model.pt")\n');
  const stackTrace = `  File "/usr/lib/python3/dist-packages/torch/serialization.py", line 2, in load\n    raise RuntimeError()\n  File "/project/train.py", line 3, in <module>\n    model = torch.load("model.pt")\nRuntimeError: ${MESSAGE}\n`;
  const stop = { exception: { exceptionId: 'RuntimeError', details: { stackTrace } }, folder: '/project' };
  assert.equal((await report(client, { id: 'session', failure: stop }))?.failed, true);
  const lines = async () =>
    (await client.diagnostics(uri)).flatMap(({ code, range }) => (failed(code) ? [range.start.line] : []));
  assert.deepEqual(await lines(), [2]);
  await report(client, { id: 'session', failure: null });
  assert.deepEqual(await lines(), []);
});
