import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { judgeCheckpoint } from '../../server/src/loading/checkpointHere.ts';
import { backendOf, type Here, missingDevices } from '../../server/src/loading/here.ts';
import type { CheckpointHere, Loadable } from '../../server/src/loading/outlook.ts';
import { isRelatedPackage } from '../../server/src/stack/readers/packages.ts';

const fixtures = join(import.meta.dirname, '../checkpoint/fixtures');

const WITHOUT_GPU: Here = {
  devices: {
    cuda: { count: 0, because: 'torch 2.9.0+cpu is built without CUDA' },
    mps: { count: 0, because: 'this machine is not a Mac' },
  },
  torch: '2.9.0+cpu',
  keras: '3.15.1',
};
const ONE_GPU: Here = { ...WITHOUT_GPU, devices: { cuda: { count: 1, because: 'this machine has 1 GPU' } } };
const OLD_TORCH: Here = { ...ONE_GPU, torch: '1.13.1+cu117' };
const NOTHING_KNOWN: Here = { devices: {} };

async function judge(file: string, here: Here): Promise<CheckpointHere> {
  return judgeCheckpoint(await readCheckpoint(join(fixtures, file)), here);
}

const OUTLOOKS: readonly [file: string, withoutGpu: string, oneGpu: string, oldTorch: string, unknown: string][] = [
  ['torch/cpu.pt', 'loads', 'loads', 'loads', 'loads'],
  ['torch/cuda0.pt', 'fails', 'loads', 'loads', 'unknown'],
  ['torch/cuda3.pth', 'fails', 'fails', 'fails', 'unknown'],
  ['torch/legacy_cuda1.pt', 'fails', 'fails', 'fails', 'unknown'],
  ['torch/mps.pt', 'fails', 'unknown', 'unknown', 'unknown'],
  ['torch/whole_linear.pt', 'fails', 'fails', 'runs-code', 'unknown'],
  ['torch/whole_own.pt', 'fails', 'fails', 'runs-code', 'unknown'],
  ['torch/tar.pt', 'unknown', 'unknown', 'unknown', 'unknown'],
  ['torch/scripted.pt', 'loads', 'loads', 'loads', 'loads'],
  ['torch/plain_cuda.pkl', 'fails', 'loads', 'loads', 'unknown'],
  ['others/kinds.safetensors', 'loads', 'loads', 'loads', 'loads'],
  ['others/tiny.gguf', 'loads', 'loads', 'loads', 'loads'],
  ['keras/plain.keras', 'loads', 'loads', 'loads', 'unknown'],
];

for (const [file, ...expected] of OUTLOOKS)
  test(`outlook for ${file}`, async () => {
    const outlooks: string[] = [];
    for (const here of [WITHOUT_GPU, ONE_GPU, OLD_TORCH, NOTHING_KNOWN])
      outlooks.push((await judge(file, here)).outlook);
    assert.deepEqual(outlooks, expected);
  });

test('the ZIP format fails in an older torch', async () => {
  const { outlook, because } = await judge('torch/cpu.pt', { devices: {}, torch: '1.5.1' });
  assert.equal(outlook, 'fails');
  assert.deepEqual(because, ['The file is in the ZIP format of torch 1.6 and newer, which torch 1.5.1 does not read.']);
  assert.equal(
    (await judge('torch/legacy_cuda1.pt', { ...ONE_GPU, torch: '1.5.1' })).because.join().includes('ZIP'),
    false,
  );
});

test('an ONNX model fails if the runtime is missing or too old, or if its weights are missing', async () => {
  const judgeUnder = (onnxruntime: string | null) =>
    judge('programs/external/model.onnx', { devices: {}, onnxruntime });
  assert.equal((await judgeUnder('1.18.0')).outlook, 'unknown');
  assert.equal((await judgeUnder('9.0')).outlook, 'unknown');
  assert.equal((await judgeUnder(null)).outlook, 'fails');
  const { call, because } = await judgeUnder('1.17.3');
  assert.equal(call, 'onnxruntime.InferenceSession(path)');
  assert.deepEqual(because, ['Its IR version is 10, but ONNX Runtime 1.17.3 reads at most 9.']);
});

test('names missing devices, the reason and the remedy', async () => {
  const { call, because, remedies } = await judge('torch/cuda3.pth', ONE_GPU);
  assert.equal(call, 'torch.load(path)');
  assert.deepEqual(because, ['The file contains tensors saved on `cuda:3`, and this machine has 1 GPU.']);
  assert.deepEqual(remedies, ['With `map_location="cpu"`, it loads into RAM on any machine.']);
});

