import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { CodeAction } from 'vscode-languageserver/node';
import { type Client, rangeOf, startClient } from './client.ts';

const URI = 'file:///project/train.py';
const TEXT = `import torch

# 🦊
first = torch.load("first.pt")
second = torch.load(
    "second.pt",  # kept
)
`;
const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
const FIRST = rangeOf(TEXT, 'torch.load("first.pt")');

async function resolved(client: Client, action: CodeAction | undefined): Promise<CodeAction> {
  assert.ok(action);
  assert.equal(action.edit, undefined);
  return client.resolve(action);
}

/** Applies an action to the client's documents. */
async function choose(client: Client, action: CodeAction | undefined): Promise<void> {
  const { edit } = await resolved(client, action);
  assert.ok(edit);
  client.apply(edit);
}

test('offers a quick fix for each variant, and marks only a safe first one as preferred', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT);
  const actions = await client.actions(URI, FIRST, ['quickfix']);
  assert.ok(actions.length >= 2);
  const fixes = actions.filter(({ diagnostics }) => diagnostics?.length === 1);
  assert.ok(fixes.length >= 1);
  assert.ok(fixes.every(({ diagnostics }) => diagnostics?.[0]?.code === 'GPU101'));
  assert.equal(actions.filter(({ isPreferred }) => isPreferred).length, 1);
  assert.equal(actions[0]?.isPreferred, true);
  for (const action of fixes) {
    const { edit } = await client.resolve(action);
    assert.equal(edit?.documentChanges?.length, 1);
  }
});

test('fixes a finding by its preferred fix', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT);
  const [preferred] = await client.actions(URI, FIRST, ['quickfix']);
  await choose(client, preferred);
  assert.equal(client.text(URI), TEXT.replace('"first.pt"', '"first.pt", map_location="cpu"'));
  assert.equal((await client.diagnostics(URI)).length, 1);
});

test('fixes all findings of one rule in the file', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT);
  const actions = await client.actions(URI, FIRST);
  await choose(
    client,
    actions.find(({ title }) => title === 'Fix all GPU101 in this file'),
  );
  assert.deepEqual(await client.diagnostics(URI), []);
  assert.match(client.text(URI), /# kept/);
});

test('fixes everything for "fix all", with edits that only touch changes', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT);
  const actions = await client.actions(URI, START, ['source.fixAll']);
  assert.deepEqual(
    actions.map(({ kind }) => kind),
    ['source.fixAll.gpuDoctor'],
  );
  const { edit } = await resolved(client, actions[0]);
  const [change] = edit?.documentChanges ?? [];
  assert.ok(change && 'edits' in change);
  assert.equal(change.edits.length, 2);
  assert.ok(change.edits.every((each) => 'range' in each && each.range.start.line >= 3));
  client.apply(edit ?? {});
  assert.deepEqual(await client.diagnostics(URI), []);
  assert.deepEqual(await client.actions(URI, START, ['source.fixAll.gpuDoctor']), []);
});

test('all offered fixes in the fixtures can be applied', { timeout: 180_000 }, async (t) => {
  const root = new URL('../rules/', import.meta.url);
  const files = globSync('*/*.in.py', { cwd: root });
  assert.ok(files.length > 10);
  const client = await startClient(t);
  for (const file of files) {
    const uri = `file:///project/${file}`;
    client.open(uri, await readFile(new URL(file, root), 'utf8'));
    for (const { range } of await client.diagnostics(uri)) {
      for (const action of await client.actions(uri, range)) {
        const { edit } = await client.resolve(action);
        assert.ok(edit, `${file}: ${action.title}`);
      }
    }
    client.close(uri);
  }
  assert.deepEqual(client.log, []);
});

test('each changed line is a separate edit when everything is fixed', async (t) => {
  const client = await startClient(t);
  client.open(URI, 'import torch\na = torch.load("a.pt")\nb = torch.load("b.pt")\n');
  const [action] = await client.actions(URI, START, ['source.fixAll']);
  const { edit } = await resolved(client, action);
  const [change] = edit?.documentChanges ?? [];
  assert.deepEqual(
    change && 'edits' in change && change.edits.map((each) => 'range' in each && each.range.start.line),
    [1, 2],
  );
});

test('keeps CRLF line ends when it fixes everything', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT.replaceAll('\n', '\r\n'));
  const [action] = await client.actions(URI, START, ['source.fixAll.gpuDoctor']);
  await choose(client, action);
  assert.deepEqual(await client.diagnostics(URI), []);
  assert.doesNotMatch(client.text(URI), /[^\r]\n|\r(?!\n)/);
});

test('respects the requested kinds', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT);
  const kinds = async (only?: string[]) => new Set((await client.actions(URI, FIRST, only)).map(({ kind }) => kind));
  assert.deepEqual(await kinds(['quickfix']), new Set(['quickfix']));
  assert.deepEqual(await kinds(['source']), new Set(['source.fixAll.gpuDoctor']));
  assert.deepEqual(await kinds(['source.fixAll.gpuDoctor']), new Set(['source.fixAll.gpuDoctor']));
  assert.deepEqual(await kinds(['source.fixAll.ruff']), new Set());
  assert.deepEqual(await kinds(['source.organizeImports', 'refactor']), new Set());
  assert.deepEqual(await kinds(), new Set(['quickfix']));
});

