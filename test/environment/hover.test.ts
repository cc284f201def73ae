/** Hovers over requirements on recorded machines. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EnvironmentKind } from '../../server/src/environment/environmentFile.ts';
import { readEnvironment } from '../../server/src/environment/read.ts';
import { environmentMarkdown } from '../../server/src/report/environmentHover.ts';
import type { Gpu, StackFacts } from '../../server/src/stack/facts/facts.ts';
import { nothingYet } from '../../server/src/stack/facts/nothingYet.ts';

const gpu = (name: string, computeCapability: string): Gpu => ({
  index: 0,
  name,
  uuid: null,
  memoryTotal: 24576,
  memoryUsed: 0,
  utilization: 0,
  computeCapability,
  mig: null,
  migInstances: [],
});

function machine(gpus: Gpu[], driver: string): StackFacts {
  const source = 'nvidia-smi';
  const readAt = '2026-11-23T00:00:00.000Z';
  const known = <T>(value: T) => ({ value, source, readAt });
  return { ...nothingYet(), gpus: known(gpus), driver: known(driver), variables: known({}) } as unknown as StackFacts;
}

function hereOf(text: string, facts: StackFacts | undefined): string | undefined {
  const shown = environmentMarkdown(readEnvironment('requirements', text), 2, facts)?.markdown;
  return /\| Here \| (.*) \|/.exec(shown ?? '')?.[1];
}

test('states if the build runs on this machine', () => {
  const rtx3090 = machine([gpu('RTX 3090', '8.6')], '535.54.03');
  assert.equal(hereOf('torch==2.6.0\n', rtx3090), 'runs on the RTX 3090 (compute capability 8.6)');
  assert.equal(
    hereOf('torch==2.12.0\n', rtx3090),
    'does not run: the driver is 535.54.03, and CUDA 13.0 needs 580.65.06',
  );
  const rtx5090 = machine([gpu('RTX 5090', '12.0')], '580.65.06');
  assert.equal(
    hereOf('torch==2.6.0\n', rtx5090),
    'does not run: it contains no code for the RTX 5090 (compute capability 12.0)',
  );
  assert.equal(hereOf('torch==2.6.0\n', machine([], '535.54.03')), 'no NVIDIA GPU can be used: it runs on the CPU');
  assert.equal(hereOf('torch==2.6.0+cpu\n', rtx5090), undefined);
  assert.equal(hereOf('torch==2.6.0\n', undefined), undefined);
});

/** The rows of the hover at the position of `at` in a file. */
function rowsOf(kind: EnvironmentKind, text: string, at: string, facts?: StackFacts): Record<string, string> {
  const file = readEnvironment(kind, text);
  assert.deepEqual(file.errors, [], kind);
  const markdown = environmentMarkdown(file, text.indexOf(at), facts)?.markdown ?? '';
  const rows = [...markdown.matchAll(/^\| (\w[^|]*) \| (.*) \|$/gm)].map(([, name = '', value = '']) => [name, value]);
  return Object.fromEntries([['title', /^\*\*(.*)\*\*/.exec(markdown)?.[1] ?? ''], ...rows]);
}

