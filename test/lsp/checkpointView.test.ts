import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type CheckpointAnswer,
  COMPARE_CHECKPOINTS,
  type ComparisonAnswer,
  JUDGE_CHECKPOINT,
  type JudgementView,
  READ_CHECKPOINT,
  type StackScope,
  WATCH_STACK,
} from '../../server/src/protocol.ts';
import { tensorsIn } from '../../server/src/report/tensorColumns.ts';
import { startClient } from './client.ts';

const fixtures = join(import.meta.dirname, '../checkpoint/fixtures');

test('describes a checkpoint, and judges whether it loads here', { timeout: 180_000 }, async (t) => {
  const { connection } = await startClient(t, { env: { PATH: '/nonexistent', VIRTUAL_ENV: '', CONDA_PREFIX: '' } });
  const { view }: CheckpointAnswer = await connection.sendRequest(READ_CHECKPOINT, join(fixtures, 'torch/cuda3.pth'));
  assert.ok(view);
  assert.deepEqual(
    view.facts.find(({ label }) => label === 'Saved on'),
    { label: 'Saved on', value: 'cuda:3' },
  );
  assert.equal(view.safety?.tone, 'good');
  assert.equal(tensorsIn(view.tensors)[0]?.device, 'cuda:3');

  const scope: StackScope = { folders: [], trusted: true };
  await connection.sendNotification(WATCH_STACK, scope);
  const judgement: JudgementView = await connection.sendRequest(JUDGE_CHECKPOINT, view.loadable);
  assert.equal(judgement.headline, '`torch.load(path)` fails');
  assert.match(
    judgement.sentences.join(' '),
    /^The file contains tensors saved on `cuda:3`, and this machine .*`map_location="cpu"`/,
  );
});

test('says in a sentence why a file cannot be read', { timeout: 180_000 }, async (t) => {
  const { connection } = await startClient(t);
  const answer: CheckpointAnswer = await connection.sendRequest(READ_CHECKPOINT, join(fixtures, 'gone.pt'));
  assert.deepEqual(answer, { trouble: 'The file does not exist.' });
});

test('compares two checkpoints as texts, and says in a sentence why it cannot', { timeout: 180_000 }, async (t) => {
  const { connection } = await startClient(t);
  const compare = (...names: readonly [string, string]): Promise<ComparisonAnswer> =>
    connection.sendRequest(COMPARE_CHECKPOINTS, { paths: names.map((name) => join(fixtures, name)) });
  const { texts } = await compare('torch/cpu.pt', 'torch/training.ckpt');
  assert.ok(texts);
  const [first, second] = texts;
  assert.match(first, /^# The models have the same tensors \(9\), shapes and types\. Values are not compared\.\n/);
  assert.match(first, /\n# compared without the prefix `model\.` of training\.ckpt\n/);
  assert.match(first, /\n\nfeatures\.0\.weight {2}float32 {2}2 × 1 × 3 × 3\n/);
  assert.equal(second, first, 'an editor of differences shows none');
  assert.deepEqual(await compare('torch/cpu.pt', 'gone.pt'), { trouble: '`gone.pt` does not exist.' });
  assert.match(
    (await compare('make_torch.py', 'torch/cpu.pt')).trouble ?? '',
    /^`make_torch\.py` has no tensors to compare\. /,
  );
});
