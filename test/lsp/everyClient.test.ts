/** Answers to clients with few capabilities or with errors. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  type CodeAction,
  createProtocolConnection,
  ErrorCodes,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import * as protocol from '../../server/src/protocol.ts';
import { folderWith } from '../cli/run.ts';
import { SERVER } from '../programs.ts';
import { rangeOf, startClient } from './client.ts';

const LOAD = 'import torch\nmodel = torch.load("model.pt")\n';
const URI = 'file:///project/train.py';
const limit = { timeout: 180_000 };

/** A client from before pull diagnostics and lazily resolved actions. */
const OLD = { textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } } };

test('pull diagnostics are only announced to clients that support them', limit, async (t) => {
  const old = await startClient(t, { capabilities: OLD });
  assert.equal(old.initialized.capabilities.diagnosticProvider, undefined);
  const able = await startClient(t);
  assert.deepEqual(able.initialized.capabilities.diagnosticProvider, {
    identifier: 'gpu-doctor',
    interFileDependencies: true,
    workspaceDiagnostics: false,
  });
  await assert.rejects(able.connection.sendRequest('workspace/diagnostic', { previousResultIds: [] }), {
    code: ErrorCodes.MethodNotFound,
  });
});

test('requests before initialize and after shutdown get the errors of the protocol', limit, async (t) => {
  const server = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => void server.kill('SIGKILL'));
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.listen();
  const hover = () => connection.sendRequest('textDocument/hover', { textDocument: { uri: URI }, position: {} });
  await assert.rejects(hover(), { code: ErrorCodes.ServerNotInitialized });
  const initialize = () =>
    connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} }) as Promise<object>;
  assert.ok('capabilities' in (await initialize()));
  await assert.rejects(initialize(), { code: ErrorCodes.InvalidRequest });
  await assert.rejects(hover(), { code: ErrorCodes.InvalidParams });
  await connection.sendRequest('shutdown');
  await assert.rejects(hover(), { code: ErrorCodes.InvalidRequest });
  await connection.sendNotification('exit');
  assert.equal((await once(server, 'exit'))[0], 0);
});

test('a pull for a file that is not open is answered from disk', limit, async (t) => {
  const folder = await folderWith(t, { 'train.py': LOAD, 'notes.md': LOAD });
  const uri = (name: string) => pathToFileURL(path.join(folder, name)).href;
  const client = await startClient(t);
  assert.deepEqual(
    (await client.diagnostics(uri('train.py'))).map(({ code }) => code),
    ['GPU101'],
  );
  assert.deepEqual(await client.diagnostics(uri('notes.md')), []);
  assert.deepEqual(await client.diagnostics(uri('missing.py')), []);
  await writeFile(path.join(folder, 'train.py'), 'import torch\n');
  assert.deepEqual(await client.diagnostics(uri('train.py')), []);
});

test('an action contains its edit if it cannot be resolved', limit, async (t) => {
  const client = await startClient(t, { capabilities: OLD });
  client.open(URI, LOAD);
  const actions = await client.actions(URI, rangeOf(LOAD, 'torch.load'));
  assert.ok(actions.length > 2);
  for (const { title, edit, command } of actions) assert.ok(edit ?? command, title);
  const [first] = actions;
  assert.ok(first?.edit);
  client.apply(first.edit);
  assert.match(client.text(URI), /map_location/);
  await client.published(({ uri, diagnostics }) => uri === URI && diagnostics.every(({ code }) => code !== 'GPU101'));
});

test('a client with push diagnostics gets the errors and the findings of pyproject.toml', limit, async (t) => {
  const client = await startClient(t, { capabilities: OLD });
  const uri = 'file:///project/pyproject.toml';
  const text = '[project]\ndependencies = ["torch==2.8.0", "torchvision==0.20.0"]\n\n[tool.gpu-doctor]\nignroe = []\n';
  client.open(uri, text, 'toml');
  const both = await client.published((params) => params.uri === uri && params.diagnostics.length === 2);
  const messages = both.diagnostics.map(({ message }) => String(message)).sort();
  assert.match(messages.join('\n'), /`ignore`\?[\s\S]*torchvision|torchvision[\s\S]*`ignore`\?/);
  client.edit(uri, undefined, text.replace('ignroe', 'ignore'));
  const one = await client.published((params) => params.uri === uri && params.diagnostics.length === 1);
  assert.equal(one.diagnostics[0]?.code, 'GPU601');
  client.edit(uri, undefined, text.replace('ignroe', 'ignore').replace('0.20.0', '0.23.0'));
  await client.published((params) => params.uri === uri && params.diagnostics.length === 0);
});

const NOTEBOOK = JSON.stringify(
  {
    cells: [
      {
        cell_type: 'code',
        metadata: {},
        outputs: [],
        source: ['import torch\n', 'é = "\\t"; model = torch.load("model.pt")'],
      },
      { cell_type: 'code', metadata: {}, outputs: [], source: 'net = torch.load("net.pt")\n' },
    ],
    metadata: { kernelspec: { language: 'python', name: 'python3', display_name: 'Python 3' } },
    nbformat: 4,
    nbformat_minor: 5,
  },
  null,
  1,
);

