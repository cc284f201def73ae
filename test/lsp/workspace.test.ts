/** The findings of a whole workspace, for clients that pull them and clients that do not. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  CancellationTokenSource,
  type ClientCapabilities,
  type Diagnostic,
  LSPErrorCodes,
  type WorkspaceDiagnosticReport,
} from 'vscode-languageserver/node';
import type { WorkspaceCheck } from '../../server/src/protocol.ts';
import { type Client, FULL, startClient } from './client.ts';

const LOAD = 'import torch\n\nweights = torch.load("weights.pt")\n';
const QUIET = 'import torch\n\nweights = torch.load("weights.pt", map_location="cpu")\n';
const REQUIREMENTS = 'torch==2.8.0\ntorchvision==0.20.0\n';
const NOTEBOOK = JSON.stringify(
  {
    cells: [
      { cell_type: 'markdown', metadata: {}, source: ['# Title'] },
      { cell_type: 'code', metadata: {}, source: ['import torch\n', 'names = "é\\n"; w = torch.load("w.pt")\n'] },
    ],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  },
  null,
  1,
);
const MINUTES = { timeout: 300_000 };

interface Workspace {
  readonly folder: string;
  readonly client: Client;
  uri(name: string): string;
  write(name: string, text: string): Promise<void>;
  /** Notifies the server of changed files, as a client that watches them does. */
  changed(...names: readonly string[]): void;
  /** Returns the server's next answer to a client that holds the previous one: the lines by file name. */
  asked(): Promise<Record<string, readonly number[]>>;
}

async function openWorkspace(
  t: { after(hook: () => unknown): void },
  files: Readonly<Record<string, string>>,
  {
    capabilities = FULL,
    settings = { checkWorkspace: 'onSave' } as object,
    cache = undefined as string | undefined,
  } = {},
): Promise<Workspace> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-workspace-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const write = async (name: string, text: string) => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  return workspaceIn(t, folder, write, { capabilities, settings, cache });
}

async function workspaceIn(
  t: { after(hook: () => unknown): void },
  folder: string,
  write: Workspace['write'],
  { capabilities, settings, cache }: { capabilities: ClientCapabilities; settings: object; cache?: string | undefined },
): Promise<Workspace> {
  const uri = (name: string) => pathToFileURL(path.join(folder, name)).href;
  const client = await startClient(t, {
    capabilities,
    initializationOptions: settings,
    workspaceFolders: [{ name: 'project', uri: pathToFileURL(folder).href }],
    env: { XDG_CACHE_HOME: cache ?? path.join(folder, '..', `${path.basename(folder)}-cache`) },
  });
  const held = new Map<string, string>();
  return {
    folder,
    client,
    uri,
    write,
    changed: (...names) =>
      void client.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: names.map((name) => ({ uri: uri(name), type: 2 })),
      }),
    async asked() {
      const { items }: WorkspaceDiagnosticReport = await client.connection.sendRequest('workspace/diagnostic', {
        previousResultIds: [...held].map(([uri, value]) => ({ uri, value })),
        // The request waits for changes, as VS Code's does.
        partialResultToken: 'partial',
      });
      const named: Record<string, readonly number[]> = {};
      for (const report of items) {
        if (report.resultId) held.set(report.uri, report.resultId);
        if (report.kind === 'full') named[path.relative(folder, new URL(report.uri).pathname)] = linesOf(report.items);
      }
      return named;
    },
  };
}

const linesOf = (items: readonly Diagnostic[]) => items.map(({ range }) => range.start.line);

