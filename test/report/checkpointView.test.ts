import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { judgementOf, viewOf } from '../../server/src/report/checkpointView.ts';
import { columnsOf, tensorsIn } from '../../server/src/report/tensorColumns.ts';

const fixtures = join(import.meta.dirname, '../checkpoint/fixtures');
const view = async (file: string) => viewOf(await readCheckpoint(join(fixtures, file)));

test('the facts of a checkpoint are shown as sentences', async () => {
  const { facts, safety, problems } = await view('torch/two_gpus.pt');
  assert.deepEqual(
    facts.map(({ label }) => label),
    ['Format', 'Written by', 'Saved on', 'Tensors', 'Parameters', 'Types', 'Size'],
  );
  assert.match(facts.find(({ label }) => label === 'Saved on')?.value ?? '', /^cuda:\d(, cuda:\d)* and cuda:\d$/);
  assert.equal(safety?.tone, 'good');
  assert.deepEqual(problems, []);
});

test('imports are grouped with their meaning, worst first', async () => {
  const { imports, safety } = await view('torch/whole_own.pt');
  assert.equal(safety?.tone, 'warning');
  assert.equal(imports[0]?.standing, 'unknown');
  assert.equal(imports.at(-1)?.standing, 'allowed');
  for (const { meaning, names } of imports) assert.ok(meaning !== '' && names.length > 0);
});

test("Keras's own classes are not described as on PyTorch's list", async () => {
  const { imports } = await view('keras/plain.keras');
  assert.deepEqual(
    imports.map(({ standing, meaning }) => [standing, meaning]),
    [['allowed', "Keras's own"]],
  );
});

test('a file that is not a checkpoint is neither safe nor loadable', async () => {
  const { safety, loadable, problems } = await view('make_torch.py');
  assert.equal(safety, undefined);
  assert.equal(loadable, undefined);
  assert.equal(problems.length, 1);
  assert.match(problems[0] ?? '', /^It is text, not a checkpoint\.$/);
});

test('a reason in the safety verdict is not repeated as a problem', async () => {
  const { safety, problems } = await view('torch/whole_own.pt');
  assert.deepEqual(problems, []);
  assert.match(safety?.sentences[0] ?? '', /it imports `__main__\.Net` \(GLOBAL at byte \d+\)/);
});

test('every outlook has a headline, with a call and without one', () => {
  for (const outlook of ['loads', 'fails', 'runs-code', 'unknown'] as const)
    for (const call of ['torch.load(path)', undefined]) {
      const { headline, sentences } = judgementOf({ outlook, call, because: ['A.'], remedies: ['B.'] });
      assert.match(headline, /^[`A-Z]/);
      assert.deepEqual(sentences, ['A.', 'B.']);
    }
});

test('tensors survive conversion to columns and back', () => {
  const tensors: Tensor[] = [
    { name: 'a.weight', dtype: 'float32', shape: [2, 3], device: 'cuda:1', bytes: 24 },
    { name: '', dtype: 'int64', shape: [], device: undefined, bytes: 8 },
    { name: 'b\n', dtype: 'float32', shape: [0], device: 'cpu', bytes: 0 },
  ];
  assert.deepEqual(tensorsIn(columnsOf(tensors)), tensors);
  assert.deepEqual(tensorsIn(columnsOf([])), []);
});
