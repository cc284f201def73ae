import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DidChangeConfigurationNotification, type Range } from 'vscode-languageserver/node';
import { type Client, rangeOf, startClient } from './client.ts';

const URI = 'file:///project/train.py';
const TEXT = `import torch


def to_gpu(model):
    if not torch.cuda.is_available():
        return model
    return model.cuda()


class Trainer:
    def restore(self, path):
        self.state = torch.load(path)


net = to_gpu(torch.load("net.pt"))
net.half().cuda()
`;
const FOUND = ['GPU101 torch.load(path)', 'GPU101 torch.load("net.pt")', 'GPU202 cuda()'];
const START = { line: 0, character: 0 };

/** Returns the findings with the text that each is about. */
async function found(client: Client, uri: string): Promise<string[]> {
  const lines = client.text(uri).split('\n');
  return (await client.diagnostics(uri)).map(
    ({ code, range: { start, end } }) => `${code} ${lines[start.line]?.slice(start.character, end.character)}`,
  );
}

/** Types in a document and checks the diagnostics after each character. No line break follows the typed text. */
async function type(client: Client, uri: string, line: number, text: string, look: () => Promise<void>): Promise<void> {
  for (const [index, character] of [...text].entries()) {
    const place = { line, character: index };
    client.edit(uri, { start: place, end: place }, character);
    await look();
  }
}

test('findings stay while a statement is typed anywhere', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT);
  assert.deepEqual(await found(client, URI), FOUND);
  for (const line of TEXT.split('\n').keys()) {
    client.edit(URI, undefined, TEXT);
    await client.diagnostics(URI);
    const place = { line, character: 0 };
    client.edit(URI, { start: place, end: place }, '\n');
    await type(client, URI, line, 'x = (("""', async () => assert.deepEqual(await found(client, URI), FOUND));
  }
});

test('changes in invalid text are not shown until it is valid', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT);
  await client.diagnostics(URI);
  client.edit(URI, { start: START, end: START }, 'x = (\n');
  assert.deepEqual(await found(client, URI), FOUND);
  client.edit(URI, rangeOf(client.text(URI), '"net.pt"'), '"net.pt", map_location="cpu"');
  assert.deepEqual(await found(client, URI), [FOUND[0], FOUND[2]]);
  client.edit(
    URI,
    rangeOf(client.text(URI), '(path)\n\n'),
    '(path, map_location="cpu")\nother = torch.load("o.pt")\n\n',
  );
  assert.deepEqual(await found(client, URI), [FOUND[2]]);

  client.edit(URI, rangeOf(client.text(URI), 'x = (\n'), 'x = ()\n');
  assert.deepEqual(await found(client, URI), ['GPU101 torch.load("o.pt")', FOUND[2]]);
});

test('a text that was never valid is checked as far as possible', async (t) => {
  const client = await startClient(t);
  client.open(URI, 'import torch\na = torch.load("a.pt")\nx = (\n');
  assert.deepEqual(await found(client, URI), ['GPU101 torch.load("a.pt")']);
  client.edit(URI, { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } }, 'b = torch.load("b.pt")\n');
  assert.deepEqual(await found(client, URI), ['GPU101 torch.load("b.pt")', 'GPU101 torch.load("a.pt")']);
});

test('nothing is offered for findings of an earlier text', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT);
  await client.diagnostics(URI);
  client.edit(URI, { start: START, end: START }, 'x = (\n');
  const call = rangeOf(client.text(URI), 'torch.load("net.pt")');
  assert.deepEqual(await client.actions(URI, call), []);
  const hover = { textDocument: { uri: URI }, position: call.start };
  assert.notEqual(await client.connection.sendRequest('textDocument/hover', hover), null);

  client.edit(URI, rangeOf(client.text(URI), 'x = ('), '     ');
  const actions = await client.actions(URI, { start: call.start, end: call.start });
  assert.notDeepEqual(actions, []);
  client.edit(URI, rangeOf(client.text(URI), '     '), 'x = (');
  for (const action of actions) assert.equal((await client.resolve(action)).edit, undefined);
});

test('settings apply immediately in invalid text', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT);
  await client.diagnostics(URI);
  client.edit(URI, { start: START, end: START }, 'x = (\n');
  const settings = { gpuDoctor: { ignore: ['GPU1'] } };
  await client.connection.sendNotification(DidChangeConfigurationNotification.type, { settings });
  assert.ok((await client.diagnostics(URI)).every(({ code }) => code === 'GPU202'));
});

test('each cell of a notebook separately', async (t) => {
  const notebook = 'file:///project/study.ipynb';
  const cells = [
    'import torch',
    'first = torch.load("first.pt")',
    'def load(path):\n    return torch.load(path)\n',
    'last = torch.load("last.pt")',
  ].map((text, index) => ({ uri: `vscode-notebook-cell:/study.ipynb#${index}`, text }));
  const [imports = '', first = '', second = '', last = ''] = cells.map(({ uri }) => uri);
  const client = await startClient(t);
  client.openNotebook(notebook, cells);
  const all = async () => (await Promise.all(cells.map(({ uri }) => found(client, uri)))).flat();
  const before = ['GPU101 torch.load("first.pt")', 'GPU101 torch.load(path)', 'GPU101 torch.load("last.pt")'];
  assert.deepEqual(await all(), before);

  const insert = (cell: string, text: string, at: Range = { start: START, end: START }) =>
    client.editCell(notebook, cell, at, text);
  insert(second, 'x = (\n');
  assert.deepEqual(await all(), before);
  insert(first, 'more = torch.load("more.pt")\n');
  assert.deepEqual(await all(), ['GPU101 torch.load("more.pt")', ...before], 'the other cells go on');
  insert(imports, '# torch for all of us\n');
  assert.deepEqual(await all(), ['GPU101 torch.load("more.pt")', ...before]);

  const [fixAll] = await client.actions(last, { start: START, end: START }, ['notebook.source.fixAll']);
  assert.ok(fixAll);
  client.apply((await client.resolve(fixAll)).edit ?? {});
  assert.deepEqual(await all(), [before[1]], 'a broken cell is left alone');
  insert(second, '', { start: START, end: { line: 1, character: 0 } });
  assert.deepEqual(await all(), [before[1]]);
});
