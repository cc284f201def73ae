/** Adoption in an existing project: ignored rules, accepted findings, and fixes in many places at once. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  type ClientCapabilities,
  type CodeAction,
  CreateFile,
  TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { folderWith, run } from '../cli/run.ts';
import { type Client, FULL, rangeOf, startClient } from './client.ts';

const LOAD = 'import torch\n\nweights = torch.load("weights.pt")\n';
const limit = { timeout: 180_000 };

const ALL_CAPABILITIES: ClientCapabilities = {
  ...FULL,
  window: { showDocument: { support: true } },
  workspace: {
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ['create'],
    },
  },
};
const OWN: ClientCapabilities = {
  ...ALL_CAPABILITIES,
  experimental: { gpuDoctor: { opensCheckpoints: true } },
};

async function project(
  t: Parameters<typeof folderWith>[0],
  files: Readonly<Record<string, string>>,
  capabilities = ALL_CAPABILITIES,
) {
  const folder = await folderWith(t, files);
  const uri = (name: string) => pathToFileURL(path.join(folder, name)).href;
  const shown: string[] = [];
  const client = await startClient(t, {
    capabilities,
    prepare(connection) {
      connection.onRequest('window/showDocument', ({ uri }) => {
        shown.push(uri);
        return { success: true };
      });
    },
    workspaceFolders: [{ name: 'project', uri: pathToFileURL(folder).href }],
  });
  return { folder, uri, client, shown };
}

async function titlesAt(client: Client, uri: string, needle: string): Promise<string[]> {
  return (await client.actions(uri, rangeOf(client.text(uri), needle))).map(({ title }) => title);
}

async function edited(client: Client, uri: string, title: string): Promise<WorkspaceEdit | undefined> {
  return (await chosen(client, uri, title)).edit;
}

async function chosen(client: Client, uri: string, title: string): Promise<CodeAction> {
  const actions = await client.actions(uri, rangeOf(client.text(uri), 'torch.load'));
  const action = actions.find((each) => each.title.startsWith(title));
  assert.ok(action, `${title}: ${actions.map(({ title }) => title).join(', ')}`);
  return client.resolve(action);
}

/** Applies an edit on disk, as an editor that saves its changes. */
async function write(edit: WorkspaceEdit | undefined): Promise<void> {
  assert.ok(edit?.documentChanges);
  for (const change of edit.documentChanges) {
    if (CreateFile.is(change)) await writeFile(new URL(change.uri), '');
    if (!TextDocumentEdit.is(change)) continue;
    const file = new URL(change.textDocument.uri);
    const text = await readFile(file, 'utf8').catch(() => '');
    await writeFile(file, TextDocument.applyEdits(TextDocument.create('', '', 0, text), change.edits as never));
  }
}

for (const [what, files, file, after] of [
  ['a new file', {}, '.gpu-doctor.yaml', 'ignore: [GPU101]\n'],
  [
    'the file with the settings',
    { '.gpu-doctor.yaml': '# ours\nexclude: [a/]  # old\n', 'pyproject.toml': '[project]\nname = "x"\n' },
    '.gpu-doctor.yaml',
    '# ours\nexclude: [a/]  # old\nignore: [GPU101]\n',
  ],
  [
    'pyproject.toml, if it exists',
    { 'pyproject.toml': '[project]\nname = "x"  # mine\n' },
    'pyproject.toml',
    '[project]\nname = "x"  # mine\n\n[tool.gpu-doctor]\nignore = ["GPU101"]\n',
  ],
] as const)
  test(`a rule is ignored in the project: in ${what}`, limit, async (t) => {
    const { client, uri, folder, shown } = await project(t, { ...files, 'src/train.py': LOAD });
    client.open(uri('src/train.py'), LOAD);
    const { edit, command } = await chosen(client, uri('src/train.py'), `Ignore GPU101 in this project (${file})`);
    await write(edit);
    await client.connection.sendRequest('workspace/executeCommand', command);
    assert.equal(await readFile(path.join(folder, file), 'utf8'), after);
    client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: uri(file), type: 2 }] });
    while ((await client.diagnostics(uri('src/train.py'))).length > 0);
    assert.deepEqual(shown, [uri(file)]);
    // The command line agrees.
    assert.equal((await run(['check', '.'], { cwd: folder })).status, 0);
  });

test('the unsaved text of the settings is edited', limit, async (t) => {
  const { client, uri } = await project(t, { '.gpu-doctor.yaml': '', 'train.py': LOAD });
  client.open(uri('train.py'), LOAD);
  client.open(uri('.gpu-doctor.yaml'), 'exclude: [b/]\n', 'yaml');
  const edit = await edited(client, uri('train.py'), 'Ignore GPU101 in this project');
  assert.ok(edit);
  client.apply(edit);
  assert.equal(client.text(uri('.gpu-doctor.yaml')), 'exclude: [b/]\nignore: [GPU101]\n');
  while ((await client.diagnostics(uri('train.py'))).length > 0);
});

test('each client is offered what it supports', limit, async (t) => {
  const offered = async (capabilities: ClientCapabilities) => {
    const { client, uri } = await project(t, { 'train.py': LOAD }, capabilities);
    client.open(uri('train.py'), LOAD);
    return (await titlesAt(client, uri('train.py'), 'torch.load')).filter((title) => /^(Ignore|Show)/.test(title));
  };
  const comment = 'Ignore GPU101 on this line';
  const inProject = 'Ignore GPU101 in this project (.gpu-doctor.yaml)';
  assert.deepEqual(await offered(OWN), [comment, inProject]);
  assert.deepEqual(await offered(ALL_CAPABILITIES), [comment, inProject]);
  // It creates no files.
  assert.deepEqual(await offered(FULL), [comment]);
});

