import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFilters, spansOf } from '../../../client/webview/filter.ts';
import { openGroups } from '../../../client/webview/openGroups.ts';
import { type Row, type Sort, sortedLeaves, treeRows } from '../../../client/webview/rows.ts';
import { type Group, type Leaf, treeOf } from '../../../client/webview/tree.ts';
import { tensor } from './tensors.ts';

const root = treeOf([
  tensor('blocks.10.weight', { shape: [10, 2], bytes: 80 }),
  tensor('blocks.10.bias', { shape: [10], bytes: 20, dtype: 'float16' }),
  tensor('blocks.9.weight', { shape: [9, 2], bytes: 72, device: 'cuda:10' }),
  tensor('blocks.9.bias', { shape: [9], bytes: 18, dtype: 'float16', device: 'cuda:9' }),
  tensor('steps', { shape: [], bytes: 8, dtype: 'int64' }),
]);
const labels = (rows: readonly Row[]) => rows.map(({ node, level }) => `${'  '.repeat(level - 1)}${node.label}`);
const names = (leaves: readonly Leaf[]) => leaves.map(({ tensor }) => tensor.name);
const all = () => true;
const sorted = (column: Sort['column'], descending = false) => names(sortedLeaves(root, { column, descending }));

test('closed groups hide what is in them', () => {
  assert.deepEqual(labels(treeRows(root, () => false)), ['blocks', 'steps']);
  assert.deepEqual(labels(treeRows(root, ({ label }) => label !== '9')), [
    'blocks',
    '  10',
    '    weight',
    '    bias',
    '  9',
    'steps',
  ]);
});

test('sorted by name, a tree stays a tree and numbers are numbers', () => {
  const byName = { column: 'name', descending: false } as const;
  assert.deepEqual(labels(treeRows(root, ({ label }) => label === 'blocks', byName)), [
    'blocks',
    '  9',
    '  10',
    'steps',
  ]);
  const [first] = treeRows(root, all, { column: 'name', descending: true });
  assert.equal(first?.node.label, 'steps');
});

test('other columns sort tensors, and what is equal keeps the order of the file', () => {
  assert.deepEqual(sorted('bytes'), [
    'steps',
    'blocks.9.bias',
    'blocks.10.bias',
    'blocks.9.weight',
    'blocks.10.weight',
  ]);
  assert.deepEqual(sorted('parameters', true)[0], 'blocks.10.weight');
  assert.deepEqual(sorted('shape'), [
    'steps',
    'blocks.9.bias',
    'blocks.10.bias',
    'blocks.9.weight',
    'blocks.10.weight',
  ]);
  assert.deepEqual(sorted('device').slice(-2), ['blocks.9.bias', 'blocks.9.weight']);
  assert.deepEqual(sorted('dtype'), [
    'blocks.10.bias',
    'blocks.9.bias',
    'blocks.10.weight',
    'blocks.9.weight',
    'steps',
  ]);
});

test('a filter finds words of the name, the type, the shape and the device', () => {
  const filterIn = createFilters();
  const found = (filter: string) => names(sortedLeaves(root).filter(({ tensor }) => filterIn(filter).passes(tensor)));
  assert.deepEqual(found(''), names(sortedLeaves(root)));
  assert.deepEqual(found('BIAS float16'), ['blocks.10.bias', 'blocks.9.bias']);
  assert.deepEqual(found('9×2'), ['blocks.9.weight']);
  assert.deepEqual(found('cuda:9'), ['blocks.9.bias']);
  assert.deepEqual(found('nothing'), []);
});

test('what was found is marked in the name once', () => {
  assert.deepEqual(spansOf('Block.block', ['block', 'lock.b']), [[0, 11]]);
  assert.deepEqual(spansOf('a.weight', ['weight', 'float32']), [[2, 8]]);
  assert.deepEqual(spansOf('İ.weight', ['weight']), []);
});

test('groups are open at first as far as there is room', () => {
  const many = treeOf(
    Array.from({ length: 200 }, (_, index) => tensor(`model.${index}.${index % 2 ? 'weight' : 'bias'}`)).concat(
      Array.from({ length: 200 }, (_, index) => tensor(`model.${index}.other`)),
    ),
  );
  const groups = openGroups(many);
  const [model] = many.children as Group[];
  assert.ok(model && groups.isOpen(model), 'the only group is open, however much is in it');
  assert.ok(!groups.isOpen(model.children[0] as Group));
  assert.ok(openGroups(root).isOpen(root.children[0] as Group));
});

test("an optimizer's state is closed at first, beside the model", () => {
  const names = ['model.weight', 'model.bias', 'optimizer.state.0.exp_avg', 'optimizer.state.0.step'];
  const both = treeOf(names.map((name) => tensor(name)));
  const [model, optimizer] = both.children as [Group, Group];
  const groups = openGroups(both);
  assert.ok(groups.isOpen(model));
  assert.ok(!groups.isOpen(optimizer));
  const alone = treeOf([tensor('optimizer.state.0.exp_avg'), tensor('optimizer.state.0.step')]);
  assert.ok(openGroups(alone).isOpen(alone.children[0] as Group), 'alone it is all that there is');
});

test('what was opened and closed outlives the page and a change of the file', () => {
  const [blocks] = root.children as [Group];
  const before = openGroups(root);
  before.toggle(blocks);
  assert.ok(!before.isOpen(blocks));
  const anew = treeOf(['blocks.1.weight', 'blocks.1.bias', 'blocks.2.weight'].map((name) => tensor(name)));
  const after = openGroups(anew, before.state());
  assert.ok(!after.isOpen(anew.children[0] as Group));
  after.all(true);
  assert.ok(after.isOpen(anew.children[0] as Group));
  after.toggle(anew.children[0] as Group);
  assert.ok(!after.isOpen(anew.children[0] as Group));
});
