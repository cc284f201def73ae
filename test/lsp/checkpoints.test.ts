import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { chmod, copyFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  DiagnosticRefreshRequest,
  DidChangeWatchedFilesNotification,
  DidSaveTextDocumentNotification,
  RegistrationRequest,
} from 'vscode-languageserver/node';
import { REFRESH_STACK, WATCH_STACK } from '../../server/src/protocol.ts';
import { folderWith } from '../cli/run.ts';
import { diagnosedAs, FULL, rangeOf, startClient } from './client.ts';

const fixture = (name: string) => join(import.meta.dirname, '../checkpoint/fixtures/torch', name);
const LOAD = 'import torch\ntorch.load("a.pt")\n';

const limit = { timeout: 180_000 };

test('findings follow the checkpoint on disk, including those in a notebook', limit, async (t) => {
  const folder = await folderWith(t, {});
  const client = await startClient(t);
  const script = pathToFileURL(join(folder, 'load.py')).href;
  const cell = `vscode-notebook-cell:${join(folder, 'load.ipynb')}#a`;
  client.open(script, LOAD);
  client.openNotebook(pathToFileURL(join(folder, 'load.ipynb')).href, [{ uri: cell, text: LOAD }]);
  const areDiagnosedAs = (...codes: string[]) =>
    Promise.all([diagnosedAs(client, script, ...codes), diagnosedAs(client, cell, ...codes)]);
  await areDiagnosedAs('GPU101');
  await copyFile(fixture('cpu.pt'), join(folder, 'a.pt'));
  await areDiagnosedAs();
  await copyFile(fixture('legacy_cuda1.pt'), join(folder, 'a.pt'));
  await areDiagnosedAs('GPU101');
  await copyFile(fixture('cpu.pt'), join(folder, 'a.pt'));
  await areDiagnosedAs();
  await rm(join(folder, 'a.pt'));
  await areDiagnosedAs('GPU101');
});

test('a path may be relative to the workspace folder', limit, async (t) => {
  const folder = await folderWith(t, { 'src/load.py': LOAD });
  await copyFile(fixture('cpu.pt'), join(folder, 'a.pt'));
  const uri = pathToFileURL(join(folder, 'src/load.py')).href;
  const outside = await startClient(t);
  outside.open(uri, LOAD);
  assert.equal((await outside.diagnostics(uri)).length, 1);
  const inside = await startClient(t, { workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'project' }] });
  inside.open(uri, LOAD);
  await diagnosedAs(inside, uri);
});

test('a program that is not on disk has no checkpoints', async (t) => {
  const folder = await folderWith(t, {});
  await copyFile(fixture('cpu.pt'), join(folder, 'a.pt'));
  const client = await startClient(t, { workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'project' }] });
  client.open('vscode-vfs://github/project/load.py', LOAD.replace('a.pt', join(folder, 'a.pt')));
  assert.equal((await client.diagnostics('vscode-vfs://github/project/load.py')).length, 1);
});

test('the client watches checkpoints and is asked to refresh', async (t) => {
  const folder = await folderWith(t, {});
  const news = new EventEmitter();
  const watched = once(news, 'watched');
  const asked = once(news, 'asked');
  const client = await startClient(t, {
    capabilities: {
      ...FULL,
      workspace: {
        ...FULL.workspace,
        didChangeWatchedFiles: { dynamicRegistration: true },
        diagnostics: { refreshSupport: true },
      },
    },
    prepare(connection) {
      connection.onRequest(RegistrationRequest.type, ({ registrations }) => {
        const options = registrations.find(({ method }) => method === 'workspace/didChangeWatchedFiles');
        if (options) news.emit('watched', JSON.stringify(options.registerOptions));
      });
      connection.onRequest(DiagnosticRefreshRequest.type, () => void news.emit('asked'));
    },
  });
  assert.match((await watched)[0], /safetensors/);
  await writeFile(join(folder, 'a.pt'), '');
  const uri = pathToFileURL(join(folder, 'a.pt')).href;
  await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes: [{ uri, type: 1 }] });
  await asked;
});

test('without file watching, saving anything triggers a check', async (t) => {
  const folder = await folderWith(t, { 'load.py': LOAD });
  const news = new EventEmitter();
  const client = await startClient(t, {
    capabilities: { ...FULL, workspace: { ...FULL.workspace, diagnostics: { refreshSupport: true } } },
    prepare: (connection) => connection.onRequest(DiagnosticRefreshRequest.type, () => void news.emit('asked')),
  });
  const uri = pathToFileURL(join(folder, 'load.py')).href;
  client.open(uri, LOAD);
  assert.equal((await client.diagnostics(uri)).length, 1);
  await copyFile(fixture('cpu.pt'), join(folder, 'a.pt'));
  const asked = once(news, 'asked');
  await client.connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument: { uri } });
  await asked;
  // A file that takes long to read causes another publication.
  let next = once(news, 'asked');
  while ((await client.diagnostics(uri)).length > 0) {
    await next;
    next = once(news, 'asked');
  }
});

test('a device that the machine lacks is an error with a fix, instead of the warning', limit, async (t) => {
  const folder = await folderWith(t, {
    'nvidia-smi': "#!/bin/sh\necho '0, GPU-0, NVIDIA GeForce RTX 3090, 550.54, 24576, 300, 0, 8.6, [N/A]'\n",
    // The torch installed here may cause more findings.
    python3: '#!/bin/sh\nexit 1\n',
    python: '#!/bin/sh\nexit 1\n',
  });
  for (const program of ['nvidia-smi', 'python3', 'python']) await chmod(join(folder, program), 0o755);
  await copyFile(fixture('cuda3.pth'), join(folder, 'a.pt'));
  const news = new EventEmitter();
  const client = await startClient(t, {
    capabilities: { ...FULL, workspace: { diagnostics: { refreshSupport: true } } },
    env: { PATH: [folder, process.env.PATH].join(delimiter), CUDA_VISIBLE_DEVICES: '0' },
    prepare: (connection) => connection.onRequest(DiagnosticRefreshRequest.type, () => void news.emit('asked')),
  });
  const uri = pathToFileURL(join(folder, 'load.py')).href;
  client.open(uri, LOAD);
  assert.deepEqual(
    (await client.diagnostics(uri)).map(({ code }) => code),
    ['GPU101'],
  );
  const asked = once(news, 'asked');
  await client.connection.sendNotification(WATCH_STACK, { folders: [folder], trusted: true });
  await client.connection.sendRequest(REFRESH_STACK);
  await asked;
  let next = once(news, 'asked');
  let found = await client.diagnostics(uri);
  while (found[0]?.code !== 'GPU501') {
    await next;
    next = once(news, 'asked');
    found = await client.diagnostics(uri);
  }
  const [finding, ...others] = found;
  assert.deepEqual(others, []);
  assert.equal(finding?.severity, 1);
  assert.match(String(finding?.message), /: `a\.pt` needs `cuda:3`, but this machine has 1 GPU\.$/);
  const [fix] = await client.actions(uri, finding?.range ?? rangeOf(LOAD, 'torch.load'));
  assert.equal(fix?.title, 'Add `map_location="cpu"`');
  assert.equal(fix?.isPreferred, true);
});
