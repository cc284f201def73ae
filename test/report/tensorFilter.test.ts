/** The tensor filter of the editor and of `inspect --filter`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { tensorFilter } from '../../server/src/report/tensorFilter.ts';

const tensors: readonly Tensor[] = [
  { name: 'attn.q.weight', dtype: 'bfloat16', shape: [768, 768], bytes: 1, device: 'cuda:0' },
  { name: 'attn.q.bias', dtype: 'float32', shape: [768], bytes: 1, device: 'cpu' },
  { name: 'patch.weight', dtype: 'float32', shape: [768, 3, 16, 16], bytes: 1, device: 'cpu' },
  { name: 'dense/kernel:0', dtype: 'float16', shape: [3, 768], bytes: 1 },
  { name: 'step', dtype: 'int64', shape: [], bytes: 1 },
];
const found = (text: string) => tensors.filter(tensorFilter(text).passes).map(({ name }) => name);

test('a shape matches as a whole, with a star for any dimension', () => {
  assert.deepEqual(found('shape:768x768'), ['attn.q.weight']);
  assert.deepEqual(found('shape:768'), ['attn.q.bias']);
  assert.deepEqual(found('shape:*×768'), ['attn.q.weight', 'dense/kernel:0']);
  assert.deepEqual(found('shape:scalar'), ['step']);
  assert.deepEqual(found('shape:76'), []);
});

test('type, device and name terms match their own fields', () => {
  assert.deepEqual(found('dtype:float16'), ['attn.q.weight', 'dense/kernel:0']);
  assert.deepEqual(found('type:int device:cuda'), []);
  assert.deepEqual(found('device:cuda'), ['attn.q.weight']);
  assert.deepEqual(found('name:*.weight'), ['attn.q.weight', 'patch.weight']);
  assert.deepEqual(found('name:a*n.*.bias'), ['attn.q.bias']);
  assert.deepEqual(found('name:*attn'), []);
  assert.deepEqual(found('name:Q.'), ['attn.q.weight', 'attn.q.bias']);
});

test('all terms must match, and a colon within a name is not a field', () => {
  assert.deepEqual(found('attn dtype:float32'), ['attn.q.bias']);
  assert.deepEqual(found('kernel:0'), ['dense/kernel:0']);
  assert.deepEqual(
    found('shape:'),
    tensors.map(({ name }) => name),
  );
  assert.deepEqual(tensorFilter('attn name:q shape:768').words, ['attn', 'q']);
});
