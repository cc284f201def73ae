import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyOf } from '../../server/src/published/releases/packageNames.ts';

test('the releases that added and removed a name', () => {
  assert.deepEqual(historyOf('huggingface_hub', 'cached_download'), { came: undefined, left: '0.26' });
  assert.deepEqual(historyOf('torch', 'compile'), { came: '2.0', left: undefined });
  assert.deepEqual(historyOf('torch.serialization', 'add_safe_globals'), { came: '2.4', left: undefined });
  assert.deepEqual(historyOf('peft', 'prepare_model_for_int8_training'), { came: '0.2', left: '0.10' });
});

test("a model's classes were added with its folder", () => {
  assert.equal(historyOf('transformers', 'Qwen2_5_VLForConditionalGeneration')?.came, '4.49');
  assert.equal(historyOf('transformers', 'Qwen2VLProcessor')?.came, '4.45');
  assert.equal(historyOf('transformers', 'models.qwen2_vl')?.came, '4.45');
  // A name that only starts like a model's is another name.
  assert.equal(historyOf('transformers', 'LlamaSomethingElse'), undefined);
});

test('names that always or never existed, and those of other packages, have no history', () => {
  assert.equal(historyOf('torch', 'add'), undefined);
  assert.equal(historyOf('torch', 'no_such_name'), undefined);
  assert.equal(historyOf('flask', 'Flask'), undefined);
  assert.equal(historyOf('as_of', 'length'), undefined);
});
