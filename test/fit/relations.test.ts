/** Relations of a build to a machine: each holds, fails, or is unknown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Build } from '../../server/src/fit/build.ts';
import { companionReleases } from '../../server/src/fit/companions.ts';
import { cudaBeside } from '../../server/src/fit/cudaFamily.ts';
import { gpusWithoutCudnn } from '../../server/src/fit/cudnn.ts';
import { driverFor } from '../../server/src/fit/driver.ts';
import { codeFor, runsWell } from '../../server/src/fit/gpuCode.ts';
import { imageFor } from '../../server/src/fit/image.ts';
import { numpyAbi } from '../../server/src/fit/numpyAbi.ts';
import { publishedFor } from '../../server/src/fit/publishedRequirement.ts';
import { folderFor } from '../../server/src/fit/sameFolder.ts';
import type { NvidiaTarget } from '../../server/src/fit/target.ts';
import { tensorflowKeras } from '../../server/src/fit/tensorflowKeras.ts';
import { torchAbi } from '../../server/src/fit/torchAbi.ts';
import { torchInMetadata, torchOfRelease } from '../../server/src/fit/torchOfRelease.ts';
import { clashFor } from '../../server/src/fit/versionClash.ts';
import { mayRunIn, wheelsFor } from '../../server/src/fit/wheelTags.ts';
import { gpuPackages } from '../../server/src/published/gpuPackages.ts';

const gpu: NvidiaTarget = {
  kind: 'cuda',
  gpus: [{ name: 'NVIDIA GeForce RTX 5090', computeCapability: '12.0', mig: null }],
  driver: '535.54.03',
  system: 'linux',
  cuda: undefined,
};
const torch: Build = { name: 'torch', title: 'torch', cuda: '12.4', code: ['sm_50', 'sm_90'], cudnn: null };

test('a driver is new enough, too old, or unknown', () => {
  assert.deepEqual(driverFor('12.4', gpu), { fit: 'holds', lowest: '525.60.13' });
  assert.deepEqual(driverFor('13.0', gpu), { fit: 'fails', lowest: '580.65.06' });
  assert.equal(driverFor('99', gpu).fit, 'unknown');
});

test('a driver that reports a CUDA version supports it, whatever its number', () => {
  assert.equal(driverFor('12.0', { ...gpu, driver: '525.60.11' }).fit, 'fails');
  assert.equal(driverFor('12.0', { ...gpu, driver: '525.60.11', supports: '12.0' }).fit, 'holds');
});

test('code runs on a GPU, is compiled for it, or is for older or newer GPUs', () => {
  const found = (capability: string, build: Partial<Build> = {}) => codeFor({ ...torch, ...build }, capability);
  assert.deepEqual(found('9.0'), { fit: 'holds', how: 'native' });
  assert.deepEqual(found('12.0', { code: ['sm_50', 'compute_90'] }), { fit: 'holds', how: 'compiled' });
  assert.deepEqual(found('12.0'), { fit: 'fails', how: 'newer' });
  assert.deepEqual(found('3.7'), { fit: 'fails', how: 'older' });
  const unlisted: Build = { name: 'jax', title: 'jax', cuda: '12', cudnn: null };
  assert.equal(codeFor(unlisted, '8.0').fit, 'unknown');
  assert.deepEqual(codeFor({ ...unlisted, lowest: '5.2' }, '5.0'), { fit: 'fails', how: 'older' });
  assert.deepEqual(codeFor({ ...unlisted, highest: '9.0' }, '12.0'), { fit: 'fails', how: 'newer' });
});

test('a requirement on cuDNN accepts one with code for a GPU, or only newer ones', () => {
  const of = (computeCapability: string): NvidiaTarget => ({
    ...gpu,
    gpus: [{ name: 'GPU', computeCapability, mig: null }],
  });
  assert.equal(gpusWithoutCudnn({ cudnn: '==9.20.*' }, of('6.1')).length, 1);
  assert.equal(gpusWithoutCudnn({ cudnn: '>=9' }, of('6.1')).length, 0);
  assert.equal(gpusWithoutCudnn({ cudnn: '==9.20.*' }, of('8.6')).length, 0);
  assert.equal(gpusWithoutCudnn({ cudnn: null }, of('6.1')).length, 0);
});

test('code that the driver compiles counts only as far as it is tested', () => {
  const tensorflow: Build = { ...torch, code: ['sm_80', 'compute_90'] };
  assert.equal(runsWell(tensorflow, '12.0'), false);
  assert.equal(runsWell({ ...tensorflow, compiledUpTo: '12.0' }, '12.0'), true);
});

test('distributions of one folder overwrite each other, except two names of one release', () => {
  const of = (name: string, version = '2.8.0') => ({ name, version });
  assert.equal(folderFor(of('tensorflow'), of('tensorflow-cpu')).fit, 'fails');
  assert.equal(folderFor(of('tensorflow'), of('tensorflow-gpu')).fit, 'holds');
  assert.equal(folderFor(of('tensorflow'), of('tensorflow-gpu', '2.9.0')).fit, 'fails');
  assert.equal(folderFor({ name: 'onnxruntime' }, { name: 'onnxruntime-gpu' }).fit, 'fails');
  assert.equal(folderFor({ name: 'onnxruntime' }, { name: 'torch' }).fit, 'holds');
});

test('libraries share a process if their CUDA is of one family', () => {
  const pairs = { '12.1': '12.9', '12': '12.4', '11.8': '11', '10': '10.2', '10.2': '10.2' };
  for (const [one, other] of Object.entries(pairs)) assert.equal(cudaBeside(one, other).fit, 'holds', one);
  assert.equal(cudaBeside('11.8', '12.1').fit, 'fails');
  assert.equal(cudaBeside('10.1', '10.2').fit, 'fails');
  assert.equal(cudaBeside(null, '12').fit, 'unknown');
});

test('an extension runs on the release of torch that it was compiled for', () => {
  assert.equal(torchAbi('2.4', '==2.4.1').fit, 'holds');
  assert.equal(torchAbi('2.4', '>=2.0,<2.5').fit, 'holds');
  assert.equal(torchAbi('2.4', '==2.5.0').fit, 'fails');
  assert.equal(torchAbi('2.4.1+cu121', '==2.4.0').fit, 'fails');
});

test("a published release's metadata allow a version, exclude it, or are unknown", () => {
  const transformers = { name: 'transformers', version: '4.57.1' };
  const on = (specifier: string) => publishedFor(transformers, { name: 'huggingface-hub', specifier });
  assert.equal(on('==0.35.0').fit, 'holds');
  assert.equal(on('>=0.20').fit, 'holds');
  assert.equal(on('==0.27.0').fit, 'fails');
  assert.equal(publishedFor(transformers, { name: 'torch', specifier: '==1.0' }).fit, 'unknown');
  assert.equal(
    publishedFor({ name: 'transformers', version: '999' }, { name: 'numpy', specifier: '==1.0' }).fit,
    'unknown',
  );
});

test('what was compiled for NumPy 1 fails with NumPy 2, and what requires NumPy 2 fails with NumPy 1', () => {
  const torch22 = { name: 'torch', version: '2.2.2+cu121' };
  assert.deepEqual(numpyAbi(torch22, { version: '2.0.1' }), { fit: 'fails', madeFor: '1' });
  assert.equal(numpyAbi(torch22, { version: '1.26.4' }).fit, 'holds');
  assert.equal(numpyAbi({ name: 'torch', version: '2.3.0' }, { version: '2.0.1' }).fit, 'holds');
  assert.equal(numpyAbi({ name: 'torch', version: '2.3.0' }, { version: '1.26.4' }).fit, 'holds');
  assert.equal(numpyAbi({ name: 'tensorflow-cpu', version: '2.17.0' }, { version: '2.1.0' }).fit, 'fails');
  assert.equal(numpyAbi({ name: 'torch', specifier: '<2.3' }, { specifier: '>=2.1' }).fit, 'fails');
  assert.equal(numpyAbi({ name: 'torch', specifier: '<2.3' }, { specifier: '' }).fit, 'unknown');
  assert.equal(numpyAbi({ name: 'torch', specifier: '>=2.2' }, { specifier: '>=2.1' }).fit, 'unknown');
  const opencv = { name: 'opencv-python', version: '4.13.0.92' };
  assert.deepEqual(numpyAbi(opencv, { version: '1.26.4' }), { fit: 'fails', madeFor: '2' });
  assert.equal(numpyAbi(opencv, { specifier: '<2' }).fit, 'fails');
  assert.equal(numpyAbi(opencv, { version: '2.2.0' }).fit, 'holds');
  assert.equal(numpyAbi({ name: 'some-package', version: '1.0' }, { version: '2.0.1' }).fit, 'unknown');
});

test('requirements on torch and a companion allow releases that go together, or none', () => {
  const is = (wanted: string) => (version: string) => version.startsWith(wanted);
  const ask = (torch: string, vision: string, isExact = true) =>
    companionReleases(is(torch), 'torchvision', is(vision), isExact);
  assert.deepEqual(ask('2.9.0', '0.15.2'), { fit: 'fails', needed: '2.0.1', matching: '0.24.0' });
  assert.equal(ask('2.0.1', '0.15.2').fit, 'holds');
  assert.deepEqual([ask('2.0.0', '0.15.2').fit, ask('2.0.0', '0.15.2', false).fit], ['fails', 'holds']);
  assert.equal(ask('99.0', '0.15.2').fit, 'unknown');
});

test('a release has wheels for a Python, has none, or may have some for one that is newer', () => {
  const wheels = [[8, 11]] as const;
  assert.equal(wheelsFor(wheels, [7, 8], false).fit, 'holds');
  assert.equal(wheelsFor(wheels, [12], false).fit, 'fails');
  assert.equal(wheelsFor(wheels, [12], true).fit, 'unknown');
  assert.equal(wheelsFor([], [12], false).fit, 'unknown');
});

test('a build may run in a Python that it has wheels for, and in one that is unknown', () => {
  const python = ['3.9', '3.12'] as const;
  assert.equal(mayRunIn({ python }, '3.12'), true);
  assert.equal(mayRunIn({ python }, '3.13'), false);
  assert.equal(mayRunIn({ python }, undefined), true);
  assert.equal(mayRunIn({ python: null }, '3.13'), true);
});

test('a TensorFlow works with the Keras of its own number, with Keras 3, or contains its own', () => {
  assert.deepEqual(tensorflowKeras('2.13.1', '2.13.1'), { fit: 'holds', needed: '2.13' });
  assert.deepEqual(tensorflowKeras('2.13.1', '2.12.0'), { fit: 'fails', needed: '2.13' });
  assert.deepEqual(tensorflowKeras('2.16.1', '2.15.0'), { fit: 'fails', needed: '3' });
  assert.equal(tensorflowKeras('2.16.1', '3.5.0').fit, 'holds');
  assert.equal(tensorflowKeras('2.4.1', '2.4.0').fit, 'unknown');
});

test('a package that is released with torch is for one torch, or for several', () => {
  const [row] = gpuPackages().follows_torch.filter(({ name }) => name === 'triton');
  assert.ok(row);
  const version = row.versions.match(/[\d.]+\d/)?.[0] ?? '';
  const torch = `${row.torch.match(/[\d.]+\d/)?.[0]}.0`;
  assert.equal(torchOfRelease({ name: 'triton', version }, [torch]).fit, 'holds');
  assert.equal(torchOfRelease({ name: 'triton', version }, ['1.4.0']).fit, 'fails');
  assert.equal(torchOfRelease({ name: 'triton', version }, ['1.4.0', torch]).fit, 'holds');
  assert.equal(torchOfRelease({ name: 'triton', version }, []).fit, 'unknown');
  assert.equal(torchOfRelease({ name: 'some-package', version }, [torch]).fit, 'unknown');
});

test('a release is for the torch that its published metadata require', () => {
  const vllm = { name: 'vllm', version: '0.6.0' };
  assert.equal(torchInMetadata(vllm), '==2.4.0');
  assert.deepEqual(torchOfRelease(vllm, ['2.4.0', '2.5.1']), { fit: 'holds', needed: '==2.4.0' });
  assert.deepEqual(torchOfRelease(vllm, ['2.5.1']), { fit: 'fails', needed: '==2.4.0' });
  assert.equal(torchOfRelease(vllm, []).fit, 'unknown');
  assert.equal(torchInMetadata({ name: 'vllm', version: '0.0.1' }), undefined);
});

test('two releases that fail together fail, others hold, and a range may do either', () => {
  const row = gpuPackages().clashes.find(({ name, with: other }) => name === 'scipy' && other === 'jaxlib');
  assert.ok(row);
  assert.equal(clashFor(row, { version: '1.13.0' }, { version: '0.4.20' }).fit, 'fails');
  assert.equal(clashFor(row, { version: '1.12.0' }, { version: '0.4.20' }).fit, 'holds');
  assert.equal(clashFor(row, { specifier: '' }, { version: '0.4.20' }).fit, 'unknown');
  assert.equal(clashFor(row, { specifier: '<1.13' }, { version: '0.4.20' }).fit, 'holds');
});

test('an image brings a torch and its CUDA, which fit, do not fit, or are unknown', () => {
  const pytorch = 'pytorch/pytorch:2.4.0-cuda12.1-cudnn9-runtime';
  assert.deepEqual(imageFor(pytorch, 'torch', '2.4'), { fit: 'holds', brings: '2.4.0' });
  assert.deepEqual(imageFor(pytorch, 'torch', '2.5.1'), { fit: 'fails', brings: '2.4.0' });
  assert.equal(imageFor('nvcr.io/nvidia/pytorch:24.07-py3', 'torch', '2.4.0').fit, 'unknown');
  assert.equal(imageFor('nvidia/cuda:12.4.1-devel-ubuntu22.04', 'cuda', '12.1').fit, 'holds');
  assert.equal(imageFor('nvidia/cuda:11.8.0-devel-ubuntu22.04', 'cuda', '12.1').fit, 'fails');
});
