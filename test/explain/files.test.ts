/** Causes that the file itself confirms or rules out: real files with the error that names them. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { explainErrors } from '../../server/src/explain/explain.ts';
import type { Explanation } from '../../server/src/explain/explanation.ts';
import { gather } from '../../server/src/explain/gather.ts';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import type { StackFacts } from '../../server/src/stack/facts/facts.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { loadRecording, recordedMachine } from '../stack/recordedMachine.ts';

const FIXTURES = path.join(import.meta.dirname, '..', 'checkpoint', 'fixtures');
const MACHINES = path.join(import.meta.dirname, '..', 'stack', 'machines');

const folder = mkdtempSync(path.join(tmpdir(), 'gpu-doctor-files-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

async function explained(text: string, facts?: StackFacts): Promise<Explanation> {
  const paste = readPaste(text);
  const files = {
    readText: (file: string) => readFile(file, 'utf8').catch(() => undefined),
    readCheckpoint: (file: string) => readCheckpoint(file).catch(() => undefined),
  };
  const [first] = explainErrors(paste, await gather(paste, facts, files, folder));
  assert.ok(first, text);
  return first;
}

async function machine(name: string): Promise<StackFacts> {
  const recording = await loadRecording(path.join(MACHINES, name));
  const { interpreter, folders = [] } = recording;
  return readStack({ machine: recordedMachine(path.join(MACHINES, name), recording), interpreter, folders });
}

/** Writes a file into the program's folder. */
async function written(name: string, content: string | Buffer): Promise<string> {
  await writeFile(path.join(folder, name), content);
  return name;
}

const fixture = async (name: string, as: string) => written(as, await readFile(path.join(FIXTURES, name)));

/** A traceback whose failing line loads the file. */
const loading = (file: string, error: string) => `Traceback (most recent call last):
  File "train.py", line 3, in <module>
    weights = torch.load("${file}")
  File "/usr/lib/python3.11/site-packages/torch/serialization.py", line 1040, in load
    return _legacy_load(opened_file, map_location, pickle_module, **pickle_load_args)
${error}
`;

const KEY = "_pickle.UnpicklingError: invalid load key, 'v'.";
const SMALL = 'RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory';
const OPERAND = '_pickle.UnpicklingError: Weights only load failed. WeightsUnpickler error: Unsupported operand 60';
const PERSISTENT =
  'UnpicklingError: A load persistent id instruction was encountered,\nbut no persistent_load function was specified.';
const SIGNATURE = 'OSError: Unable to open file (file signature not found)';
const GLOBAL =
  '_pickle.UnpicklingError: Weights only load failed.\n\tWeightsUnpickler error: Unsupported global: GLOBAL train.Net was not an allowed global by default.';
const POINTER =
  'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n';

test('a Git LFS pointer confirms itself, with the size that was read', async () => {
  const first = await explained(loading(await written('model.pt', POINTER), SMALL));
  assert.equal(first.causes[0]?.id, 'pointer-instead-of-file');
  assert.equal(first.causes[0]?.standing, 'confirmed');
  assert.match(first.causes[0].evidence.join(), /model\.pt is a Git LFS pointer and has 1\d\d bytes/);
  assert.match(first.remedies[0]?.command ?? '', /git lfs pull/);
});

test('a complete checkpoint rules out a pointer and a web page', async () => {
  const first = await explained(loading(await fixture('torch/cpu.pt', 'whole.pt'), OPERAND));
  const ids = first.causes.map(({ id }) => id);
  assert.ok(!ids.includes('pointer-instead-of-file') && !ids.includes('web-page-instead-of-file'), ids.join());
});

test('a web page with the name of a checkpoint confirms itself', async () => {
  const first = await explained(
    loading(await written('page.pth', '<!DOCTYPE html>\n<html><body>Quota</body></html>\n'), OPERAND),
  );
  assert.equal(first.causes[0]?.id, 'web-page-instead-of-file');
  assert.equal(first.causes[0]?.standing, 'confirmed');
});

test('an empty file and a truncated one are damaged', async () => {
  const whole = await readFile(path.join(FIXTURES, 'torch/cpu.pt'));
  const damaged = await written('cut.pt', whole.subarray(0, whole.length / 2));
  for (const name of [await written('empty.pt', ''), damaged]) {
    const first = await explained(loading(name, SMALL));
    const cause = first.causes.find(({ id }) => id === 'damaged-file');
    assert.equal(cause?.standing, 'confirmed', `${name}: ${JSON.stringify(first.causes)}`);
  }
});

