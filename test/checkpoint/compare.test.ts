/** Comparison of two checkpoints' models. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Checkpoint, Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { compareCheckpoints, isSameModel } from '../../server/src/checkpoint/compare.ts';
import { comparedTexts, comparisonText, summaryOf } from '../../server/src/report/checkpointComparison.ts';

type Model = Readonly<Record<string, readonly [dtype: string, ...shape: number[]]>>;

function checkpointOf(model: Model): Checkpoint {
  const tensors = Object.entries(model).map(([name, [dtype, ...shape]]): Tensor => ({ name, dtype, shape, bytes: 4 }));
  return { format: 'torch', size: 1, tensors, imports: [], safety: { verdict: 'no-code', reason: '' }, problems: [] };
}

const MODEL: Model = { 'a.weight': ['float32', 3, 4], 'a.bias': ['float32', 3], 'b.weight': ['float32', 2, 3] };
const prefixed = (prefix: string, model: Model): Model =>
  Object.fromEntries(Object.entries(model).map(([name, tensor]) => [`${prefix}${name}`, tensor]));
const compare = (first: Model, second: Model) => compareCheckpoints(checkpointOf(first), checkpointOf(second));
const names = (tensors: readonly { name: string }[]) => tensors.map(({ name }) => name);

test('missing and unexpected tensors, shapes and types are distinguished', () => {
  const { 'a.bias': _, ...others } = MODEL;
  const comparison = compare(MODEL, {
    ...others,
    'a.weight': ['float16', 3, 4],
    'b.weight': ['float32', 5, 3],
    'c.weight': ['float32', 1],
  });
  assert.deepEqual(names(comparison.missing), ['a.bias']);
  assert.deepEqual(names(comparison.unexpected), ['c.weight']);
  assert.deepEqual(names(comparison.dtypes), ['a.weight']);
  assert.deepEqual(names(comparison.shapes), ['b.weight']);
  assert.equal(comparison.same, 0);
  assert.ok(!isSameModel(comparison));
  assert.equal(
    summaryOf(comparison),
    'Tensors: 1 missing, 1 unexpected, 1 with a different shape, 1 with a different type.',
  );
});

test('the same model is equal under the prefixes of wrappers and entries', () => {
  for (const prefix of ['', 'module.', 'state_dict.', 'state_dict.model._orig_mod.']) {
    const comparison = compare(MODEL, { ...prefixed(prefix, MODEL), 'optimizer.state.0.exp_avg': ['float32', 3] });
    assert.ok(isSameModel(comparison), prefix);
    assert.deepEqual(comparison.prefixes, ['', prefix]);
    assert.deepEqual(comparison.notCompared, [0, 1]);
  }
  assert.ok(isSameModel(compare(prefixed('module.', MODEL), prefixed('model.', MODEL))));
});

test('a model is found next to its averaged copy and other entries', () => {
  const comparison = compare(
    { ...prefixed('generator.', MODEL), ...prefixed('critic.', { x: ['float32', 9] }) },
    MODEL,
  );
  assert.deepEqual(comparison.prefixes, ['generator.', '']);
  assert.deepEqual(comparison.notCompared, [1, 0]);
  assert.ok(isSameModel(comparison));
});

test('models with nothing in common are completely missing and unexpected', () => {
  const comparison = compare(MODEL, { 'x.weight': ['float32', 1], 'x.bias': ['float32', 1] });
  assert.deepEqual(comparison.prefixes, ['', '']);
  assert.deepEqual([comparison.missing.length, comparison.unexpected.length], [3, 2]);
});

test('a shape with another number of dimensions is different', () => {
  assert.deepEqual(names(compare({ a: ['int8', 3], b: ['int8'] }, { a: ['int8', 3, 1], b: ['int8'] }).shapes), ['a']);
});

test('the comparison names the prefix and truncates long lists', () => {
  const many: Model = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x.${index}`, ['float32', 1]]));
  const plain = (_: unknown, text: string) => text;
  const text = comparisonText(
    ['a.pt', 'b.pt'],
    compare({ ...MODEL, ...many }, prefixed('module.', MODEL)),
    plain,
    false,
  );
  assert.match(text, /^a\.pt and b\.pt\n {2}Tensors: 50 missing, 3 the same\.\n/);
  assert.match(text, /compared without the prefix `module\.` of b\.pt\n/);
  assert.match(text, /\n {2}missing in b\.pt \(50\)\n {4}x\.0 +float32 +1\n/);
  assert.match(text, /and 10 more \(`--all`\)\n$/);
  const hostile = comparisonText(['a', 'b'], compare({ 'x\u001b[2J': ['f', 1], y: ['f'] }, { y: ['f'] }), plain, true);
  assert.ok(!hostile.includes('\u001b'));
});

test("an editor's two texts have one order, with added tensors in place", () => {
  const first = checkpointOf(MODEL);
  const second = checkpointOf({
    'module.b.weight': ['float32', 2, 3],
    'module.a.weight': ['float16', 3, 4],
    'module.a.scale': ['float32', 1],
    'module.a.bias': ['float32', 3],
  });
  const head =
    '# Tensors: 1 unexpected, 1 with a different type, 2 the same.\n# compared without the prefix `module.` of b.pt\n\n';
  assert.deepEqual(comparedTexts(['a.pt', 'b.pt'], [first, second], compareCheckpoints(first, second)), [
    `${head}a.weight  float32  3 × 4\na.bias  float32  3\nb.weight  float32  2 × 3\n`,
    `${head}a.weight  float16  3 × 4\na.scale  float32  1\na.bias  float32  3\nb.weight  float32  2 × 3\n`,
  ]);
});