test('two findings at one place share the ways to ignore them', limit, async (t) => {
  const text = 'import torch\nmodel = torch.load("model.pt").cuda()\nother = torch.load("other.pt")\n';
  const { client, uri } = await project(t, { 'train.py': text });
  client.open(uri('train.py'), text);
  const titles = await titlesAt(client, uri('train.py'), 'torch.load("model.pt").cuda()');
  assert.equal(titles.filter((title) => title.startsWith('Fix all')).length <= 2, true, titles.join('\n'));
  assert.deepEqual(
    titles.filter((title) => title.startsWith('Ignore')),
    ['Ignore GPU101 and GPU202 on this line', 'Ignore GPU101 and GPU202 in this project (.gpu-doctor.yaml)'],
  );
  const range = rangeOf(text, 'torch.load("model.pt").cuda()');
  const comment = (await client.actions(uri('train.py'), range)).find(({ title }) => title.endsWith('on this line'));
  client.apply((await client.resolve(comment as CodeAction)).edit ?? {});
  assert.match(client.text(uri('train.py')), /cuda\(\) {2}# gpu-doctor: ignore\[GPU101, GPU202\]/);
});

test('a server command creates and shows the settings file', limit, async (t) => {
  const { client, uri, folder } = await project(t, { 'train.py': LOAD });
  const shown: unknown[] = [];
  client.connection.onRequest('window/showDocument', (params) => {
    shown.push(params);
    return { success: true };
  });
  client.connection.onRequest('workspace/applyEdit', async ({ edit }) => {
    await write(edit);
    return { applied: true };
  });
  const command = (command: string, argument: string) =>
    client.connection.sendRequest('workspace/executeCommand', { command, arguments: [argument] });
  await command('gpu-doctor.createConfigurationFile', pathToFileURL(folder).href);
  const text = await readFile(path.join(folder, '.gpu-doctor.yaml'), 'utf8');
  assert.match(text, /^# ignore: \[GPU301\]$/m);
  // Completions are limited to valid values.
  const taken = text.replaceAll(/^# (?=\w[\w-]*:|\s)/gm, '').replace(/^baseline:.*$/m, '');
  await writeFile(path.join(folder, '.gpu-doctor.yaml'), taken);
  assert.equal((await run(['check', '.'], { cwd: folder })).stderr, '');
  await command('gpu-doctor.createConfigurationFile', pathToFileURL(folder).href);
  assert.equal(await readFile(path.join(folder, '.gpu-doctor.yaml'), 'utf8'), taken);
  const opened = { uri: uri('.gpu-doctor.yaml'), external: false, takeFocus: true };
  assert.deepEqual(shown, [opened, opened]);
  await assert.rejects(command('gpu-doctor.createConfigurationFile', 'x'), /requires the URI of a folder/);
});

test('accepted findings are marked hints, and new ones are not', limit, async (t) => {
  const { client, uri, folder } = await project(t, {
    '.gpu-doctor.yaml': 'baseline: accepted.json\n',
    'old.py': LOAD,
    'notes.txt': '',
  });
  const severities = async (name: string) => (await client.diagnostics(uri(name))).map(({ severity }) => severity);
  assert.equal((await run(['check', '.', '--write-baseline'], { cwd: folder })).status, 0);
  client.open(uri('old.py'), LOAD);
  assert.deepEqual(await severities('old.py'), [4]);
  const [hint] = await client.diagnostics(uri('old.py'));
  assert.match(
    JSON.stringify(
      await client.connection.sendRequest('textDocument/hover', {
        textDocument: { uri: uri('old.py') },
        position: hint?.range.start,
      }),
    ),
    /accepted\.json/,
  );
  // Moved lines keep their entries.
  client.edit(uri('old.py'), undefined, `# above\n${LOAD}other = torch.load("other.pt")\n`);
  assert.deepEqual(await severities('old.py'), [4, 2]);
  await writeFile(path.join(folder, 'accepted.json'), '{ "version": 1, "findings": [] }\n');
  client.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: uri('accepted.json'), type: 2 }],
  });
  assert.deepEqual(await severities('old.py'), [2, 2]);
});

test('findings wait for the document to be saved if configured', limit, async (t) => {
  const client = await startClient(t, { initializationOptions: { run: 'onSave', exclude: ['generated/'] } });
  const uri = 'file:///project/train.py';
  client.open(uri, 'import torch\n');
  assert.deepEqual(await client.diagnostics(uri), []);
  client.edit(uri, undefined, LOAD);
  assert.deepEqual(await client.diagnostics(uri), []);
  client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
  assert.equal((await client.diagnostics(uri)).length, 1);
});

test('nothing is reported in excluded files', limit, async (t) => {
  const { client, uri } = await project(t, {});
  const change = (settings: object) =>
    client.connection.sendNotification('workspace/didChangeConfiguration', { settings: { gpuDoctor: settings } });
  const count = async (name: string) => (await client.diagnostics(uri(name))).length;
  for (const name of ['train.py', 'generated/train.py']) client.open(uri(name), LOAD);
  assert.deepEqual([await count('train.py'), await count('generated/train.py')], [1, 1]);
  await change({ exclude: ['generated/'] });
  assert.deepEqual([await count('train.py'), await count('generated/train.py')], [1, 0]);
});
