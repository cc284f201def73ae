import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CodeFit, codeFits } from '../../server/src/published/codeFits.ts';
import {
  officialOnnxruntimeWheel,
  officialTensorflowWheel,
  officialTorchWheel,
} from '../../server/src/stack/builds/officialWheels.ts';
import type { FrameworkBuild, OperatingSystem } from '../../server/src/stack/facts/facts.ts';

const FITS: [architectures: string, capability: string, fit: CodeFit][] = [
  ['sm_80', '8.0', 'native'],
  ['sm_80', '8.6', 'native'],
  ['sm_86', '8.0', 'none'],
  ['sm_80 sm_90', '10.0', 'none'],
  ['sm_80 compute_90', '10.0', 'compiled'],
  ['sm_80 compute_90', '7.5', 'none'],
  ['compute_86', '8.9', 'compiled'],
  ['sm_120', '12.1', 'native'],
  ['sm_100', '12.0', 'none'],
  ['sm_90a', '9.0', 'native'],
  ['sm_100a', '10.3', 'none'],
  ['sm_100f', '10.3', 'native'],
  ['compute_90a', '10.0', 'none'],
  // Orin is a system on a chip.
  ['sm_80 sm_86', '8.7', 'none'],
  ['sm_87', '8.9', 'none'],
  ['sm_87', '8.7', 'native'],
  ['sm_80 compute_80', '8.7', 'compiled'],
  ['gfx1100 gfx942', '8.6', 'none'],
];

for (const [architectures, capability, fit] of FITS) {
  test(`${architectures} on ${capability}: ${fit}`, () =>
    assert.equal(codeFits(architectures.split(' '), capability), fit));
}

function build(version: string, change: Partial<FrameworkBuild> = {}): FrameworkBuild {
  const cuda = { target: 'cuda' as const, cuda: '12.4', rocm: null, cudnn: null };
  return {
    name: 'torch',
    version,
    folder: '/s',
    alsoInstalled: [],
    architectures: null,
    pinned: [],
    installer: 'pip',
    ...cuda,
    ...change,
  };
}

const LINUX: OperatingSystem = {
  family: 'linux',
  name: 'Debian',
  architecture: 'x64',
  processor: null,
  kernel: '6.1.0',
  libc: null,
};

test('official wheels of torch are recognized by release and tag', () => {
  const wheel = officialTorchWheel(build('2.5.1+cu124'), LINUX);
  assert.equal(wheel?.cudnn, '9.1.0');
  assert.ok(wheel?.architectures?.includes('sm_90'));
  assert.ok(officialTorchWheel(build('2.7.0+cu128'), LINUX)?.architectures?.includes('compute_120'));
  assert.deepEqual(officialTorchWheel(build('2.8.0+cu126'), { ...LINUX, architecture: 'arm64' })?.architectures, [
    'sm_80',
    'sm_90',
  ]);
});

test('builds by others are not mistaken for official ones', () => {
  const others = [
    '2.4.1.post300',
    '2.5.1',
    '2.6.0a0+df5bbc09191.nv24.12',
    '2.9.0.dev20251001+cu130',
    '2.5.1+cu126',
    '2.5.1+cpu',
  ];
  for (const version of others) assert.equal(officialTorchWheel(build(version), LINUX), undefined, version);
  assert.equal(officialTorchWheel(build('2.5.1+cu124', { installer: 'conda' }), LINUX), undefined);
  assert.equal(officialTorchWheel(build('2.5.1+cu124'), { ...LINUX, architecture: 'ppc64' }), undefined);
  assert.equal(officialTorchWheel(build('2.5.1+cu124'), undefined), undefined);
});

test("TensorFlow's cuDNN is known to the minor version, unless its files disagree", () => {
  const tensorflow = (version: string, change: Partial<FrameworkBuild> = {}) =>
    officialTensorflowWheel(build(version, { name: 'tensorflow', cudnn: '9', ...change }))?.cudnn;
  assert.equal(tensorflow('2.19.1'), '9.3');
  assert.equal(tensorflow('2.15.0.post1', { cudnn: '8' }), '8.9');
  assert.equal(tensorflow('2.17.0'), undefined);
  assert.equal(tensorflow('2.19.1', { installer: 'conda' }), undefined);
  assert.equal(tensorflow('2.19.1', { target: 'cpu' }), undefined);
  assert.equal(tensorflow('2.22.0.dev20260101'), undefined);
});

test("ONNX Runtime's cuDNN follows its CUDA and its release", () => {
  const onnxruntime = (version: string, change: Partial<FrameworkBuild> = {}) =>
    officialOnnxruntimeWheel(build(version, { name: 'onnxruntime-gpu', cuda: '12.2', ...change }))?.cudnn;
  assert.equal(onnxruntime('1.23.2'), '9');
  assert.equal(onnxruntime('1.18.1'), '9');
  assert.equal(onnxruntime('1.18.0'), '8');
  assert.equal(onnxruntime('1.20.1', { cuda: '11.8' }), '8');
  assert.equal(onnxruntime('1.10.0'), undefined);
  assert.equal(onnxruntime('1.23.2', { name: 'onnxruntime' }), undefined);
});
