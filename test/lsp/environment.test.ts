/** Environment files in an editor: findings while typing, fixes, comments and hovers. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DidChangeWatchedFilesNotification, FileChangeType, type Hover } from 'vscode-languageserver/node';
import { folderWith } from '../cli/run.ts';
import { rangeOf, startClient } from './client.ts';

const URI = 'file:///project/requirements.txt';
const PROGRAM = '#!/usr/bin/env python\nimport torch\ntorch.load("a.pt")\n';
const TEXT = 'torch==2.9.0  # as on the cluster\ntorchvision==0.15.2\n';

test('a requirements file is checked while it is typed, and corrected by a fix', async (t) => {
  const client = await startClient(t);
  client.open(URI, 'torch==2.9.0\n', 'pip-requirements');
  assert.deepEqual(await client.diagnostics(URI), []);
  client.edit(URI, undefined, TEXT);
  const [found, ...others] = await client.diagnostics(URI);
  assert.equal(others.length, 0);
  assert.equal(found?.code, 'GPU601');
  assert.deepEqual(found?.range, rangeOf(TEXT, 'torchvision==0.15.2'));
  const actions = await client.actions(URI, rangeOf(TEXT, 'torchvision==0.15.2'));
  assert.deepEqual(
    actions.map(({ title }) => title),
    ['Change to torchvision 0.24.0', 'Change to torch 2.0.1', 'Ignore GPU601 on this line'],
  );
  const [first] = actions;
  assert.ok(first);
  const { edit } = await client.resolve(first);
  client.apply(edit ?? {});
  assert.equal(client.text(URI), TEXT.replace('0.15.2', '0.24.0'));
  assert.deepEqual(await client.diagnostics(URI), []);
  assert.deepEqual(client.log, []);
});

test('each kind of file is recognized by its name, regardless of its language in the editor', async (t) => {
  const client = await startClient(t);
  const files: Record<string, string> = {
    'pyproject.toml': '[project]\nname = "a"\ndependencies = ["torch==2.9.0", "torchvision==0.15.2"]\n',
    'environment.yml': 'dependencies:\n  - pytorch=2.1\n  - torchvision=0.15\n',
    Dockerfile: 'FROM python:3.11\nRUN pip install torch==2.9.0 torchvision==0.15.2\n',
    'setup.cfg': '[options]\ninstall_requires =\n  torch==2.9.0\n  torchvision==0.15.2\n',
  };
  for (const [name, text] of Object.entries(files)) {
    const uri = `file:///project/${name}`;
    client.open(uri, text, 'plaintext');
    const codes = (await client.diagnostics(uri)).map(({ code }) => code);
    assert.deepEqual(codes, ['GPU601'], name);
  }
  client.open('file:///project/notes.txt', TEXT, 'plaintext');
  assert.deepEqual(await client.diagnostics('file:///project/notes.txt'), []);
});

test('a file with another name is checked as soon as the settings include it', async (t) => {
  const folder = await folderWith(t, { 'deps.txt': TEXT, 'notes.txt': TEXT, train: PROGRAM, 'log.txt': PROGRAM });
  const client = await startClient(t);
  const uriOf = (name: string) => pathToFileURL(join(folder, name)).href;
  const codes = async (name: string) => (await client.diagnostics(uriOf(name))).map(({ code }) => code);
  client.open(uriOf('deps.txt'), TEXT, 'plaintext');
  assert.deepEqual([await codes('deps.txt'), await codes('train')], [[], []]);
  await writeFile(join(folder, '.gpu-doctor.yaml'), 'include: [/deps.txt, /train, /log.txt]\n');
  await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
    changes: [{ uri: uriOf('.gpu-doctor.yaml'), type: FileChangeType.Created }],
  });
  const found = await Promise.all(['deps.txt', 'notes.txt', 'train', 'log.txt'].map(codes));
  assert.deepEqual(found, [['GPU601'], [], ['GPU101'], ['GPU101']]);
  const [fix] = await client.actions(uriOf('deps.txt'), rangeOf(TEXT, 'torchvision==0.15.2'));
  client.apply((await client.resolve(fix ?? { title: '' })).edit ?? {});
  assert.deepEqual(await codes('deps.txt'), []);
});

test('a suppressing comment is placed where the file allows one', async (t) => {
  const client = await startClient(t);
  const uri = 'file:///project/Dockerfile';
  const text = 'FROM python:3.11\nRUN pip install \\\n    torch==2.9.0 \\\n    torchvision==0.15.2\n';
  client.open(uri, text, 'dockerfile');
  const actions = await client.actions(uri, rangeOf(text, 'torchvision==0.15.2'));
  const ignore = actions.find(({ title }) => title === 'Ignore GPU601 on this line');
  assert.ok(ignore);
  client.apply((await client.resolve(ignore)).edit ?? {});
  assert.match(client.text(uri), /\\\n# gpu-doctor: ignore\[GPU601\]\n {4}torchvision==0\.15\.2\n$/);
  assert.deepEqual(await client.diagnostics(uri), []);
});

test('hovering over a requirement shows what it includes, and nothing about an unknown machine', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT.replace('2.9.0', '2.1.0'), 'plaintext');
  const hover = (line: number): Promise<Hover | null> =>
    client.connection.sendRequest('textDocument/hover', {
      textDocument: { uri: URI },
      position: { line, character: 2 },
    });
  const shown = await hover(0);
  assert.ok(shown);
  const { value } = shown.contents as { value: string };
  assert.match(value, /^\*\*torch 2\.1\.0\*\*/);
  assert.match(value, /\| CUDA \| 12\.1 \(from PyPI, on Linux\) \|/);
  assert.match(value, /\| cuDNN \| 8\.9\.2 \|/);
  assert.match(value, /\| Lowest driver \| 525\.60\.13 \(Windows: 528\.33\) \|/);
  assert.match(value, /\| Goes with \| torchvision 0\.16\.0, torchaudio 2\.1\.0 \|/);
  assert.doesNotMatch(value, /\| Here \|/);
});

test('included files are checked with it, in their current state on disk', async (t) => {
  const folder = await folderWith(t, { 'base.txt': '# of the project\ntorchvision==0.15.2\n' });
  const client = await startClient(t);
  const uri = pathToFileURL(join(folder, 'requirements.txt')).href;
  const text = '-r base.txt\ntorch==2.9.0\n';
  client.open(uri, text, 'pip-requirements');
  const [found, ...others] = await client.diagnostics(uri);
  assert.equal(others.length, 0);
  assert.deepEqual(found?.range, rangeOf(text, 'torch==2.9.0'));
  assert.deepEqual(
    found?.relatedInformation?.map(({ location, message }) => [location.range, message]),
    [
      [
        rangeOf(text, '-r base.txt'),
        'torchvision 0.15.2 needs torch 2.0.1, not torch 2.9.0: use torchvision 0.24.0 (base.txt, line 2)',
      ],
    ],
  );
  // Fixes in another file are not offered here.
  const titles = (await client.actions(uri, found.range)).map(({ title }) => title);
  assert.deepEqual(titles.slice(0, 2), ['Change to torch 2.0.1', 'Ignore GPU601 on this line']);
  await writeFile(join(folder, 'base.txt'), 'torchvision==0.24.0\n');
  assert.deepEqual(await client.diagnostics(uri), []);
});
