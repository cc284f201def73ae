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
