/** The language server answers, whatever a program names as a checkpoint. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type CheckpointAnswer, READ_CHECKPOINT } from '../../server/src/protocol.ts';
import { HOSTILE } from '../checkpoint/fuzz/hostileFiles.ts';
import { folderWith } from '../cli/run.ts';
import { startClient } from './client.ts';

const limit = { timeout: 180_000, skip: process.platform === 'win32' && 'Windows has no named pipes in folders' };

test('diagnoses a program that names pipes and hostile files', limit, async (t) => {
  const folder = await folderWith(t, { 'pipe.index.json': '{"metadata": {}, "weight_map": {"w": "pipe.pt"}}' });
  execFileSync('mkfifo', [join(folder, 'pipe.pt')]);
  for (const name of [
    'a Keras configuration that is wide',
    'a checkpoint loaded 300 times',
    'a chat template of openings',
  ])
    await HOSTILE[name]?.(folder);
  const client = await startClient(t);
  const uri = pathToFileURL(join(folder, 'load.py')).href;
  const names = ['pipe.pt', 'pipe.index.json', 'b.keras', 'i.pkl', 'a.gguf', '/dev/zero'];
  client.open(uri, ['import torch', ...names.map((name) => `torch.load("${name}")`), ''].join('\n'));
  assert.ok((await client.diagnostics(uri)).length >= names.length);
});

test('answers all the while in a project whose settings and other files are pipes', limit, async (t) => {
  const folder = await folderWith(t, { 'load.py': 'import torch\ntorch.load("model.pt")\n' });
  const pipes = [
    '.gpu-doctor.yaml',
    'pyproject.toml',
    'requirements.txt',
    'environment.yml',
    'ruff.toml',
    '.gitignore',
  ];
  for (const name of [...pipes, '.editorconfig', 'LICENSE', 'other.py', 'book.ipynb', 'Dockerfile', 'model.pt'])
    execFileSync('mkfifo', [join(folder, name)]);
  const client = await startClient(t, { workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'project' }] });
  const uri = pathToFileURL(join(folder, 'load.py')).href;
  client.open(uri, 'import torch\nimport other\ntorch.load("model.pt")\n');
  assert.ok((await client.diagnostics(uri)).some(({ code }) => code === 'GPU101'));
  for (let edit = 0; edit < 5; edit++) {
    client.edit(uri, undefined, `import torch\nimport other\n${'\n'.repeat(edit)}torch.load("model.pt")\n`);
    const [found] = (await client.diagnostics(uri)).filter(({ code }) => code === 'GPU101');
    assert.equal(found?.range.start.line, 2 + edit);
  }
  assert.equal(await client.stop(), 0);
});

test('describes a pipe, and a file that costs more than an inspection allows', limit, async (t) => {
  const folder = await folderWith(t, {});
  const pipe = join(folder, 'pipe.pt');
  execFileSync('mkfifo', [pipe]);
  const { connection } = await startClient(t);
  const read = (path: string): Promise<CheckpointAnswer> => connection.sendRequest(READ_CHECKPOINT, path);
  assert.deepEqual(await read(pipe), { trouble: 'The file is a pipe, not a regular file, and is not opened.' });
  const long = (await HOSTILE['instructions without end']?.(folder)) ?? '';
  const { view } = await read(long);
  assert.equal(view?.safety?.headline, 'Not checked');
  assert.match(view?.safety?.sentences.join(' ') ?? '', /takes more work than an inspection allows/);
});
