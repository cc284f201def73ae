import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutText, cutTo, firstWithin } from '../../server/src/report/cut.ts';

const tensors = Array.from({ length: 1000 }, (_, index) => ({ name: `layers.${index}.weight`, shape: [3, 4] }));

test('a value that fits is unchanged', () => {
  const report = { tensors, about: ['a', 'b'], parameters: 3, none: null };
  assert.deepEqual(cutTo(report, 'tensors', 1_000_000), { value: report, omitted: {} });
});

test('lists are truncated, and omitted items are counted', () => {
  const { value, omitted } = cutTo({ tensors, problems: tensors.map(({ name }) => name) }, 'tensors', 20_000);
  assert.ok(JSON.stringify(value, null, 2).length < 22_000);
  assert.equal(value.tensors.length + (omitted.tensors ?? 0), 1000);
  assert.equal(value.problems.length + (omitted.problems ?? 0), 1000);
  // The longest list gets the space that others do not need.
  assert.ok(value.tensors.length > 50 && value.problems.length > 20);
});

test('a list within an item is truncated, too', () => {
  const shape = Array.from({ length: 100_000 }, (_, index) => index);
  const { value, omitted } = cutTo({ tensors: [{ name: 'w', shape }] }, 'tensors', 10_000);
  assert.ok(JSON.stringify(value, null, 2).length < 12_000);
  assert.equal((value.tensors[0]?.shape.length ?? 0) + (omitted['tensors.shape'] ?? 0), 100_000);
});

test('truncated texts end in an ellipsis', () => {
  assert.equal(cutText('short'), 'short');
  assert.match(cutText('n'.repeat(60_000)), /^n{2000}…$/);
});

test('the first items within a number of characters', () => {
  assert.deepEqual(
    firstWithin(['aa', 'bb', 'cc'], 4, ({ length }) => length),
    ['aa', 'bb'],
  );
  assert.deepEqual(
    firstWithin(['aa'], 4, ({ length }) => length),
    ['aa'],
  );
});
