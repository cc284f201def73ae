import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { InlayHintRequest } from 'vscode-languageserver/node';
import { folderWith } from '../cli/run.ts';
import { startClient } from './client.ts';

const fixture = (name: string) => join(import.meta.dirname, '../checkpoint/fixtures', name);

const LOADS = `import torch
a = torch.load("best.pth")
b = torch.load("best.pth", map_location="cpu")
c = torch.load("missing.pt")
d = open("best.pth")
`;

test("shows a checkpoint's contents after its path, and nothing for a missing file", async (t) => {
  const folder = await folderWith(t, { 'load.py': LOADS });
  await copyFile(fixture('torch/cuda3.pth'), join(folder, 'best.pth'));
  const uri = pathToFileURL(join(folder, 'load.py')).href;
  const client = await startClient(t, { workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'project' }] });
  client.open(uri, LOADS);
  const hintsOf = async (first: number, last: number) => {
    const range = { start: { line: first, character: 0 }, end: { line: last, character: 0 } };
    const hints = await client.connection.sendRequest(InlayHintRequest.type, { textDocument: { uri }, range });
    return (hints ?? []).map(({ position: { line, character }, label }) => `${line}:${character} ${label}`);
  };
  const all = await hintsOf(0, 5);
  assert.equal(all.length, 2);
  assert.match(all[0] ?? '', /^1:25 cuda:3 · [\d.]+K? parameters/);
  assert.match(all[1] ?? '', /^2:25 cuda:3 · [\d.]+K? parameters$/);
  assert.equal((await hintsOf(2, 3)).length, 1);
});