test('only missing devices are named, together if they share a reason', () => {
  const missing = missingDevices(['cpu', 'cuda:0', 'cuda:1', 'cuda:3', 'npu:0'], ONE_GPU);
  assert.deepEqual(missing, [{ devices: ['cuda:1', 'cuda:3'], count: 1, because: 'this machine has 1 GPU' }]);
  assert.deepEqual(missingDevices(['cpu', 'meta', 'cuda:0', 'xpu:2'], ONE_GPU), []);
});

test('a file that is cut off fails regardless of its devices', () => {
  const problems = ['The file is cut off: 8 bytes of its tensors are missing.'];
  const file: Loadable = { format: 'torch', devices: ['cpu'], imports: [], opcodes: [], safety: SAFE, problems };
  assert.deepEqual(judgeCheckpoint(file, ONE_GPU).because, problems);
});

test('an HDF5 file that Keras did not write is not judged by the installed Keras', () => {
  const file: Loadable = { format: 'hdf5', imports: [], safety: SAFE, problems: [] };
  const withoutKeras = { ...ONE_GPU, keras: null };
  assert.equal(judgeCheckpoint(file, withoutKeras).outlook, 'unknown');
  assert.equal(judgeCheckpoint({ ...file, writtenBy: 'Keras 2.15.0' }, withoutKeras).outlook, 'fails');
});

test('weights without a model have their own call', () => {
  const file: Loadable = {
    format: 'keras',
    holds: 'weights',
    writtenBy: 'Keras 3.15.1',
    imports: [],
    safety: SAFE,
    problems: [],
  };
  assert.equal(judgeCheckpoint(file, ONE_GPU).call, 'model.load_weights(path)');
});

test('NumPy files load unless they contain Python objects', async () => {
  const withNumpy: Here = { devices: {}, packages: ['numpy'] };
  const outlookOf = async (file: string, here = withNumpy) => (await judge(file, here)).outlook;
  assert.equal(await outlookOf('arrays/weight.npy'), 'loads');
  assert.equal(await outlookOf('arrays/kinds.npz'), 'loads');
  assert.equal(await outlookOf('arrays/weight.npy', { devices: {}, packages: [] }), 'fails');
  assert.equal(await outlookOf('arrays/packed.npz'), 'unknown', 'an array of objects among others');
  const objects: Loadable = { format: 'numpy', imports: [], safety: { ...SAFE, verdict: 'refused' }, problems: [] };
  assert.equal(judgeCheckpoint(objects, withNumpy).outlook, 'fails');
  assert.equal(judgeCheckpoint({ ...objects, format: 'numpy-archive' }, withNumpy).outlook, 'unknown');
});

test('required packages are looked up in the environment', () => {
  const backends = ['xla', 'hpu', 'privateuseone', 'npu', 'mlu', 'musa', 'ipu'].map((device) => backendOf(device));
  for (const name of ['joblib', 'lz4', 'numpy', 'safetensors', ...backends])
    assert.ok(name !== undefined && isRelatedPackage(name), `${name} is not read, and is said to be lacking`);
});

test('the default of torch refuses harmless imports until they are allowed', async () => {
  const here = (torch: string): Here => ({ devices: {}, torch });
  const { outlook, remedies } = await judge('torch/numpy.pt', here('2.6.0'));
  assert.equal(outlook, 'fails');
  assert.match(
    remedies.join(),
    /`import torch; import numpy; .*, "numpy\.core\.multiarray\._reconstruct"\).*f8"\)\)\]\)`/,
  );
  assert.equal((await judge('torch/numpy.pt', here('2.5.1'))).outlook, 'loads');
  assert.deepEqual((await judge('torch/whole_own.pt', here('2.6.0'))).remedies, []);
  const ofProtocol4 = await judge('torch/protocol4.pt', here('2.6.0'));
  assert.deepEqual(ofProtocol4.remedies, ['It contains plain data: pass `weights_only=False`.']);
});

test('a library that is not installed loads nothing', () => {
  const judged = (format: 'safetensors' | 'joblib', packages?: readonly string[]) =>
    judgeCheckpoint({ format, imports: [], safety: SAFE, problems: [] }, { ...ONE_GPU, packages });
  assert.equal(judged('safetensors', ['safetensors', 'numpy']).outlook, 'loads');
  assert.equal(judged('safetensors').outlook, 'loads', 'where nothing is known');
  const { outlook, because, remedies } = judged('safetensors', ['numpy']);
  assert.deepEqual([outlook, because], ['fails', ['The selected Python has no safetensors.']]);
  assert.deepEqual(remedies, ['Install it with `pip install safetensors`.']);
  assert.deepEqual(judged('joblib', ['numpy']).because, ['The selected Python has no joblib.']);
});

