/** Makes text of unknown origin safe to print. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneLine, printable, printableJson, printableLines } from '../server/src/printable.ts';

test('escape sequences and bidirectional controls are shown, not executed', () => {
  assert.equal(printable('a\u001b[2J\r\nb'), 'a␛[2J␍␊b');
  assert.equal(printable('x\u202ey\u2066z\u200f\u2028\u0085'), 'x\ufffdy\ufffdz\ufffd\ufffd\ufffd');
  assert.equal(printable('\ufeffa\tb'), 'a\tb', 'tabs stay, a byte order mark goes');
  assert.equal(printable('ü 模型 👩‍🔬 é'), 'ü 模型 👩‍🔬 é', 'letters of any script stay, joined ones as well');
});

test('line feeds are kept where lines are allowed', () => {
  assert.equal(printableLines('a\u0007\n\tb\u202e\n'), 'a␇\n\tb\ufffd\n');
  assert.equal(oneLine(' a\n\u001bb\u202ec '), 'a b c');
});

test('JSON keeps its value', () => {
  const value = { 'a\u202e': ['\u001b', '\u200f', 'ü'] };
  const text = printableJson(value, 2);
  assert.deepEqual(JSON.parse(text), value);
  for (const character of ['\u202e', '\u001b', '\u200f']) assert.ok(!text.includes(character));
});
