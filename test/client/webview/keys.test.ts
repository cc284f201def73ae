import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionOf, type Place } from '../../../client/webview/keys.ts';

const PLACE: Place = { index: 5, parent: 2, count: 100, page: 10, isOpen: undefined };
const NONE = { ctrlKey: false, metaKey: false, altKey: false };
const press = (key: string, place: Partial<Place> = {}, modifiers = {}) =>
  actionOf({ ...NONE, ...modifiers, key }, { ...PLACE, ...place });
const go = (to: number) => ({ kind: 'go', to });

test('keys walk the lines and stop at the ends', () => {
  assert.deepEqual(press('ArrowDown'), go(6));
  assert.deepEqual(press('ArrowUp'), go(4));
  assert.deepEqual(press('PageDown'), go(15));
  assert.deepEqual(press('PageUp'), go(0));
  assert.deepEqual(press('Home'), go(0));
  assert.deepEqual(press('End'), go(99));
  assert.deepEqual(press('ArrowDown', { index: 99 }), go(99));
});

test('right opens a group and then enters it, left closes it and then leaves it', () => {
  assert.deepEqual(press('ArrowRight', { isOpen: false }), { kind: 'toggle' });
  assert.deepEqual(press('ArrowRight', { isOpen: true }), go(6));
  assert.deepEqual(press('ArrowLeft', { isOpen: true }), { kind: 'toggle' });
  assert.deepEqual(press('ArrowLeft', { isOpen: false }), go(2));
  assert.deepEqual(press('ArrowLeft'), go(2));
});

test('a tensor has nothing to open', () => {
  for (const key of ['ArrowRight', 'Enter', ' ']) assert.equal(press(key), undefined);
  for (const key of ['Enter', ' ']) assert.deepEqual(press(key, { isOpen: true }), { kind: 'toggle' });
});

test("the editor's own keys are left to it", () => {
  assert.equal(press('ArrowLeft', {}, { altKey: true }), undefined);
  assert.equal(press('End', {}, { ctrlKey: true }), undefined);
  assert.equal(press('x'), undefined);
  assert.equal(press('ArrowDown', { count: 0 }), undefined);
  for (const modifier of ['ctrlKey', 'metaKey'])
    assert.deepEqual(press('c', {}, { [modifier]: true }), { kind: 'copy' });
});