test('safetensors requires tensor types of torch, or of NumPy without torch', () => {
  const packages = ['safetensors', 'numpy'];
  const judged = (dtypes: readonly string[], here: Partial<Here>) =>
    judgeCheckpoint(
      { format: 'safetensors', imports: [], safety: SAFE, problems: [], dtypes },
      { ...ONE_GPU, ...here },
    );
  const plain = judged(['float32', 'bool'], { torch: null, packages });
  assert.deepEqual([plain.outlook, plain.call], ['loads', 'safetensors.numpy.load_file(path)']);
  const half = judged(['float16', 'bfloat16'], { torch: null, packages });
  const because =
    'The file contains bfloat16 tensors, which NumPy does not support, and the selected Python has no torch.';
  assert.deepEqual([half.outlook, half.because], ['fails', [because]]);
  assert.equal(judged(['bfloat16'], { torch: '2.9.1', packages }).outlook, 'loads');
  const unsigned = judged(['float32', 'uint64'], { torch: '1.13.1', packages });
  assert.deepEqual(unsigned.because, ['The file refers to `torch.uint64`, which torch 1.13.1 does not have yet.']);
  assert.equal(judged(['uint64', 'float8_e4m3fn'], { torch: '2.3.0', packages }).outlook, 'loads');
  assert.equal(judged(['float8_e4m3fn'], { torch: '2.0.1', packages }).outlook, 'fails');
  assert.equal(judged(['int8'], { torch: null, packages: ['safetensors'] }).outlook, 'fails');
});

test("TensorFlow's own checkpoints need TensorFlow", async () => {
  const outlookWith = async (tensorflow?: string | null) =>
    (await judge('tensorflow/ckpt-1.index', { devices: {}, tensorflow })).outlook;
  assert.equal(await outlookWith(null), 'fails');
  assert.equal(await outlookWith('2.21.0'), 'loads');
  assert.equal(await outlookWith(), 'loads');
});

test('Keras 2 does not load Keras 3 models, and Keras 3 does not load SavedModels', () => {
  const file: Loadable = { format: 'keras', writtenBy: 'Keras 3.15.1', imports: [], safety: SAFE, problems: [] };
  const folder: Loadable = { ...file, format: 'saved-model', writtenBy: 'Keras 2, TensorFlow' };
  const keras2 = { ...ONE_GPU, keras: '2.15.0' };
  assert.deepEqual(judgeCheckpoint(file, keras2).because, ['Keras 2.15.0 does not load what Keras 3.15.1 wrote.']);
  assert.equal(judgeCheckpoint(file, ONE_GPU).outlook, 'loads');
  assert.equal(judgeCheckpoint(folder, ONE_GPU).outlook, 'fails');
  assert.equal(judgeCheckpoint({ ...folder, safety: NOT_CHECKED }, keras2).outlook, 'unknown');
});

test('Keras 3 loads a SavedModel as a layer by its call name, or tf_keras as the model', () => {
  const folder: Loadable = {
    format: 'saved-model',
    writtenBy: 'Keras 2',
    imports: [],
    safety: NOT_CHECKED,
    problems: [],
  };
  const remedies = (more: Partial<Loadable>) => judgeCheckpoint({ ...folder, ...more }, ONE_GPU).remedies.join(' ');
  assert.match(
    remedies({ holds: 'model', endpoints: ['serve'] }),
    /^`tf_keras.* Keras model\. .*call_endpoint="serve"\)/,
  );
  assert.match(remedies({ endpoints: ['embed'] }), /^`keras\.layers\.TFSMLayer\(path, call_endpoint="embed"\)`/);
  assert.equal(remedies({ endpoints: [] }), 'It has no signature that `TFSMLayer` could call.');
});

test('an HDF5 file whose inspection was stopped has no outlook, alone or in a model', async () => {
  const { outlook, because } = await judge('damaged/hangs_the_library.h5', ONE_GPU);
  assert.equal(outlook, 'unknown');
  assert.match(because.join(), /^Not checked: the HDF5 library fails on it/);
});

const SAFE: Loadable['safety'] = { verdict: 'no-code', reason: 'Nothing to run.' };
const NOT_CHECKED: Loadable['safety'] = { verdict: 'not-checked', reason: 'Not checked: it holds a program.' };
