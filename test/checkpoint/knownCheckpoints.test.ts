import assert from 'node:assert/strict';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type AskedPath, createKnownCheckpoints } from '../../server/src/checkpoint/knownCheckpoints.ts';
import { folderWith } from '../cli/run.ts';

const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name);
const anywhere = (text: string): AskedPath => ({ text, from: 'anywhere' });

test('a question is answered once the files are read, and anew when one changes', async (t) => {
  const folder = await folderWith(t, {});
  const inSight = createKnownCheckpoints().seenFrom([folder]);
  const formats = () => inSight.checkpointsAt(anywhere('a.pt')).map(({ summary }) => summary.format);
  await copyFile(fixture('torch/cuda3.pth'), join(folder, 'a.pt'));
  assert.deepEqual(formats(), []);
  await inSight.read();
  assert.equal(inSight.isOutdated(), true);
  assert.deepEqual(formats(), ['torch']);
  assert.equal(inSight.isOutdated(), false);
  await writeFile(join(folder, 'a.pt'), '');
  await inSight.read();
  assert.equal(inSight.isOutdated(), true);
  assert.deepEqual(formats(), ['empty']);
  await rm(join(folder, 'a.pt'));
  await inSight.read();
  assert.deepEqual(formats(), []);
});

test('what is kept of a file is its summary, and of a folder what kind of model it is', async (t) => {
  const folder = await folderWith(t, {});
  await copyFile(fixture('torch/training.ckpt'), join(folder, 'training.ckpt'));
  const inSight = createKnownCheckpoints().seenFrom([folder]);
  const at = (text: string) => inSight.checkpointsAt(anywhere(text))[0]?.summary;
  at('training.ckpt');
  at(fixture('tensorflow/exported'));
  await inSight.read();
  assert.deepEqual(at('training.ckpt')?.tensors, {
    count: 27,
    parameters: 56,
    training: { count: 18, bytes: 432 },
    bytes: 660,
    dtypes: ['float32', 'int64'],
  });
  assert.equal(at(fixture('tensorflow/exported'))?.format, 'saved-model');
});

test('a relative path may mean a file in each folder, one beside the program only one', async (t) => {
  const folder = await folderWith(t, {});
  await mkdir(join(folder, 'src'));
  await copyFile(fixture('torch/cpu.pt'), join(folder, 'a.pt'));
  await copyFile(fixture('torch/cuda0.pt'), join(folder, 'src/a.pt'));
  const inSight = createKnownCheckpoints().seenFrom([join(folder, 'src'), folder]);
  const devices = (path: AskedPath) => inSight.checkpointsAt(path).map(({ summary }) => summary.devices);
  for (let round = 0; round < 2; round++) {
    devices(anywhere('a.pt'));
    devices({ text: 'a.pt', from: 'program' });
    await inSight.read();
  }
  assert.deepEqual(devices(anywhere('a.pt')), [['cuda:0'], ['cpu']]);
  assert.deepEqual(devices({ text: 'a.pt', from: 'program' }), [['cuda:0']]);
});

test('a path that names a server is not looked at', async () => {
  const inSight = createKnownCheckpoints().seenFrom(['/']);
  for (const text of ['//server/share/a.pt', '\\\\server\\share\\a.pt', '', 'a\0b']) {
    assert.deepEqual(inSight.checkpointsAt(anywhere(text)), []);
    await inSight.read();
    assert.equal(inSight.isOutdated(), false);
  }
});
