import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endingOf, shortened, visible } from '../../../client/webview/text.ts';

test('what cannot be seen, or turns the direction of writing, is written out', () => {
  assert.equal(visible('a\u202egnp.exe'), 'a\\u202egnp.exe');
  assert.equal(visible('a\u0000b\u001b[31m\nc'), 'a\\u0000b\\u001b[31m\\u000ac');
  assert.equal(visible('zero\u200bwidth\u2028\ufeff\ud800'), 'zero\\u200bwidth\\u2028\\ufeff\\ud800');
  assert.equal(visible('\u{e0041}'), '\\u{e0041}');
});

test('names of every language are left as they are', () => {
  for (const name of ['модель.вес', 'モデル.重み', 'שכבה.משקל', 'poids_é', '😀', '<b>&amp;</b>'])
    assert.equal(visible(name), name);
});

test('a name of a million characters is cut', () => {
  assert.ok(shortened('x'.repeat(1_000_000)).length < 400);
  assert.equal(shortened('model.weight'), 'model.weight');
});

test('the end of a name is its last parts, as far as they are short', () => {
  const ending = (name: string) => name.slice(endingOf(name));
  assert.equal(ending('model.blocks.6249.mlp.down.weight'), 'mlp.down.weight');
  assert.equal(ending('model.a_parameter_with_a_long_name'), 'a_parameter_with_a_long_name');
  assert.equal(ending('weight'), 'weight');
  assert.equal(ending('a.b'), 'b');
  assert.equal(ending('...'), '..');
  assert.equal(ending('x.'.repeat(50)), 'x.'.repeat(8));
});
