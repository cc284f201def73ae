/** Architectures in conda builds of torch, by the channel in the build's name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import { cudaVersionFor } from '../../server/src/diagnosis/remedies/installTorch.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { type Description, describedMachine, verdictsOn } from './describedMachine.ts';

const BLACKWELL: Description = { gpus: ['NVIDIA GeForce RTX 5090 12.0'], driver: '580.95.05', driverCuda: '13.0' };
const PASCAL: Description = { gpus: ['NVIDIA GeForce GTX 1080 6.1'], driver: '580.95.05', driverCuda: '13.0' };

/** The torch of a conda environment with that build. */
const torch = (version: string, cuda: string, build: string): Description => ({
  torch: version,
  conda: [`pytorch-${version}-${build}`],
  inPackages: { 'torch/version.py': `__version__ = '${version}'\ncuda = '${cuda}'\nhip = None\n` },
});

const CASES: readonly [about: string, machine: Description, verdicts: readonly string[]][] = [
  [
    "PyTorch's own channel ended before Blackwell",
    { ...BLACKWELL, ...torch('2.5.1', '12.4', 'py3.10_cuda12.4_cudnn9.1.0_0') },
    ['gpu-newer-than-build'],
  ],
  [
    'the torch of 2020 has no code for Ampere, and the driver compiles it',
    {
      gpus: ['NVIDIA GeForce RTX 3090 8.6'],
      driverCuda: '12.4',
      ...torch('1.7.1', '10.2', 'py3.8_cuda10.2.89_cudnn7.6.5_0'),
    },
    ['gpu-newer-than-build'],
  ],
  [
    'conda-forge lets the driver compile for it',
    { ...BLACKWELL, ...torch('2.6.0', '12.6', 'cuda126_mkl_py310_h30b5a27_301') },
    ['gpu-newer-than-build'],
  ],
  ['and has code for it since then', { ...BLACKWELL, ...torch('2.8.0', '12.9', 'cuda129_mkl_py310_h1e4afce_301') }, []],
  ['the same for Pascal', { ...PASCAL, ...torch('2.8.0', '12.9', 'cuda129_mkl_py310_h1e4afce_301') }, []],
  [
    'which CUDA 13 dropped',
    { ...PASCAL, ...torch('2.10.0', '13.0', 'cuda130_mkl_py310_h1e4afce_301') },
    ['gpu-older-than-build'],
  ],
  [
    'for other channels, the abilities of their CUDA compiler are known',
    { ...BLACKWELL, ...torch('2.6.0', '12.6', 'gpu_cuda126_py310h1e4afce_0') },
    ['gpu-newer-than-build'],
  ],
  [
    'and one that could compile for it is unknown',
    { ...BLACKWELL, ...torch('2.8.0', '12.8', 'gpu_cuda128_py310h1e4afce_0') },
    [],
  ],
];

for (const [about, description, verdicts] of CASES) {
  test(about, async () => assert.deepEqual(await verdictsOn(description), verdicts));
}

test('the conda command requests a build with code for the GPU', async () => {
  const commandFor = async (description: Description) => {
    const [verdict] = judgeStack(await readStack(describedMachine(description)));
    return verdict?.remedies[0]?.command?.replace(/^.*conda-forge /, '');
  };
  const blackwell = { ...BLACKWELL, ...torch('2.6.0', '12.6', 'cuda126_mkl_py310_h30b5a27_301') };
  assert.equal(await commandFor(blackwell), '"pytorch-gpu=2.7.*" "cuda-version>=12.8"');
  const pascal = { ...PASCAL, ...torch('2.10.0', '13.0', 'cuda130_mkl_py310_h1e4afce_301') };
  assert.equal(await commandFor(pascal), '"pytorch-gpu=2.10.*" "cuda-version<13"');
  assert.equal(cudaVersionFor('2.6', '12', ['8.6']), undefined);
  assert.equal(cudaVersionFor('2.10', '12', ['8.6', '12.0']), '>=12.8');
});