test('all findings of a workspace, in programs, notebooks and environment files', MINUTES, async (t) => {
  const { client, asked, uri } = await openWorkspace(t, {
    'train.py': LOAD,
    'src/quiet.py': QUIET,
    'explore.ipynb': NOTEBOOK,
    'deploy/requirements.txt': REQUIREMENTS,
    '.gitignore': 'ignored/\n',
    'ignored/train.py': LOAD,
    'old/train.py': LOAD,
    '.gpu-doctor.yaml': 'exclude: [old/]\n',
    '.venv/lib/python3.11/site-packages/lib.py': LOAD,
    'env/pyvenv.cfg': '',
    'env/lib.py': LOAD,
    'conda/conda-meta/history': '',
    'conda/lib/train.py': LOAD,
  });
  assert.equal(client.initialized.capabilities.diagnosticProvider?.workspaceDiagnostics, true);
  assert.deepEqual(await asked(), { 'explore.ipynb': [14], 'deploy/requirements.txt': [1], 'train.py': [2] });
  // Read from the disk, like any file that is not open.
  const [inJson] = await client.diagnostics(uri('explore.ipynb'));
  assert.match(String(inJson?.message), /^Cell 2, line 2: /);
  const line = NOTEBOOK.split('\n')[14] ?? '';
  const { start, end } = inJson?.range ?? { start: { character: 0 }, end: { character: 0 } };
  assert.equal(line.slice(start.character, end.character), 'torch.load(\\"w.pt\\")');
});

test(
  'follows files that are written, created, renamed and deleted, without requesting any by name',
  MINUTES,
  async (t) => {
    const { asked, write, changed, folder } = await openWorkspace(t, { 'one.py': LOAD, 'lib/two.py': LOAD });
    assert.deepEqual(await asked(), { 'lib/two.py': [2], 'one.py': [2] });
    await write('one.py', `\n${LOAD}`);
    changed('one.py');
    assert.deepEqual(await asked(), { 'one.py': [3] });
    await write('three.py', LOAD);
    changed('three.py');
    assert.deepEqual(await asked(), { 'three.py': [2] });
    await rename(path.join(folder, 'three.py'), path.join(folder, 'four.py'));
    changed('three.py', 'four.py');
    assert.deepEqual(await asked(), { 'three.py': [], 'four.py': [2] });
    // For a deleted folder, a client may only name the folder.
    await rm(path.join(folder, 'lib'), { recursive: true });
    changed('lib');
    assert.deepEqual(await asked(), { 'lib/two.py': [] });
    // As when another branch is checked out.
    await write('one.py', QUIET);
    await write('five.py', LOAD);
    changed('.git/HEAD');
    assert.deepEqual(await asked(), { 'one.py': [], 'five.py': [2] });
  },
);

test('a finding that depends on another file follows it', MINUTES, async (t) => {
  const guarded = 'import torch\nimport train\n\nif torch.cuda.is_available():\n    train.move(1)\n';
  const { asked, write, changed, client, uri } = await openWorkspace(t, {
    'pyproject.toml': '[project]\nname = "x"\n',
    'main.py': guarded,
    'train.py': 'def move(net):\n    net.cuda()\n',
    'other.py': LOAD,
  });
  const severity = async () => (await client.diagnostics(uri('train.py'))).map(({ severity }) => severity);
  await asked();
  assert.deepEqual(await severity(), [4], 'every caller asks first');
  await write('main.py', 'import train\n\ntrain.move(1)\n');
  changed('main.py');
  assert.deepEqual(await asked(), { 'train.py': [1] });
  assert.deepEqual(await severity(), [3]);
  await write('main.py', guarded);
  changed('main.py');
  assert.deepEqual(await asked(), { 'train.py': [1] });
  assert.deepEqual(await severity(), [4]);
});

test('an open document counts as in the editor, and as on disk after it is closed', MINUTES, async (t) => {
  const { client, asked, uri } = await openWorkspace(t, { 'one.py': LOAD, 'two.py': LOAD, 'three.ipynb': NOTEBOOK });
  assert.deepEqual(await asked(), { 'one.py': [2], 'three.ipynb': [14], 'two.py': [2] });
  client.open(uri('one.py'), QUIET);
  assert.deepEqual(await asked(), { 'one.py': [] });
  assert.deepEqual(await client.diagnostics(uri('one.py')), []);
  // Its findings are those of its cells now.
  const cell = 'vscode-notebook-cell:/three#1';
  client.openNotebook(uri('three.ipynb'), [{ uri: cell, text: 'import torch\nw = torch.load("w.pt")' }]);
  assert.deepEqual(await asked(), { 'three.ipynb': [] });
  assert.equal((await client.diagnostics(cell)).length, 1);
  client.close(uri('one.py'));
  assert.deepEqual(await asked(), { 'one.py': [2] });
});

