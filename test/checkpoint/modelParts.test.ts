/** The separation of a model from its optimizer and its averaged copy, and the prefix of its names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { countParameters, partsIn, totalOf } from '../../server/src/checkpoint/modelParts.ts';
import { prefixOf } from '../../server/src/checkpoint/prefixes.ts';

const tensor = (name: string, shape: readonly number[] = [10]): Tensor => ({
  name,
  dtype: 'float32',
  shape,
  bytes: 40,
});
const named = (names: readonly string[]) => names.map((name) => tensor(name));
const countsOf = (names: readonly string[]) => {
  const { model, average, training, values } = partsIn(named(names));
  return [model, average, training, values].map(({ length }) => length);
};

test("an optimizer's state is recognized by PyTorch's names in it, under any entry", () => {
  assert.deepEqual(
    countsOf(['generator.0.weight', 'optD.state.0.exp_avg', 'sgd.state.3.momentum_buffer']),
    [1, 0, 2, 0],
  );
  assert.deepEqual(countsOf(['optimizer_G.state.0.custom', 'model.w']), [1, 0, 1, 0]);
  assert.deepEqual(countsOf(['model.state.0.weight', 'opt.decoder.weight']), [2, 0, 0, 0], 'layers of a model');
});

test('an averaged copy is separate from the model, or is the model if there is no other', () => {
  assert.deepEqual(countsOf(['model.w', 'ema.w', 'model_ema.w', 'ema_state_dict.w']), [1, 3, 0, 0]);
  assert.deepEqual(countsOf(['ema.w', 'ema.b']), [2, 0, 0, 0]);
  assert.deepEqual(countsOf(['schema.weight', 'ematch.w']), [2, 0, 0, 0]);
});

test('single numbers next to an entry are values, those of a bare model are parameters', () => {
  const scalar = tensor('best_accuracy', []);
  assert.deepEqual(partsIn([...named(['model.a', 'model.b']), scalar]).values, [scalar]);
  const clip = [...named(['visual.w', 'transformer.w']), tensor('logit_scale', [])];
  assert.equal(countParameters(clip), 21);
});

test('buffers are not parameters', () => {
  const tensors = [...named(['bn.weight', 'bn.running_mean', 'rotary.inv_freq']), tensor('bn.num_batches_tracked', [])];
  assert.deepEqual(totalOf(tensors), { tensors: 4, parameters: 10, buffers: 21, bytes: 160 });
  assert.equal(countParameters(tensors), 10);
});

const prefixIn = (
  names: readonly string[],
  metadata: readonly string[] = [],
  format: 'torch' | 'safetensors' = 'torch',
) => {
  const entries = metadata.map((name) => ({ name, value: 1 }));
  const found = prefixOf({ tensors: named(names), metadata: entries, format });
  return found && [found.within, found.prefix, found.from.length];
};

test('prefixes of wrappers are named with their entry', () => {
  assert.deepEqual(prefixIn(['module.a.w', 'module.b.w']), ['', 'module.', 1]);
  assert.deepEqual(prefixIn(['state_dict.model._orig_mod.a.w', 'state_dict.model._orig_mod.b.w']), [
    'state_dict.',
    'model._orig_mod.',
    2,
  ]);
  assert.deepEqual(prefixIn(['model.module.a', 'model.module.b', 'optimizer.state.0.step']), ['model.', 'module.', 1]);
  assert.deepEqual(prefixIn(['model.a', 'model.b'], ['format'], 'safetensors'), ['', 'model.', 1]);
});

test('an entry is not a prefix, and neither is a part that only some names have', () => {
  assert.equal(prefixIn(['model.a', 'model.b'], ['epoch']), undefined);
  assert.equal(prefixIn(['model.a', 'model.b', 'optimizer.state.0.step']), undefined);
  assert.equal(prefixIn(['model.a', 'lm_head.weight']), undefined);
  assert.equal(prefixIn(['encoder.a', 'encoder.b']), undefined);
  assert.equal(prefixIn(['module.a']), undefined, 'one tensor says nothing');
});
