import assert from 'node:assert/strict';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCheckpointCache, type MentionedPath } from '../../server/src/checkpoint/checkpointCache.ts';
import { folderWith } from '../cli/run.ts';

const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name);
const anywhere = (text: string): MentionedPath => ({ text, from: 'anywhere' });

test('a path has a summary after its file is read, and again after the file changes', async (t) => {
  const folder = await folderWith(t, {});
  const inSight = createCheckpointCache().visibleFrom([folder]);
  const read = () => inSight.read([anywhere('a.pt')]);
  const formats = () => inSight.checkpointsAt(anywhere('a.pt')).map(({ summary }) => summary.format);
  await copyFile(fixture('torch/cuda3.pth'), join(folder, 'a.pt'));
  assert.deepEqual(formats(), []);
  await read();
  assert.deepEqual(formats(), ['torch']);
  await writeFile(join(folder, 'a.pt'), '');
  assert.deepEqual(formats(), ['torch']);
  await read();
  assert.deepEqual(formats(), ['empty']);
  await rm(join(folder, 'a.pt'));
  await read();
  assert.deepEqual(formats(), []);
});

test('the cache keeps a summary of a file and the kind of model of a folder', async (t) => {
  const folder = await folderWith(t, {});
  await copyFile(fixture('torch/training.ckpt'), join(folder, 'training.ckpt'));
  const inSight = createCheckpointCache().visibleFrom([folder]);
  const at = (text: string) => inSight.checkpointsAt(anywhere(text))[0]?.summary;
  await inSight.read([anywhere('training.ckpt'), anywhere(fixture('tensorflow/exported'))]);
  assert.deepEqual(at('training.ckpt')?.tensors, {
    count: 27,
    // Batch normalization has the mean and the variance of two channels and a batch counter.
    parameters: 51,
    buffers: 5,
    training: { tensors: 18, parameters: 108, buffers: 0, bytes: 432 },
    average: { tensors: 0, parameters: 0, buffers: 0, bytes: 0 },
    bytes: 660,
    dtypes: ['float32', 'int64'],
  });
  assert.equal(at(fixture('tensorflow/exported'))?.format, 'saved-model');
});

test('a relative path may refer to a file in each folder, a path next to the program only to one', async (t) => {
  const folder = await folderWith(t, {});
  await mkdir(join(folder, 'src'));
  await copyFile(fixture('torch/cpu.pt'), join(folder, 'a.pt'));
  await copyFile(fixture('torch/cuda0.pt'), join(folder, 'src/a.pt'));
  const inSight = createCheckpointCache().visibleFrom([join(folder, 'src'), folder]);
  const devices = (path: MentionedPath) => inSight.checkpointsAt(path).map(({ summary }) => summary.devices);
  await inSight.read([anywhere('a.pt'), { text: 'a.pt', from: 'program' }]);
  assert.deepEqual(devices(anywhere('a.pt')), [['cuda:0'], ['cpu']]);
  assert.deepEqual(devices({ text: 'a.pt', from: 'program' }), [['cuda:0']]);
});

test('a path that names a server is not accessed', async (t) => {
  const folder = await folderWith(t, {});
  const file = join(folder, 'a.pt');
  await copyFile(fixture('torch/cpu.pt'), file);
  const inSight = createCheckpointCache().visibleFrom([folder]);
  // The first two would lead to the file here.
  const elsewhere = [`/${file}`, `//${file}`, '\\\\server\\share\\a.pt', '', 'a\0b'].map(anywhere);
  await inSight.read([...elsewhere, anywhere(file)]);
  for (const path of elsewhere) assert.deepEqual(inSight.checkpointsAt(path), [], path.text);
  assert.equal(inSight.checkpointsAt(anywhere(file)).length, 1);
});