test('nothing is checked without a request, and a command is one', MINUTES, async (t) => {
  const { client, changed, write, folder, uri } = await openWorkspace(
    t,
    { 'one.py': LOAD, 'two.py': QUIET },
    { settings: {}, capabilities: { ...FULL, experimental: { gpuDoctor: {} } } },
  );
  const shows = (name: string, lines: readonly number[]) =>
    client.published((params) => params.uri === uri(name) && String(linesOf(params.diagnostics)) === String(lines));
  // A client that pulls the workspace keeps the problems of a file that it closes while their request is under way.
  assert.equal(client.initialized.capabilities.diagnosticProvider?.workspaceDiagnostics, false);
  client.open(uri('one.py'), LOAD);
  assert.deepEqual(linesOf(await client.diagnostics(uri('one.py'))), [2]);
  client.close(uri('one.py'));
  await setTimeout(500);
  assert.deepEqual(client.pushed(), []);
  const progress: string[] = [];
  client.connection.onNotification('$/progress', ({ value }) => void progress.push(value.kind));
  const { findings, ...check }: WorkspaceCheck = await client.connection.sendRequest('workspace/executeCommand', {
    command: 'gpu-doctor.checkWorkspace',
    workDoneToken: 'check',
  });
  assert.deepEqual(check, { files: 2, isCancelled: false });
  assert.equal(findings.length, 1);
  assert.ok(
    findings[0]?.startsWith(`${path.join(folder, 'one.py')}:3:11: GPU101 (warning) \`torch.load\``),
    findings[0],
  );
  assert.deepEqual([progress[0], progress.at(-1)], ['begin', 'end']);
  await shows('one.py', [2]);
  await write('two.py', LOAD);
  changed('two.py');
  await shows('two.py', [2]);
  // The findings of an open file are pulled.
  client.open(uri('one.py'), LOAD);
  await shows('one.py', []);
  client.close(uri('one.py'));
  await shows('one.py', [2]);
});

