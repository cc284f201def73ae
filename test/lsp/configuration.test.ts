import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  ConfigurationRequest,
  DiagnosticRefreshRequest,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type LSPAny,
  ShowMessageNotification,
} from 'vscode-languageserver/node';
import { folderWith } from '../cli/run.ts';
import { type Client, FULL, rangeOf, startClient } from './client.ts';

const PROGRAM = 'import torch\nmodel = torch.load("model.pt")\ndef on_gpu(x):\n    return x.cuda()\n';

const uriIn = (folder: string) => (file: string) => pathToFileURL(join(folder, file)).href;

/** Returns the findings in a program with severities: `GPU101 2`. */
async function found(client: Client, uri: string): Promise<string[]> {
  return (await client.diagnostics(uri)).map(({ code, severity }) => `${code} ${severity}`);
}

const shownIn = (uri: string, count: number) => (params: { uri: string; diagnostics: unknown[] }) =>
  params.uri === uri && params.diagnostics.length === count;

/** Notifies the server that files on disk changed. */
const changedOnDisk = (client: Client, uri: string) =>
  client.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
    changes: [{ uri, type: FileChangeType.Changed }],
  });

test("follows the project's file on disk, which the client's settings override", { timeout: 180_000 }, async (t) => {
  const folder = await folderWith(t, {
    '.gpu-doctor.yaml': 'severity:\n  GPU101: error\n  GPU202: "off"\nexclude: [generated]\n',
  });
  const uri = uriIn(folder);
  // Rules can also be selected by name.
  const client = await startClient(t, { initializationOptions: { severity: { 'unguarded-cuda': 'information' } } });
  const [program, excluded, file] = [uri('src/train.py'), uri('generated/train.py'), uri('.gpu-doctor.yaml')];
  client.open(program, PROGRAM);
  client.open(excluded, PROGRAM);
  assert.deepEqual(await found(client, program), ['GPU101 1', 'GPU202 3']);
  assert.deepEqual(await found(client, excluded), []);

  const change = async (content: string) => {
    await writeFile(join(folder, '.gpu-doctor.yaml'), content);
    await changedOnDisk(client, file);
  };
  await change('ignore: [GPU101]\n');
  assert.deepEqual(await found(client, program), ['GPU202 3']);
  assert.deepEqual(await found(client, excluded), ['GPU202 3']);

  await change('ignroe: [GPU101]\n');
  assert.deepEqual(await found(client, program), ['GPU202 3'], 'the last valid settings count');
  assert.equal(client.log.length, 1);
  assert.match(client.log[0] ?? '', /\.gpu-doctor\.yaml:1:1/);
  const { diagnostics, version } = await client.published(shownIn(file, 1));
  assert.deepEqual(diagnostics[0]?.range, rangeOf('ignroe: [GPU101]\n', 'ignroe'));
  assert.equal(version, undefined);

  await rm(join(folder, '.gpu-doctor.yaml'));
  await changedOnDisk(client, file);
  assert.deepEqual(await found(client, program), ['GPU101 2', 'GPU202 3']);
  await client.published(shownIn(file, 0));
});

test('a configuration file shows its errors while it is typed', { timeout: 180_000 }, async (t) => {
  const folder = await folderWith(t, { '.gpu-doctor.yaml': '' });
  const uri = uriIn(folder);
  const [program, file] = [uri('train.py'), uri('.gpu-doctor.yaml')];
  const client = await startClient(t);
  client.open(program, PROGRAM);
  assert.deepEqual(await found(client, program), ['GPU101 2', 'GPU202 3']);

  client.open(file, '# 🦊\nignore: [GPU202]\n', 'yaml');
  assert.deepEqual(await found(client, program), ['GPU101 2'], 'unsaved text counts');

  const broken = 'ignore: [GPU202]\nseverity: { "🦊": error, GPU101: eror }\n';
  client.edit(file, undefined, broken);
  const { diagnostics, version } = await client.published(shownIn(file, 2));
  assert.equal(version, 2);
  assert.deepEqual(
    diagnostics.map(({ range, severity, source }) => ({ range, severity, source })),
    [rangeOf(broken, '"🦊"'), rangeOf(broken, 'eror')].map((range) => ({ range, severity: 1, source: 'gpu-doctor' })),
  );
  assert.match(String(diagnostics[0]?.message), /^There is no rule `🦊`: see `gpu-doctor rule`\.$/);
  assert.deepEqual(await found(client, program), ['GPU101 2'], 'the last valid settings count');
  client.edit(file, undefined, 'ignore: [GPU202\n');
  await client.published(({ version }) => version === 3);
  assert.deepEqual(await found(client, program), ['GPU101 2']);

  client.edit(file, undefined, 'ignore: [GPU101]\n');
  await client.published(shownIn(file, 0));
  assert.deepEqual(await found(client, program), ['GPU202 3']);

  client.close(file);
  assert.deepEqual(await found(client, program), ['GPU101 2', 'GPU202 3'], 'the file on disk counts again');
  assert.deepEqual(client.log, []);
  assert.deepEqual(await client.diagnostics(file), []);
});

