import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, rangeOf, startClient } from './client.ts';

const URI = 'file:///project/train.py';
const NOTEBOOK = 'file:///project/study.ipynb';
const cell = (index: number) => `vscode-notebook-cell:/project/study.ipynb#W${index}`;
const HEAD = '#!/usr/bin/env python\nimport torch\n';

async function codes(client: Client, uri: string): Promise<unknown[]> {
  return (await client.diagnostics(uri)).map(({ code }) => code);
}

/** Applies the action with this title at the first occurrence of `needle`. */
async function choose(client: Client, uri: string, needle: string, title: string): Promise<void> {
  const actions = await client.actions(uri, rangeOf(client.text(uri), needle), ['quickfix']);
  const action = actions.find((action) => action.title === title);
  assert.ok(action, `${title}: ${actions.map((action) => action.title)}`);
  assert.notEqual(action.isPreferred, true);
  client.apply((await client.resolve(action)).edit ?? {});
}

test('a finding is suppressed on its line', async (t) => {
  const client = await startClient(t);
  client.open(URI, `${HEAD}a = torch.load("a.pt")  # the first\nb = torch.load(\n    "b.pt",\n)\n`);
  await choose(client, URI, 'torch.load("a.pt")', 'Ignore GPU101 on this line');
  assert.deepEqual(await codes(client, URI), ['GPU101']);
  await choose(client, URI, 'torch.load(\n', 'Ignore GPU101 on this line');
  assert.deepEqual(await codes(client, URI), []);
  assert.equal(
    client.text(URI),
    `${HEAD}a = torch.load("a.pt")  # the first  # gpu-doctor: ignore[GPU101]\nb = torch.load(  # gpu-doctor: ignore[GPU101]\n    "b.pt",\n)\n`,
  );
});

test('a finding is suppressed on its line in a notebook', async (t) => {
  const client = await startClient(t);
  client.openNotebook(NOTEBOOK, [
    { uri: cell(0), text: '%%bash\nls' },
    { uri: cell(1), text: 'import torch' },
    { uri: cell(2), text: 'a = torch.load("a.pt")' },
    { uri: cell(3), text: 'b = torch.load("b.pt")\nb.cuda()' },
  ]);
  await choose(client, cell(2), 'torch.load', 'Ignore GPU101 on this line');
  assert.equal(client.text(cell(2)), 'a = torch.load("a.pt")  # gpu-doctor: ignore[GPU101]');
  assert.deepEqual(await codes(client, cell(2)), []);
  assert.deepEqual(await codes(client, cell(3)), ['GPU101', 'GPU202']);

  await choose(client, cell(3), 'cuda()', 'Ignore GPU202 on this line');
  assert.equal(client.text(cell(3)), 'b = torch.load("b.pt")\nb.cuda()  # gpu-doctor: ignore[GPU202]');
  assert.deepEqual(await codes(client, cell(3)), ['GPU101']);
});

test('a prefix suppresses its rules and is unused without them', async (t) => {
  const client = await startClient(t);
  client.open(URI, `${HEAD}a = torch.load("a.pt")  # gpu-doctor: ignore[GPU10]\nb = 1  # gpu-doctor: ignore[GPU2]\n`);
  const found = await client.diagnostics(URI);
  assert.deepEqual(
    found.map(({ code, message }) => [code, message]),
    [['GPU900', 'There is no `GPU2` here to suppress.']],
  );
});

test('an unused suppression is faded and can be removed', async (t) => {
  const client = await startClient(t);
  const idle = '# gpu-doctor: ignore[GPU202]';
  client.open(URI, `${HEAD}a = torch.load("a.pt")  # gpu-doctor: ignore[GPU101, GPU201]\n${idle}\nb = 1\n`);
  const [code, comment, ...others] = await client.diagnostics(URI);
  assert.deepEqual(others, []);
  for (const hint of [code, comment]) {
    assert.equal(hint?.code, 'GPU900');
    assert.equal(hint?.severity, 4);
    assert.deepEqual(hint?.tags, [1]);
    assert.equal(hint?.data.rule, 'unused-suppression');
  }
  assert.deepEqual(code?.range, rangeOf(client.text(URI), 'GPU201'));
  assert.deepEqual(comment?.range, rangeOf(client.text(URI), idle));
  const hover = { textDocument: { uri: URI }, position: comment?.range.start };
  assert.notEqual(await client.connection.sendRequest('textDocument/hover', hover), null);

  const titles = (await client.actions(URI, rangeOf(client.text(URI), idle), ['quickfix'])).map(({ title }) => title);
  assert.deepEqual(titles, ['Remove the comment'], 'a hint about a comment is not excused by another one');
  await choose(client, URI, idle, 'Remove the comment');
  await choose(client, URI, 'GPU201', 'Remove `GPU201` from the comment');
  assert.equal(client.text(URI), `${HEAD}a = torch.load("a.pt")  # gpu-doctor: ignore[GPU101]\nb = 1\n`);
  assert.deepEqual(await codes(client, URI), []);
});

test('noqa is respected and never reported as unused', async (t) => {
  const client = await startClient(t);
  client.open(
    URI,
    `${HEAD}a = torch.load("a.pt")  # noqa\nb = torch.load("b.pt")  # noqa: E501, GPU101\nc = 1  # noqa: GPU101\n`,
  );
  assert.deepEqual(await codes(client, URI), []);
  client.edit(URI, rangeOf(client.text(URI), '  # noqa\n'), '  # noqa: E501\n');
  assert.deepEqual(await codes(client, URI), ['GPU101']);
});