test('every kind of file shows what a line installs, and if it runs on this machine', () => {
  const rtx3090 = machine([gpu('RTX 3090', '8.6')], '470.42.01');
  const torch = { title: 'torch 2.4.1', CUDA: '12.1 (from PyPI, on Linux)', here: 'needs 525.60.13' };
  const FILES: readonly [kind: EnvironmentKind, text: string, at: string, brings: Record<string, string>][] = [
    ['requirements', '# x\ntorch==2.4.1  # y\n', 'torch==', torch],
    ['requirementsIn', 'torch>=2.4,<2.5\n', 'torch', torch],
    ['pyproject', '[project]\nname = "x"\ndependencies = ["numpy", "torch==2.4.1"]\n', 'torch', torch],
    ['pyproject', '[tool.poetry.dependencies]\ntorch = "~2.4.1"\n', 'torch', torch],
    ['pyproject', '[dependency-groups]\ngpu = ["torch==2.4.1"]\n', 'torch', torch],
    ['setupCfg', '[options.extras_require]\ngpu =\n  torch==2.4.1\n', 'torch', torch],
    ['pixi', '[pypi-dependencies]\ntorch = "==2.4.1"\n', 'torch', torch],
    ['dockerfile', 'FROM python:3.11\nRUN pip install "torch==2.4.1"\n', 'torch', torch],
    [
      'devcontainer',
      '{ "image": "python:3.11", "postCreateCommand": "pip install \\"torch==2.4.1\\"" }',
      'torch==',
      torch,
    ],
    ['conda', 'dependencies:\n  - pip:\n    - torch==2.4.1\n', 'torch', torch],
    [
      'conda',
      'channels: [pytorch, nvidia]\ndependencies:\n  - pytorch=2.4.1\n  - pytorch-cuda=12.4\n',
      'pytorch=2',
      { title: 'torch 2.4.1', CUDA: '12.4', here: 'needs 525.60.13' },
    ],
    ['conda', 'dependencies:\n  - pytorch=2.4.1\n  - cudatoolkit=11.3\n', 'cudatoolkit', { CUDA: '11.3' }],
    ['conda', 'dependencies:\n  - pytorch=2.4.1\n  - cpuonly\n', 'pytorch', { CUDA: 'none: it runs only on the CPU' }],
    ['pixi', '[dependencies]\npytorch = "2.4.1.*"\ncuda-version = "12.6.*"\n', 'pytorch', { CUDA: '12.6' }],
    [
      'compose',
      'services:\n  a:\n    image: tensorflow/tensorflow:2.15.0-gpu\n',
      'tensorflow/',
      { title: 'TensorFlow 2.15.0 in this image', CUDA: '12.2', here: 'needs 525.60.13' },
    ],
    [
      'devcontainer',
      '{ "image": "pytorch/pytorch:2.4.1-cuda11.8-cudnn9-runtime" }',
      'pytorch/',
      { title: 'torch 2.4.1 in this image', CUDA: '11.8', here: 'runs on the RTX 3090 (compute capability 8.6)' },
    ],
  ];
  for (const [kind, text, at, { here, ...brings }] of FILES) {
    const { Here, ...rows } = rowsOf(kind, text, at, rtx3090);
    assert.deepEqual({ ...rows, ...brings }, rows, text);
    if (here !== undefined) assert.ok(Here?.endsWith(here), `${text}: ${Here}`);
  }
});

test('packages with GPU code show their torch, CUDA and GPUs', () => {
  const volta = machine([gpu('V100', '7.0')], '580.65.06');
  const LINES: readonly [line: string, brings: Record<string, string>][] = [
    ['torchvision==0.19.1', { title: 'torchvision 0.19.1', 'Goes with': 'torch 2.4.1' }],
    ['torchaudio==2.4.1+cu118', { CUDA: '11.8', 'Goes with': 'torch 2.4.1' }],
    ['tensorflow[and-cuda]==2.17.0', { CUDA: '12.3 (in separate wheels)', cuDNN: '8.9' }],
    ['tensorflow-cpu==2.17.0', { CUDA: 'none: it runs only on the CPU' }],
    ['jax[cuda12]==0.6.1', { title: 'jax 0.6.1', CUDA: '12 (in separate wheels)', cuDNN: '>=9.8,<10' }],
    ['jax==0.6.1', { CUDA: 'none: it runs on the CPU without an extra such as `[cuda12]`' }],
    ['onnxruntime-gpu==1.20.1', { CUDA: '12 (install separately)', 'Compute capability': '5.0 or newer' }],
    ['nvidia-cudnn-cu12==9.1.0.70', { CUDA: '12', cuDNN: '9.1.0' }],
    ['vllm==0.9.1', { title: 'vllm 0.9.1', CUDA: '12.6 (from its torch)', 'Goes with': 'torch 2.7.0' }],
    [
      'flash-attn==2.8.3',
      {
        'Compute capability': '8.0 or newer',
        Here: 'does not run: it does not support the V100 (compute capability 7.0)',
      },
    ],
    ['ctranslate2==4.5.0', { CUDA: '12 (install separately)', cuDNN: '9' }],
    ['cupy-cuda11x==13.3.0', { CUDA: '11 (install separately)', 'Compute capability': 'up to 9.0' }],
    ['numpy==2.0.0', { title: '' }],
    ['torchvision==99.0', { title: '' }],
  ];
  for (const [line, brings] of LINES) {
    const rows = rowsOf('requirements', `${line}\n`, line, volta);
    assert.deepEqual({ ...rows, ...brings }, rows, line);
  }
});

test('is shown only for known requirements and images', () => {
  const dockerfile = readEnvironment('dockerfile', 'FROM nvidia/cuda:12.1.1-base-ubuntu22.04\nRUN pip install numpy\n');
  assert.match(environmentMarkdown(dockerfile, 8, undefined)?.markdown ?? '', /\| CUDA \| 12\.1 \|/);
  assert.equal(environmentMarkdown(dockerfile, 60, undefined), undefined);
});
