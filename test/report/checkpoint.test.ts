/** The text report of `inspect`: the amount of detail. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Checkpoint, Entry, Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { checkpointText } from '../../server/src/report/checkpoint.ts';
import { entryText, metadataAtAGlance } from '../../server/src/report/checkpointMetadata.ts';

const fixture = (name: string) => readCheckpoint(join(import.meta.dirname, '../checkpoint/fixtures', name));
const shown = (checkpoint: Checkpoint, extent: { all?: boolean; metadata?: boolean } = {}) =>
  checkpointText('a', checkpoint, (_, text) => text, { all: false, metadata: false, ...extent });

function withTensors(names: readonly string[]): Checkpoint {
  const tensors = names.map((name): Tensor => ({ name, dtype: 'float32', shape: [], bytes: 4 }));
  const safety = { verdict: 'no-code', reason: 'None.' } as const;
  return { format: 'safetensors', size: 1, tensors, imports: [], safety, problems: [] };
}

test('a long table is truncated unless all of it is requested', () => {
  const long = withTensors(Array.from({ length: 1234 }, (_, index) => `layer.${index}`));
  const lines = shown(long).trimEnd().split('\n');
  assert.equal(lines.at(-1), '  and 1,194 more (`--all`)');
  assert.equal(lines.filter((line) => line.includes('layer.')).length, 40);
  assert.match(shown(long, { all: true }), /layer\.1233 .*\n$/);
  assert.doesNotMatch(shown(withTensors(['a'])), /more/);
});

test('the model is separate from its optimizer, which takes one line', async () => {
  const file = await fixture('torch/training.ckpt');
  assert.match(shown(file), /\n {2}tensors {5}9 of float32, int64: 56 elements, 228 bytes\n/);
  assert.match(shown(file), /\n {2}optimizer {3}18 tensors, 432 bytes\n/);
  assert.doesNotMatch(shown(file), /exp_avg/);
  assert.match(shown(file, { all: true }), /exp_avg/);
  assert.match(shown(withTensors(['state.0.exp_avg'])), /\n {2}state\.0\.exp_avg /, 'where nothing else is');
});

test('one element is singular', () => {
  assert.match(shown(withTensors(['a'])), /1 of float32: 1 element, 4 bytes/);
  assert.match(shown(withTensors(['a', 'b'])), /2 of float32: 2 elements, 8 bytes/);
});

test('says whether a Keras file is a model or only weights', async () => {
  assert.match(shown(await fixture('keras/model.h5')), /format {6}Keras model, in an HDF5 file, /);
  assert.match(shown(await fixture('keras/model.weights.h5')), /format {6}weights of a Keras model, in an HDF5 file, /);
  assert.match(shown(await fixture('tensorflow/keras2')), /format {6}Keras model, in a TensorFlow SavedModel, /);
  assert.match(shown(await fixture('keras/plain.keras')), /format {6}Keras model, /);
});

test('other contents are summarized or listed as a table', async () => {
  const file = await fixture('torch/lightning.ckpt');
  assert.match(shown(file), /metadata {4}epoch 1, pytorch-lightning_version 2\.6\.6, hyper_parameters\.lr 0\.1\n/);
  const table = shown(file, { metadata: true });
  assert.match(table, /\n {2}metadata {19}value\n {2}epoch {22}1\n/);
  assert.doesNotMatch(table, /epoch 1,/);
});

test('the summary starts with short, outermost values', () => {
  const entries: Entry[] = [
    { name: 'a.b', value: 1 },
    { name: 'list', value: [1] },
    { name: 'long', value: 'x'.repeat(100) },
    { name: 'epoch', value: 2 },
  ];
  assert.equal(metadataAtAGlance(entries), 'epoch 2, a.b 1, and 2 more');
  assert.equal(metadataAtAGlance(entries.slice(1, 2)), '1 entry');
  assert.equal(metadataAtAGlance([]), undefined);
});

test('a value takes one line, with its length if truncated', () => {
  const text = (value: Entry['value'], length?: number) => entryText({ name: '', value, length });
  assert.equal(text([1, 'a', null], 32_000), '[1, "a", none, … 32,000 items]');
  assert.equal(text('a\n b', 12_345), 'a b… 12,345 characters');
  assert.equal(text(Math.fround(0.001)), '0.001');
  assert.equal(text(0.1), '0.1');
  assert.equal(text(null), 'none');
});

test("a file's text cannot control the terminal", () => {
  const file = { ...withTensors(['a\u001b[2J']), metadata: [{ name: 'b\u202e', value: '\u0007' }] };
  const text = shown(file, { metadata: true });
  for (const character of ['\u001b', '\u202e', '\u0007']) assert.ok(!text.includes(character));
});
