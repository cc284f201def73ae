import assert from 'node:assert/strict';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Hover } from 'vscode-languageserver/node';
import { folderWith } from '../cli/run.ts';
import { FULL, rangeOf, startClient } from './client.ts';

const URI = 'file:///project/train.py';
const TEXT = 'import torch\nmodel = torch.load("model.pt")\n';

test('shows what is so, the fix and the page of a finding, and nothing elsewhere', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT);
  const hover = (line: number, character: number): Promise<Hover | null> =>
    client.connection.sendRequest('textDocument/hover', { textDocument: { uri: URI }, position: { line, character } });
  const shown = await hover(1, 12);
  const [finding] = await client.diagnostics(URI);
  const value = [
    finding?.message,
    '**Fix:** Add `map_location="cpu"`',
    '[GPU101](https://github.com/gpu-doctor/gpu-doctor/blob/main/docs/rules/GPU101.md) · torch-load-map-location',
  ].join('\n\n');
  assert.deepEqual(shown?.contents, { kind: 'markdown', value });
  assert.deepEqual(shown?.range?.start, rangeOf(TEXT, 'torch.load(').start);
  assert.equal(await hover(0, 3), null);
  assert.equal(await hover(99, 99), null);
});

test('shows why a finding is only a hint', async (t) => {
  const client = await startClient(t);
  const text = 'import torch\nif torch.cuda.is_available():\n    model = torch.load("model.pt")\n';
  client.open(URI, text);
  const position = rangeOf(text, 'torch.load(').start;
  const shown: Hover | null = await client.connection.sendRequest('textDocument/hover', {
    textDocument: { uri: URI },
    position,
  });
  const value = shown ? (shown.contents as { value: string }).value : '';
  assert.ok(
    value.includes(`\n\nOnly a hint here because this test checks for a GPU ([line 2](${URI}#L2)).\n\n`),
    value,
  );
});

test('distinguishes two findings at one place in four lines each, as plain text if the client requires that', async (t) => {
  const capabilities = {
    ...FULL,
    textDocument: { ...FULL.textDocument, hover: { contentFormat: ['plaintext' as const] } },
  };
  const client = await startClient(t, { capabilities });
  const text = 'import torch\nmodel = torch.load(torch.load("index.pt")["model"])\n';
  client.open(URI, text);
  const shown: Hover | null = await client.connection.sendRequest('textDocument/hover', {
    textDocument: { uri: URI },
    position: rangeOf(text, 'torch.load("index').start,
  });
  assert.ok(shown);
  const { kind, value } = shown.contents as { kind: string; value: string };
  assert.equal(kind, 'plaintext');
  assert.match(value, /^GPU101 \(https:.*\) · torch-load-map-location$/m);
  assert.match(value, /^torch\.load\(torch\.load\("index\.pt"\)\["model"\]\)$/m);
  assert.match(value, /^torch\.load\("index\.pt"\)$/m);
  assert.equal(value.match(/^Fix: Add map_location="cpu"/gm)?.length, 2);
  assert.ok(!/\*\*|\]\(/.test(value), value);
  assert.equal(value.split('\n').filter((line) => line !== '').length, 8, value);
});

const fixture = (name: string) => join(import.meta.dirname, '../checkpoint/fixtures', name);

const LOADS = `import os
import torch
from pathlib import Path
from keras.models import load_model
RUNS = "runs"
a = torch.load(os.path.join(RUNS, "best.pth"), map_location="cpu")
b = load_model(Path(__file__).parent / "model.keras")
c = torch.load("missing.pt", map_location="cpu")
d = torch.load("none.pt")
`;

test("shows a checkpoint's contents over any part of its path while it exists", async (t) => {
  const folder = await folderWith(t, { 'runs/keep': '', 'src/load.py': LOADS });
  await copyFile(fixture('torch/cuda3.pth'), join(folder, 'runs/best.pth'));
  await copyFile(fixture('keras/plain.keras'), join(folder, 'src/model.keras'));
  const uri = pathToFileURL(join(folder, 'src/load.py')).href;
  const workspaceFolders = [{ uri: pathToFileURL(folder).href, name: 'project' }];
  const hoverIn = async (experimental: unknown) => {
    const client = await startClient(t, { workspaceFolders, capabilities: { ...FULL, experimental } });
    client.open(uri, LOADS);
    return async (place: string): Promise<string | undefined> => {
      const { start } = rangeOf(LOADS, place);
      const request = { textDocument: { uri }, position: { line: start.line, character: start.character + 2 } };
      const shown: Hover | null = await client.connection.sendRequest('textDocument/hover', request);
      return shown ? (shown.contents as { value: string }).value : undefined;
    };
  };

  const plain = await hoverIn(undefined);
  const shown = await plain('"best.pth"');
  assert.equal(shown?.split('\n')[0], `**best.pth** · \`${join(folder, 'runs/best.pth')}\``);
  assert.match(shown ?? '', /^\| Format \| PyTorch checkpoint \|\n\|:--\|:--\|\n\| Written by \| PyTorch \|$/m);
  assert.match(shown ?? '', /\| Saved on \| cuda:3 \|/);
  assert.match(shown ?? '', /\*\*Safety:\*\* Runs no code with `weights_only=True`\.$/m);
  assert.equal(await plain('RUNS, '), shown);
  assert.equal(await plain('os.path.join'), shown);
  assert.match((await plain('parent / ')) ?? '', /\| Written by \| Keras 3\.15\.1 \|/);
  assert.equal(await plain('"missing.pt"'), undefined);

  const linked = await hoverIn({ gpuDoctor: { opensCheckpoints: true } });
  const path = encodeURIComponent(JSON.stringify([join(folder, 'runs/best.pth')]));
  const link = `[Open in Checkpoint Inspector](command:gpuDoctor.inspectCheckpoint?${path})`;
  // VS Code shows the message with the code above the hover.
  assert.match((await linked('torch.load("none')) ?? '', /^\[[a-z-]+\]\(command:gpuDoctor\.showPage\?/m);
  assert.equal((await linked('"best.pth"'))?.split('\n')[0], `**best.pth** · ${link}`);
  await rm(join(folder, 'runs/best.pth'));
  assert.equal(await linked('"best.pth"'), undefined);
});