test('a notebook opened as text is checked, explained and fixed as a notebook', limit, async (t) => {
  const client = await startClient(t);
  const uri = 'file:///project/explore.ipynb';
  client.open(uri, NOTEBOOK, 'json');
  const shown = await client.diagnostics(uri);
  const document = TextDocument.create(uri, 'json', 1, NOTEBOOK);
  assert.deepEqual(
    shown.map(({ range }) => document.getText(range)),
    ['torch.load(\\"model.pt\\")', 'torch.load(\\"net.pt\\")'],
  );
  assert.deepEqual(
    shown.map(({ message }) => /^Cell (\d+), line (\d+)/.exec(String(message))?.slice(1)),
    [
      ['1', '2'],
      ['2', '1'],
    ],
  );
  const range = rangeOf(NOTEBOOK, 'load(\\"net');
  const hover: { contents: { value: string } } = await client.connection.sendRequest('textDocument/hover', {
    textDocument: { uri },
    position: range.start,
  });
  assert.match(hover.contents.value, /map_location/);

  const actions = await client.actions(uri, range);
  assert.ok(!actions.some(({ title }) => title.includes('this cell')));
  const applyFix = async (title: string) => {
    const action = actions.find((each) => each.title.includes(title));
    const { edit }: CodeAction = await client.resolve(action as CodeAction);
    assert.ok(edit, title);
    const [change] = edit.documentChanges ?? [];
    return change && 'edits' in change ? TextDocument.applyEdits(document, change.edits as never) : '';
  };
  assert.equal(
    await applyFix('map_location="cpu"'),
    NOTEBOOK.replace('(\\"net.pt\\")', '(\\"net.pt\\", map_location=\\"cpu\\")'),
  );
  const all = NOTEBOOK.replaceAll('.pt\\")', '.pt\\", map_location=\\"cpu\\")');
  assert.equal(await applyFix('Fix all GPU101 in this notebook'), all);
  const ignored = JSON.parse(await applyFix('Ignore GPU101 on this line'));
  assert.match(ignored.cells[1].source, /# gpu-doctor: ignore\[GPU101\]\n$/);

  // Half-typed JSON has no findings; the old ones return with valid JSON.
  client.edit(uri, undefined, NOTEBOOK.slice(0, 200));
  assert.deepEqual(await client.diagnostics(uri), []);
  client.edit(uri, undefined, all);
  assert.deepEqual(await client.diagnostics(uri), []);
  client.edit(uri, undefined, NOTEBOOK);
  assert.equal((await client.diagnostics(uri)).length, 2);
});

test('invalid parameters get an error, and the server continues', limit, async (t) => {
  const client = await startClient(t);
  const { connection } = client;
  const requests = [
    'textDocument/diagnostic',
    'textDocument/hover',
    'textDocument/codeAction',
    'codeAction/resolve',
    'workspace/diagnostic',
    'workspace/executeCommand',
    protocol.PAGE,
    protocol.RECORD_STACK,
    protocol.PLAN_ENVIRONMENT,
    protocol.READ_CHECKPOINT,
    protocol.JUDGE_CHECKPOINT,
    protocol.EXPLAIN,
    protocol.APPLY_REMEDY,
    protocol.REPORT_FAILURE,
    protocol.FIND_ERRORS,
  ];
  const notifications = [
    'textDocument/didOpen',
    'textDocument/didChange',
    'textDocument/didClose',
    'textDocument/didSave',
    'notebookDocument/didOpen',
    'notebookDocument/didChange',
    'notebookDocument/didClose',
    'workspace/didChangeWatchedFiles',
    'workspace/didChangeWorkspaceFolders',
    protocol.WATCH_STACK,
    protocol.WATCH_LOAD,
  ];
  const fields = { text: 7, folder: 7, position: null, range: {} };
  const wrong = [null, 7, [1, 2], { ...fields, textDocument: 'x' }, { ...fields, textDocument: { uri: 7 } }];
  for (const params of wrong) {
    for (const method of notifications) await connection.sendNotification(method, params);
    for (const method of requests)
      await assert.rejects(connection.sendRequest(method, params), ({ code, message }) => {
        assert.equal(code, ErrorCodes.InvalidParams, `${method} ${JSON.stringify(params)}: ${message}`);
        return message.startsWith(`${method} `) && message.endsWith('.');
      });
  }
  await assert.rejects(connection.sendRequest('workspace/executeCommand', { command: 'rm' }), {
    code: ErrorCodes.InvalidParams,
  });
  client.open(URI, LOAD);
  assert.equal((await client.diagnostics(URI)).length, 1);
  assert.equal(client.process.exitCode, null);
});

test(
  "only the project's code is checked: no installed packages, no environments, nothing outside the workspace",
  limit,
  async (t) => {
    const folder = await folderWith(t, { 'env/pyvenv.cfg': '', 'conda/conda-meta/history': '' });
    const uri = (...names: string[]) => pathToFileURL(path.join(folder, ...names)).href;
    const found = async (client: Awaited<ReturnType<typeof startClient>>, ...names: string[]) => {
      client.open(uri(...names), LOAD);
      return (await client.diagnostics(uri(...names))).length;
    };
    const installed = 'lib/python3.11/site-packages/torch/hub.py';
    const within = await startClient(t, { workspaceFolders: [{ name: 'x', uri: uri() }] });
    for (const name of [installed, 'dist-packages/x.py', '.venv/x.py', 'env/x.py', 'conda/lib/x.py', '../elsewhere.py'])
      assert.equal(await found(within, name), 0, name);
    assert.equal(await found(within, 'src/train.py'), 1);
    // A folder that is opened as the workspace is checked.
    const own = await startClient(t, {
      workspaceFolders: [{ name: 'x', uri: uri('lib/python3.11/site-packages/torch') }],
    });
    assert.equal(await found(own, installed), 1);
    const alone = await startClient(t);
    assert.equal(await found(alone, installed), 0);
    assert.equal(await found(alone, 'lib/python3.11/pickle.py'), 0);
    assert.equal(await found(alone, '../elsewhere.py'), 1);
    // Folders are added and removed.
    const event = { added: [{ name: 'y', uri: pathToFileURL(path.dirname(folder)).href }], removed: [] };
    await within.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
    assert.equal((await within.diagnostics(uri('../elsewhere.py'))).length, 1);
  },
);
