import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Hover } from 'vscode-languageserver/node';
import { rangeOf, startClient } from './client.ts';

const URI = 'file:///project/train.py';
const TEXT = 'import torch\nmodel = torch.load("model.pt")\n';

test("shows the rule's page over a finding, and nothing elsewhere", async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT);
  const hover = (line: number, character: number): Promise<Hover | null> =>
    client.connection.sendRequest('textDocument/hover', { textDocument: { uri: URI }, position: { line, character } });
  const shown = await hover(1, 12);
  const page = await readFile(new URL('../../docs/rules/GPU101.md', import.meta.url), 'utf8');
  assert.deepEqual(shown?.contents, { kind: 'markdown', value: page });
  assert.deepEqual(shown?.range?.start, rangeOf(TEXT, 'torch.load(').start);
  assert.equal(await hover(0, 3), null);
  assert.equal(await hover(99, 99), null);
});
