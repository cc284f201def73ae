import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Group, type Node, treeOf } from '../../../client/webview/tree.ts';
import { tensor } from './tensors.ts';

/** The labels of a tree; a group is a list that starts with its own label. */
function outline(node: Node): unknown {
  return node.kind === 'tensor' ? node.label : [node.label, ...node.children.map(outline)];
}

const outlineOf = (...names: string[]) => treeOf(names.map((name) => tensor(name))).children.map(outline);

test('names become groups in the order of the file, and what is alone in a group is one with it', () => {
  const names = ['model.b.weight', 'model.b.bias', 'model.a.0.weight', 'model.a.0.bias', 'model.norm.weight', 'step'];
  assert.deepEqual(outlineOf(...names), [
    ['model', ['b', 'weight', 'bias'], ['a.0', 'weight', 'bias'], 'norm.weight'],
    'step',
  ]);
});

test('a group is one, also where its tensors do not follow each other', () => {
  assert.deepEqual(outlineOf('a.x', 'b.x', 'a.y', 'b.y'), [
    ['a', 'x', 'y'],
    ['b', 'x', 'y'],
  ]);
});

test('slashes part names like dots', () => {
  assert.deepEqual(outlineOf('layers/dense/vars/0', 'layers/dense/vars/1'), [['layers/dense/vars', '0', '1']]);
});

test('odd names are kept as they are', () => {
  assert.deepEqual(outlineOf(''), ['']);
  assert.deepEqual(outlineOf('...'), ['...']);
  assert.deepEqual(outlineOf('a..b.', '.a'), ['a..b.', 'a']);
  assert.deepEqual(outlineOf('__proto__.x', '__proto__.y'), [['__proto__', 'x', 'y']]);
  assert.deepEqual(outlineOf('a', 'a.b', 'a.c'), ['a', ['a', 'b', 'c']]);
});

test('names of a thousand parts make no deep tree', () => {
  const names = Array.from({ length: 1000 }, (_, index) =>
    Array(index + 1)
      .fill('x')
      .join('.'),
  );
  const depthOf = (node: Node): number => (node.kind === 'tensor' ? 1 : 1 + Math.max(...node.children.map(depthOf)));
  assert.ok(depthOf(treeOf(names.map((name) => tensor(name)))) <= 34);
});

test('a group shows the sums, types and devices of its contents', () => {
  const root = treeOf([
    tensor('net.a.weight', { shape: [3, 4], bytes: 48, device: 'cuda:0' }),
    tensor('net.a.steps', { shape: [], dtype: 'int64', bytes: 8 }),
    tensor('net.b', { shape: [5], bytes: 20 }),
  ]);
  assert.deepEqual((root.children[0] as Group).total, {
    tensors: 3,
    parameters: 18,
    bytes: 76,
    dtypes: ['float32', 'int64'],
    devices: ['cuda:0', 'cpu'],
  });
});