test('offers nothing automatically if there are no findings', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT);
  assert.deepEqual(await client.actions(URI, START), []);
  client.openNotebook(NOTEBOOK, [{ uri: cell(0), text: '# Notes', markup: true }, ...CELLS]);
  for (const uri of [cell(0), cell(1), cell(3)]) assert.deepEqual(await client.actions(uri, START), []);
});

test('offers no quick fix outside of findings', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT);
  assert.deepEqual(await client.actions(URI, START, ['quickfix']), []);
  const diagnostics = await client.diagnostics(URI);
  const byDiagnostic: CodeAction[] = await client.connection.sendRequest('textDocument/codeAction', {
    textDocument: { uri: URI },
    range: START,
    context: { diagnostics, only: ['quickfix'] },
  });
  assert.ok(byDiagnostic.length >= 2);
});

test('writes nothing for an action of an earlier version', async (t) => {
  const client = await startClient(t);
  client.open(URI, TEXT);
  const actions = await client.actions(URI, FIRST);
  client.edit(URI, START, '"""A docstring."""\n');
  for (const action of actions) assert.equal((await client.resolve(action)).edit, undefined);
  client.close(URI);
  for (const action of actions) assert.equal((await client.resolve(action)).edit, undefined);
});

test('sends edits immediately to a client that cannot resolve them, in the supported form', async (t) => {
  const client = await startClient(t, { capabilities: { textDocument: { diagnostic: {} } } });
  client.open(URI, TEXT);
  const [fix] = await client.actions(URI, FIRST, ['quickfix']);
  assert.ok(fix?.edit?.changes?.[URI]);
  const [all] = await client.actions(URI, START, ['source.fixAll']);
  client.apply(all?.edit ?? {});
  assert.deepEqual(await client.diagnostics(URI), []);
});

const NOTEBOOK = 'file:///project/study.ipynb';
const cell = (index: number) => `vscode-notebook-cell:/project/study.ipynb#W${index}`;
const CELLS = [
  { uri: cell(1), text: 'import torch' },
  { uri: cell(2), text: 'first = torch.load("first.pt")' },
  { uri: cell(3), text: '# Load\n\nsecond = torch.load("second.pt")\n' },
];

test('fixes a cell and a whole notebook', async (t) => {
  const client = await startClient(t);
  client.openNotebook(NOTEBOOK, CELLS);
  const counts = () => Promise.all(CELLS.map(async ({ uri }) => (await client.diagnostics(uri)).length));
  assert.deepEqual(await counts(), [0, 1, 1]);

  const [first] = await client.actions(cell(2), FIRST_LINE, ['source.fixAll']);
  assert.equal(first?.kind, 'source.fixAll.gpuDoctor');
  await choose(client, first);
  assert.deepEqual(await counts(), [0, 0, 1]);
  assert.deepEqual(await client.actions(cell(1), START, ['source.fixAll']), []);

  const [all] = await client.actions(cell(1), START, ['notebook.source.fixAll']);
  assert.equal(all?.kind, 'notebook.source.fixAll.gpuDoctor');
  await choose(client, all);
  assert.deepEqual(await counts(), [0, 0, 0]);
  assert.deepEqual(
    CELLS.map(({ uri }) => client.text(uri).match(/map_location/g)?.length ?? 0),
    [0, 1, 1],
  );
});

const FIRST_LINE = { start: { line: 0, character: 0 }, end: { line: 0, character: 10 } };

test('fixes a notebook that begins with Markdown, on save and as a source action', async (t) => {
  const client = await startClient(t);
  const cells = [{ uri: cell(0), text: '# torch.load("notes.pt")', markup: true }, ...CELLS];
  client.openNotebook(NOTEBOOK, cells);
  // VS Code requests it for the first cell when the notebook is saved, and for any cell for "Source Action...".
  const [onSave] = await client.actions(cell(0), START, ['notebook.source.fixAll.gpuDoctor']);
  assert.equal(onSave?.kind, 'notebook.source.fixAll.gpuDoctor');
  const source = await client.actions(cell(1), START, ['source']);
  assert.deepEqual(
    source.map(({ kind }) => kind),
    ['source.fixNotebook.gpuDoctor'],
  );
  assert.deepEqual(
    (await client.actions(cell(2), START, ['source'])).map(({ title }) => title),
    ['Fix all GPU Doctor findings in this cell', 'Fix all GPU Doctor findings in this notebook'],
  );
  await choose(client, onSave);
  for (const { uri } of cells) assert.deepEqual(await client.diagnostics(uri), []);
  assert.equal(client.text(cell(0)), cells[0]?.text);
});

test('fixes one rule in the whole notebook', async (t) => {
  const client = await startClient(t);
  client.openNotebook(NOTEBOOK, CELLS);
  const actions = await client.actions(cell(3), rangeOf(CELLS[2]?.text ?? '', 'torch.load'), ['quickfix']);
  await choose(
    client,
    actions.find(({ title }) => title === 'Fix all GPU101 in this notebook'),
  );
  for (const { uri } of CELLS) assert.deepEqual(await client.diagnostics(uri), []);
});