test('a complete file is not called damaged, nor is one that needs trust', async () => {
  for (const name of ['torch/cpu.pt', 'torch/whole_own.pt']) {
    const first = await explained(loading(await fixture(name, 'sound.pt'), SMALL));
    assert.notEqual(first.causes.find(({ id }) => id === 'damaged-file')?.standing, 'confirmed', name);
  }
});

test('a torch.save file that pickle reads is recognized', async () => {
  const name = await fixture('recent/legacy.pt', 'legacy.pt');
  const first = await explained(
    loading(name, PERSISTENT).replace('torch.load("legacy.pt")', 'pickle.load(open("legacy.pt", "rb"))'),
  );
  const cause = first.causes.find(({ id }) => id === 'torch-file');
  assert.equal(cause?.standing, 'confirmed', JSON.stringify(first.causes));
  assert.match(cause.evidence.join(), /legacy\.pt is a PyTorch checkpoint/);
});

test('a Keras 3 model with the suffix .h5 is distinguished from a damaged one', async () => {
  const first = await explained(
    `    model = keras.models.load_model("model.h5")\n${SIGNATURE}`.replace(
      'model.h5',
      await fixture('keras/plain.keras', 'archive.h5'),
    ),
  );
  assert.equal(first.causes[0]?.id, 'keras-zip-under-h5');
  assert.equal(first.causes[0]?.standing, 'confirmed');
});

test('objects in a checkpoint confirm that it contains more than weights; a plain one does not', async () => {
  const more = await explained(loading(await fixture('recent/whole.pt', 'more.pt'), GLOBAL));
  assert.equal(more.causes[0]?.standing, 'confirmed', JSON.stringify(more.causes));
  assert.match(more.causes[0].evidence.join(), /more\.pt names /);
});

const MISSING =
  'RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False.';

test("the devices in the file are compared with the machine's GPUs", async () => {
  const name = await fixture('torch/cuda3.pth', 'cuda3.pth');
  const here = await explained(loading(name, MISSING), await machine('rtx3090-cu124'));
  const cause = here.causes.find(({ id }) => id === 'no-map-location');
  assert.equal(cause?.standing, 'confirmed');
  assert.match(cause.evidence.join(' '), /cuda3\.pth contains tensors that were saved on cuda:3, and /);
});

test('nothing is said about a missing file', async () => {
  const first = await explained(loading('absent.pt', KEY));
  assert.ok(
    first.causes.every(({ evidence }) => !evidence.join().includes('absent.pt')),
    JSON.stringify(first.causes),
  );
});

test('a device that the program chose lines before is the cause, and its choice the fix', async () => {
  const failed = loading('best.pt', MISSING).replace('torch.load("best.pt")', 'torch.load("best.pt", map_location=d)');
  await written('train.py', 'import torch\nd = "cuda"\nweights = torch.load("best.pt", map_location=d)\n');
  const { causes, remedies } = await explained(failed, await machine('laptop-without-gpu'));
  assert.equal(causes[0]?.id, 'map-location-names-cuda');
  assert.equal(causes[0].standing, 'confirmed');
  assert.equal(remedies[0]?.code, 'd = "cuda" if torch.cuda.is_available() else "cpu"');
});

test('without the line that loads, its map_location stays unknown', async () => {
  const here = await explained(MISSING, await machine('laptop-without-gpu'));
  assert.ok(here.causes.every(({ text }) => !text.includes('map_location')));
  assert.equal(here.remedies[0]?.title, 'Load it onto the CPU, or onto your chosen device');
  const { causes, questions } = await explained(MISSING);
  assert.deepEqual([causes[0]?.id, causes[0]?.standing], ['no-map-location', 'possible']);
  assert.equal(questions[0]?.cause, 'no-map-location');
});

test('with the program at hand the fix is an edit of its line', async () => {
  const name = await fixture('torch/cuda3.pth', 'best.pth');
  await written('train.py', `import torch\n\nweights = torch.load("${name}")\n`);
  const first = await explained(loading(name, MISSING));
  const [remedy] = first.remedies;
  assert.equal(remedy?.code, 'weights = torch.load("best.pth", map_location="cpu")');
  assert.equal(remedy.edit?.filename, path.join(folder, 'train.py'));
  assert.deepEqual(remedy.edit.edits, [
    {
      cell: null,
      location: { row: 3, column: 32 },
      end_location: { row: 3, column: 32 },
      content: ', map_location="cpu"',
    },
  ]);
});
