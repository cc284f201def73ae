import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawnLines } from '../../../client/webview/viewport.ts';

test('only what is in sight is drawn, with a margin', () => {
  assert.deepEqual(drawnLines(0, 220, 22, 100_000), { start: 0, end: 22 });
  assert.deepEqual(drawnLines(22_000, 220, 22, 100_000), { start: 988, end: 1022 });
  assert.deepEqual(drawnLines(22 * 100_000 - 220, 220, 22, 100_000), { start: 99_978, end: 100_000 });
});

test('a table below or above what is in sight, or without lines, draws nothing beyond itself', () => {
  assert.deepEqual(drawnLines(-5000, 800, 22, 100), { start: 0, end: 0 });
  assert.deepEqual(drawnLines(50_000, 800, 22, 100), { start: 100, end: 100 });
  assert.deepEqual(drawnLines(0, 800, 22, 0), { start: 0, end: 0 });
});

test('every place of a long table is covered', () => {
  for (let top = 0; top < 22 * 1000; top += 7) {
    const { start, end } = drawnLines(top, 300, 22, 1000);
    assert.ok(start * 22 <= top);
    assert.ok(end * 22 >= Math.min(top + 300, 22 * 1000));
  }
});
