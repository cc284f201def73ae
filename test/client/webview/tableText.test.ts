import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeIn, withType } from '../../../client/webview/filter.ts';
import { tableText } from '../../../client/webview/tableText.ts';
import { tensor } from './tensors.ts';

test('tensors are copied as a table, a line each, whatever is in their names', () => {
  const tensors = [
    tensor('a.weight', { shape: [3, 4], dtype: 'float16', bytes: 24, device: 'cuda:1' }),
    tensor('tab\there\nand line', { shape: [], dtype: 'int64', bytes: 8 }),
  ];
  assert.equal(
    tableText(tensors),
    'Name\tType\tShape\tSaved on\tElements\tBytes\n' +
      'a.weight\tfloat16\t3 × 4\tcuda:1\t12\t24\n' +
      'tab\\u0009here\\u000aand line\tint64\tscalar\tcpu\t1\t8\n',
  );
});

test('a chosen type is a term of the filter, which stays as it is otherwise', () => {
  assert.equal(withType('attn  shape:3x4', 'float16'), 'attn shape:3x4 dtype:float16');
  assert.equal(withType('type:int8 attn', 'float16'), 'attn dtype:float16');
  assert.equal(withType('attn dtype:float16', ''), 'attn');
  assert.equal(typeIn('attn dtype:Float16', ['float32', 'float16']), 'float16');
  assert.equal(typeIn('dtype:float', ['float32', 'float16']), '', 'a part of a type is no choice');
  assert.equal(typeIn('float16', ['float16']), '');
});