test('so does pyproject.toml, of which only our table is checked', { timeout: 180_000 }, async (t) => {
  const folder = await folderWith(t, {});
  const uri = uriIn(folder);
  const [program, file] = [uri('train.py'), uri('pyproject.toml')];
  const client = await startClient(t);
  client.open(program, PROGRAM);
  client.open(file, '[project]\nname = "x"\n[tool.gpu-doctor]\nignore = ["GPU101"]\n', 'toml');
  assert.deepEqual(await found(client, program), ['GPU202 3']);

  const broken = '[tool.other]\nignroe = 1\n[tool.gpu-doctor]\nignroe = []\nexclude = "x"\n';
  client.edit(file, undefined, broken);
  const { diagnostics } = await client.published(shownIn(file, 2));
  assert.deepEqual(diagnostics[0]?.range.start, { line: 3, character: 0 });
  assert.deepEqual(diagnostics[1]?.range, rangeOf(broken, '"x"'));
  assert.deepEqual(await found(client, program), ['GPU202 3']);

  client.edit(file, undefined, '[project]\nname = "gpu-doctor-x"\n');
  await client.published(shownIn(file, 0));
  assert.deepEqual(await found(client, program), ['GPU101 2', 'GPU202 3']);
});

test('every prefix of a configuration file is accepted', { timeout: 180_000 }, async (t) => {
  const folder = await folderWith(t, {});
  const uri = uriIn(folder);
  const client = await startClient(t);
  client.open(uri('train.py'), PROGRAM);
  const text = 'select:\n  - &one GPU1\n  - "GPU2"\nseverity: {GPU101: error}\nloaders:\n- name: a.b\n';
  client.open(uri('.gpu-doctor.yaml'), '', 'yaml');
  for (let length = 1; length <= text.length; length++) {
    client.edit(uri('.gpu-doctor.yaml'), undefined, text.slice(0, length));
    await client.diagnostics(uri('train.py'));
  }
  const { diagnostics } = await client.published(({ version }) => version === text.length + 1);
  assert.deepEqual(
    diagnostics.map(({ range }) => range.start.line),
    [5],
  );
  assert.deepEqual(client.log, []);
});

test('asks a client once to pull again after settings change', { timeout: 180_000 }, async (t) => {
  let refreshes = 0;
  let refreshed = () => {};
  const folder = await folderWith(t, {});
  const uri = uriIn(folder);
  const client = await startClient(t, {
    capabilities: { ...FULL, workspace: { diagnostics: { refreshSupport: true } } },
    prepare: (connection) =>
      connection.onRequest(DiagnosticRefreshRequest.type, () => {
        refreshes++;
        refreshed();
      }),
  });
  client.open(uri('train.py'), PROGRAM);
  client.open(uri('.gpu-doctor.yaml'), '', 'yaml');
  await client.diagnostics(uri('train.py'));
  const before = refreshes;
  const refresh = new Promise<void>((resolve) => {
    refreshed = resolve;
  });
  const text = 'ignore: [GPU101]';
  for (const written of ['# nothing yet', 'ignore: [', text, `${text} # why`, `${text} # why not`])
    client.edit(uri('.gpu-doctor.yaml'), undefined, written);
  await refresh;
  assert.deepEqual(await found(client, uri('train.py')), ['GPU202 3']);
  assert.equal(refreshes - before, 1);
});

