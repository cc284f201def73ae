import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  type ClientCapabilities,
  DiagnosticRefreshRequest,
  DiagnosticSeverity,
  DidChangeWatchedFilesNotification,
  FileChangeType,
} from 'vscode-languageserver/node';
import { type Client, FULL, startClient } from './client.ts';

const ENGINE = `import torch


def build():
    return torch.zeros(2).cuda()
`;
const GUARDED = `import torch

from engine import build

if torch.cuda.is_available():
    build()
`;
const UNGUARDED = 'from engine import build\n\nbuild()\n';

const CAPABILITIES: ClientCapabilities = {
  ...FULL,
  workspace: { ...FULL.workspace, diagnostics: { refreshSupport: true } },
};

interface Project {
  readonly client: Client;
  uri(name: string): string;
  write(name: string, text: string): Promise<void>;
  /** Waits until the only diagnostic of a document has the expected severity. */
  becomes(uri: string, severity: number): Promise<void>;
}

/** A workspace with these files, opened by a client. */
async function startProject(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  capabilities = CAPABILITIES,
): Promise<Project> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'gpu-doctor-project-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
  for (const [name, text] of Object.entries(files)) await write(name, text);
  let refreshed: () => void = () => {};
  const client = await startClient(t, {
    capabilities,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'project' }],
    prepare: (connection) => connection.onRequest(DiagnosticRefreshRequest.type, () => refreshed()),
  });
  return {
    client,
    write,
    uri: (name) => pathToFileURL(path.join(folder, name)).href,
    async becomes(uri, severity) {
      for (;;) {
        const news = new Promise<void>((resolve) => {
          refreshed = resolve;
        });
        const [only, ...others] = await client.diagnostics(uri);
        assert.deepEqual(others, []);
        if (only?.severity === severity) return;
        await news;
      }
    },
  };
}

test('a caller in another file guards a function after the project is indexed', async (t) => {
  const { client, uri, becomes } = await startProject(t, { 'engine.py': ENGINE, 'app.py': GUARDED });
  client.open(uri('engine.py'), ENGINE);
  await becomes(uri('engine.py'), 4);
  const [hint] = await client.diagnostics(uri('engine.py'));
  assert.deepEqual(
    hint?.relatedInformation?.map(({ location }) => [location.uri, location.range.start.line]),
    [[uri('app.py'), 5]],
  );
});

test('edits in one file change the findings in another open file', async (t) => {
  const { client, uri, becomes } = await startProject(t, { 'engine.py': ENGINE, 'app.py': UNGUARDED });
  client.open(uri('engine.py'), ENGINE);
  client.open(uri('app.py'), GUARDED);
  await becomes(uri('engine.py'), 4);
  client.edit(uri('app.py'), undefined, UNGUARDED);
  await becomes(uri('engine.py'), 3);
  client.edit(uri('app.py'), undefined, GUARDED);
  await becomes(uri('engine.py'), 4);
  // Closed without saving, it has the content on disk again.
  client.close(uri('app.py'));
  await becomes(uri('engine.py'), 3);
});

test('files created, changed and deleted on disk count', async (t) => {
  const { client, uri, write, becomes } = await startProject(t, { 'engine.py': ENGINE });
  const report = (name: string, type: FileChangeType) =>
    client.connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes: [{ uri: uri(name), type }] });
  client.open(uri('engine.py'), ENGINE);
  await becomes(uri('engine.py'), 3);
  await write('app.py', GUARDED);
  await report('app.py', FileChangeType.Created);
  await becomes(uri('engine.py'), 4);
  await write('demo.py', UNGUARDED);
  await report('demo.py', FileChangeType.Created);
  await becomes(uri('engine.py'), 3);
  await write('demo.py', GUARDED);
  await report('demo.py', FileChangeType.Changed);
  await becomes(uri('engine.py'), 4);
});

test('a notebook imports a module of the project', async (t) => {
  const flags = 'import torch\n\nREADY = torch.cuda.is_available()\n';
  const { client, uri, becomes } = await startProject(t, { 'flags.py': flags });
  const notebook = uri('work.ipynb');
  client.openNotebook(notebook, [
    { uri: `${notebook}#a`, text: 'from flags import READY\nimport torch' },
    { uri: `${notebook}#b`, text: 'x = torch.zeros(2)\nif READY:\n    x = x.cuda()\ny = torch.ones(2).cuda()' },
  ]);
  await becomes(`${notebook}#b`, 3);
});

for (const [name, capabilities] of [
  ['a client that is pushed to', { notebookDocument: { synchronization: {} } }],
  ['a client that pulls once', FULL],
] as const)
  test(`${name} gets the verdict that the project decides`, { timeout: 120_000 }, async (t) => {
    const { client, uri } = await startProject(t, { 'engine.py': ENGINE, 'app.py': GUARDED }, capabilities);
    const published = client.published((params) => params.uri === uri('engine.py'));
    client.open(uri('engine.py'), ENGINE);
    const found = capabilities === FULL ? await client.diagnostics(uri('engine.py')) : (await published).diagnostics;
    assert.deepEqual(
      found.map(({ severity }) => severity),
      [DiagnosticSeverity.Hint],
    );
  });

test('one action lets all files of a program choose their device', async (t) => {
  const app = 'import torch\nfrom engine import build\n\nprint(build() + torch.ones(2).cuda())\n';
  const { client, uri } = await startProject(t, { 'engine.py': ENGINE, 'app.py': app, 'other.py': UNGUARDED }, FULL);
  client.open(uri('app.py'), app);
  const [mark] = await client.diagnostics(uri('app.py'));
  assert.match(String(mark?.message), /2 places in 2 files/);
  const at = { line: 3, character: app.split('\n')[3]?.indexOf('cuda') ?? 0 };
  const title = 'Fix GPU202 in all 2 files of this program';
  const action = (await client.actions(uri('app.py'), { start: at, end: at })).find((each) => each.title === title);
  assert.ok(action);
  const { edit } = await client.resolve(action);
  const changed = (edit?.documentChanges ?? []).flatMap((each) => ('textDocument' in each ? [each] : []));
  assert.deepEqual(
    changed.map(({ textDocument }) => [textDocument.uri, textDocument.version]),
    [
      [uri('app.py'), 1],
      [uri('engine.py'), null],
    ],
  );
  const texts = changed.map(({ edits }) => edits.map((each) => ('newText' in each ? each.newText : '')).join(''));
  for (const text of texts) assert.match(text, /torch\.cuda\.is_available\(\) else "cpu"/);
});