test('a check can be cancelled', MINUTES, async (t) => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}.py`, LOAD.repeat(40)]));
  const { client } = await openWorkspace(t, files, { settings: {} });
  const { token, cancel } = cancellation();
  client.connection.onNotification('$/progress', ({ value }) => {
    if (value.kind === 'report') cancel();
  });
  const check: { isCancelled: boolean } = await client.connection.sendRequest(
    'workspace/executeCommand',
    { command: 'gpu-doctor.checkWorkspace', workDoneToken: 'check' },
    token,
  );
  assert.equal(check.isCancelled, true);
});

test('a client without partial results gets an answer to each request', MINUTES, async (t) => {
  const { client, uri } = await openWorkspace(t, { 'one.py': LOAD });
  const previousResultIds: { uri: string; value: string }[] = [];
  const ask = async (): Promise<WorkspaceDiagnosticReport> =>
    client.connection.sendRequest('workspace/diagnostic', { previousResultIds });
  const [report] = (await ask()).items;
  assert.equal(report?.uri, uri('one.py'));
  previousResultIds.push({ uri: uri('one.py'), value: report?.resultId ?? '' });
  assert.deepEqual((await ask()).items, []);
});

test('a request that waits for changes can be cancelled', MINUTES, async (t) => {
  const { client, asked } = await openWorkspace(t, { 'one.py': QUIET });
  assert.deepEqual(await asked(), {});
  const waiting = cancellation();
  const params = { previousResultIds: [], partialResultToken: 'partial' };
  const request = client.connection.sendRequest('workspace/diagnostic', params, waiting.token);
  waiting.cancel();
  await assert.rejects(request, { code: LSPErrorCodes.RequestCancelled });
});

function cancellation() {
  const source = new CancellationTokenSource();
  return { token: source.token, cancel: () => source.cancel() };
}

test('switching it off removes the findings of closed files', MINUTES, async (t) => {
  const { client, asked } = await openWorkspace(t, { 'one.py': LOAD });
  assert.deepEqual(await asked(), { 'one.py': [2] });
  const settings = { gpuDoctor: { checkWorkspace: 'off' } };
  await client.connection.sendNotification('workspace/didChangeConfiguration', { settings });
  assert.deepEqual(await asked(), { 'one.py': [] });
});

for (const [name, capabilities] of [
  ['a client without pull diagnostics', { notebookDocument: { synchronization: {} } }],
  ['a client that pulls documents but never the workspace', FULL],
] as const)
  test(`${name} receives the findings of files that are not open`, MINUTES, async (t) => {
    const { client, uri, write, folder } = await openWorkspace(t, { 'one.py': LOAD, 'two.py': LOAD }, { capabilities });
    const { published } = client;
    for (const name of ['one.py', 'two.py'])
      assert.equal((await published((params) => params.uri === uri(name))).diagnostics.length, 1);
    client.open(uri('one.py'), `\n\n${LOAD}`);
    if (capabilities === FULL) {
      assert.deepEqual((await published((params) => params.uri === uri('one.py'))).diagnostics, []);
      assert.deepEqual(linesOf(await client.diagnostics(uri('one.py'))), [4]);
    } else {
      assert.deepEqual(linesOf((await published((params) => params.version === 1)).diagnostics), [4]);
    }
    client.close(uri('one.py'));
    await published((params) => params.uri === uri('one.py') && linesOf(params.diagnostics)[0] === 2);
    // It does not say which files changed, so the server checks on save.
    await write('two.py', QUIET);
    await rm(path.join(folder, 'one.py'));
    client.connection.sendNotification('textDocument/didSave', { textDocument: { uri: uri('two.py') } });
    await published((params) => params.uri === uri('two.py') && params.diagnostics.length === 0);
  });

test('findings are cached between starts, and changed files are checked again', MINUTES, async (t) => {
  const cache = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-cache-'));
  t.after(() => rm(cache, { recursive: true, force: true }));
  const files = {
    'pyproject.toml': '[project]\nname = "x"\n',
    'main.py': 'import torch\nimport train\n\nif torch.cuda.is_available():\n    train.move(1)\n',
    'train.py': 'def move(net):\n    net.cuda()\n',
    'other.py': LOAD.replace('weights.pt', 'other.pt'),
    'third.py': LOAD,
  };
  const first = await openWorkspace(t, files, { cache });
  assert.deepEqual(await first.asked(), { 'other.py': [2], 'third.py': [2], 'train.py': [1] });
  await first.client.stop();
  const [stored] = await storedIn(cache);
  assert.ok(stored, 'the cache was written');
  const { files: kept } = JSON.parse(await readFile(stored, 'utf8'));
  assert.deepEqual(
    Object.keys(kept)
      .map((file) => path.basename(file))
      .sort(),
    ['main.py', 'other.py', 'third.py', 'train.py', 'pyproject.toml'].sort(),
  );
  // The cached result is shown, as a mark in it proves.
  const other = path.join(first.folder, 'other.py');
  kept[other][2].items[0].message = 'from the cache';
  await writeFile(stored, JSON.stringify({ ...JSON.parse(await readFile(stored, 'utf8')), files: kept }));
  await first.write('third.py', QUIET);

  const options = { capabilities: FULL, settings: { checkWorkspace: 'onSave' }, cache };
  const second = await workspaceIn(t, first.folder, first.write, options);
  assert.deepEqual(await second.asked(), { 'other.py': [2], 'train.py': [1] });
  assert.equal((await second.client.diagnostics(second.uri('other.py')))[0]?.message, 'from the cache');
  // Cached results also record the files that they depend on.
  await second.write('main.py', 'import train\n\ntrain.move(1)\n');
  second.changed('main.py');
  assert.deepEqual(await second.asked(), { 'train.py': [1] });
});

async function storedIn(cache: string): Promise<string[]> {
  const { glob } = await import('node:fs/promises');
  const found: string[] = [];
  for await (const file of glob('gpu-doctor/server/*.json', { cwd: cache })) found.push(path.join(cache, file));
  return found;
}