test('for a client without file watching, saved files count', async (t) => {
  const folder = await folderWith(t, {});
  const program = uriIn(folder)('train.py');
  const client = await startClient(t);
  client.open(program, PROGRAM);
  assert.deepEqual(await found(client, program), ['GPU101 2', 'GPU202 3']);
  await writeFile(join(folder, '.gpu-doctor.yaml'), 'select: [GPU101]');
  await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri: program } });
  assert.deepEqual(await found(client, program), ['GPU101 2']);
});

test('each folder of a workspace has its own file and settings', { timeout: 180_000 }, async (t) => {
  const folder = await folderWith(t, {
    'one/.gpu-doctor.yaml': 'ignore: [GPU202]\nper-file-ignores: {"tests/": [GPU1]}',
    'two/pyproject.toml': '[tool.gpu-doctor]\nseverity.GPU202 = "error"\n',
  });
  const uri = uriIn(folder);
  const settings: Record<string, LSPAny> = {};
  let refreshed = () => {};
  const client = await startClient(t, {
    capabilities: { ...FULL, workspace: { configuration: true, diagnostics: { refreshSupport: true } } },
    workspaceFolders: ['one', 'two', 'three'].map((name) => ({ name, uri: uri(name) })),
    prepare: (connection) => {
      connection.onRequest(ConfigurationRequest.type, ({ items }) =>
        items.map(({ scopeUri = '' }) => {
          const name = Object.keys(settings).find((name) => scopeUri.startsWith(`${uri(name)}/`));
          return name === undefined ? null : (settings[name] ?? null);
        }),
      );
      connection.onRequest(DiagnosticRefreshRequest.type, () => refreshed());
    },
  });
  const programs = ['one/train.py', 'two/train.py', 'three/train.py', 'one/tests/train.py'].map(uri);
  for (const program of programs) client.open(program, PROGRAM);
  const all = () => Promise.all(programs.map((program) => found(client, program)));
  assert.deepEqual(await all(), [['GPU101 2'], ['GPU101 2', 'GPU202 1'], ['GPU101 2', 'GPU202 3'], []]);

  const refresh = new Promise<void>((resolve) => {
    refreshed = resolve;
  });
  settings.one = { ignore: ['GPU3'], severity: { GPU101: 'information' } };
  settings.two = { ignore: ['GPU1'] };
  await client.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
  await refresh;
  // Both ignore lists apply, and the project's per-file ignores.
  assert.deepEqual(await all(), [['GPU101 3'], ['GPU202 1'], ['GPU101 2', 'GPU202 3'], []]);
});

test('unknown rules in the settings of a client are named in one message', { timeout: 180_000 }, async (t) => {
  const folder = await folderWith(t, {});
  const uri = uriIn(folder);
  const shown: string[] = [];
  const settings: Record<string, LSPAny> = {
    ignore: ['GPU30', 'GPU209', 'torch-load-map-locaton'],
    severity: { GPU21: 'hint', GPU20: 'hint', GPU202: 'information' },
  };
  const client = await startClient(t, {
    capabilities: { ...FULL, workspace: { ...FULL.workspace, configuration: true, workspaceFolders: true } },
    workspaceFolders: ['a', 'b'].map((name) => ({ name, uri: uri(name) })),
    prepare: (connection) => {
      connection.onRequest(ConfigurationRequest.type, ({ items }) => items.map(() => settings));
      connection.onNotification(ShowMessageNotification.type, ({ message }) => void shown.push(message));
    },
  });
  for (const name of ['a/train.py', 'b/train.py']) {
    client.open(uri(name), PROGRAM);
    assert.deepEqual(await found(client, uri(name)), ['GPU101 2', 'GPU202 3']);
  }
  while (shown.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const sentences = [
    "gpuDoctor.ignore: there is no rule 'GPU209'. Did you mean 'GPU201'?",
    "gpuDoctor.ignore: there is no rule 'torch-load-map-locaton'. Did you mean 'torch-load-map-location'?",
    "gpuDoctor.severity: there is no rule 'GPU21'. Did you mean 'GPU201'?",
  ];
  assert.deepEqual(shown, [sentences.join(' ')]);

  // The same mistakes are not shown again, and settings without any are left alone.
  const changed = () => client.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
  await changed();
  assert.deepEqual(await found(client, uri('a/train.py')), ['GPU101 2', 'GPU202 3']);
  Object.assign(settings, { ignore: ['GPU2'], severity: {} });
  await changed();
  assert.deepEqual(await found(client, uri('a/train.py')), ['GPU101 2']);
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(shown.length, 1);
});
