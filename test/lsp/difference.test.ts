import assert from 'node:assert/strict';
import { test } from 'node:test';
import { difference, type TextReplacement } from '../../server/src/lsp/lastFindings.ts';
import { randomFrom } from '../random.ts';

const applied = (before: string, after: string, { start, oldEnd, newEnd }: TextReplacement) =>
  [before.slice(start, oldEnd), after.slice(start, newEnd), before.slice(oldEnd)] as const;

test('lines added or removed above one with the same indentation are whole lines', () => {
  for (const [line, below] of [
    ['    x = 1\n', '    y = 2\n'],
    ['\n', '    y = 2\n'],
    ['        \n', '        y = 2\n'],
    ['\t# a comment\n\n', '\ty = 2\n'],
    ['  x\r\n', '  y\r\n'],
  ] as const) {
    for (const head of ['', 'def f():\n']) {
      const [without, written] = [head + below, head + line + below];
      assert.deepEqual(applied(without, written, difference(without, written)), ['', line, below]);
      assert.deepEqual(applied(written, without, difference(written, without)), [line, '', below]);
    }
  }
});

test('other changes are minimal', () => {
  for (const [before, after, expected] of [
    ['if x:\n    y\n', 'if x:\n     y\n', ['', ' ', 'y\n']],
    ['a b', 'a  b', ['', ' ', 'b']],
    ['x = 1\n', 'x = 12\n', ['', '2', '\n']],
    ['x = 1\n', 'y = 1\n', ['x', 'y', ' = 1\n']],
    ['', 'x', ['', 'x', '']],
    ['x', 'x', ['', '', '']],
  ] as const)
    assert.deepEqual(applied(before, after, difference(before, after)), expected);
});

test('a difference turns one text into the other', () => {
  const random = randomFrom(20261123);
  const anything = (most: number) => Array.from({ length: random(most) }, () => ' \n\tab'.charAt(random(5))).join('');
  for (let round = 0; round < 20_000; round++) {
    const before = anything(round % 50 === 0 ? 4_000 : 12);
    const start = random(before.length + 1);
    const after = before.slice(0, start) + anything(6) + before.slice(start + random(6));
    const found = difference(before, after);
    assert.ok(found.start <= found.oldEnd && found.start <= found.newEnd);
    const [, written, rest] = applied(before, after, found);
    assert.equal(before.slice(0, found.start) + written + rest, after);
  }
});
