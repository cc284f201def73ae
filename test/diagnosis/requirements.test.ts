/** Requirements between installed packages, and the smallest changes that meet them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import { wheelFor } from '../../server/src/fit/wheelTags.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { type Description, describedMachine } from '../stack/describedMachine.ts';

/** Returns the finding and the first command of each unmet requirement. */
async function unmetOn(packages: string[], more: Description = {}): Promise<[string, string | undefined][]> {
  const verdicts = judgeStack(await readStack(describedMachine({ packages, ...more })));
  return verdicts
    .filter(({ id }) => id === 'requirement-not-met')
    .map(({ finding, remedies }) => [finding, remedies[0]?.command?.replace(/^.* pip install /, '')]);
}

const CASES: readonly [name: string, packages: string[], expected: [string, string][]][] = [
  [
    'an excluded version below a bound moves to the bound, and nothing else moves',
    ['transformers==4.36.2 typing-extensions>=4.10.0', 'typing-extensions==4.5.0'],
    [['transformers 4.36.2 requires typing-extensions>=4.10.0; 4.5.0 is installed.', 'typing-extensions==4.10.0']],
  ],
  [
    'a package above a bound keeps the installed packages that it needs',
    [
      'transformers==4.36.2 tokenizers<0.19,>=0.14 huggingface-hub>=0.19.3,<1.0',
      'tokenizers==0.20.3 huggingface-hub>=0.16.4,<1.0',
      'huggingface-hub==0.36.0',
    ],
    [
      [
        'transformers 4.36.2 requires tokenizers<0.19,>=0.14; 0.20.3 is installed.',
        '"tokenizers<0.19,>=0.14" huggingface-hub==0.36.0',
      ],
    ],
  ],
  [
    'the requirements of packages that GPU Doctor does not know are kept',
    [
      'onnx==1.19.1 protobuf>=4.25.1',
      'protobuf==3.20.3',
      'someservice==1.0 protobuf>=3.20',
      'otherservice==2.0 protobuf>=3.19,<5',
    ],
    [['onnx 1.19.1 requires protobuf>=4.25.1; 3.20.3 is installed.', 'protobuf==4.25.1']],
  ],
  [
    'a package that only fits beside TensorFlow follows the installed variant without its requirements',
    ['tensorflow-cpu==2.16.2', 'tensorflow-text==2.15.0 tensorflow>=2.15.0,<2.16'],
    [
      [
        'tensorflow-text 2.15.0 requires tensorflow>=2.15.0,<2.16; tensorflow-cpu 2.16.2 is installed.',
        '"tensorflow-text==2.16.*" --no-deps',
      ],
    ],
  ],
  [
    'missing libraries of NVIDIA come alone',
    ['jax==0.4.35 nvidia-cublas-cu12==12.4.5.8 nvidia-cudnn-cu12==9.1.0.70'],
    [
      [
        'jax 0.4.35 requires nvidia-cublas-cu12==12.4.5.8 and 1 more that are not installed.',
        'nvidia-cublas-cu12==12.4.5.8 nvidia-cudnn-cu12==9.1.0.70 --no-deps',
      ],
    ],
  ],
  [
    'a missing package does not move NumPy, which another package limits',
    ['keras==3.5.0 h5py numpy', 'numpy==1.26.4', 'numba==0.59.1 numpy<1.27,>=1.22'],
    [['keras 3.5.0 requires h5py, which is not installed.', 'h5py numpy==1.26.4']],
  ],
];

describe('a requirement that is not met', () => {
  for (const [name, packages, expected] of CASES)
    test(name, async () => assert.deepEqual(await unmetOn(packages), expected));

  test('no version is offered that breaks a requirement that holds', async () => {
    const packages = ['onnx==1.19.1 protobuf>=5', 'protobuf==3.20.3', 'tensorboard==2.9.1 protobuf<3.21'];
    const verdicts = judgeStack(await readStack(describedMachine({ packages })));
    const { remedies = [] } = verdicts.find(({ id }) => id === 'requirement-not-met') ?? {};
    assert.deepEqual(
      remedies.map(({ title, command }) => [title, command]),
      [['Change a package: no protobuf meets protobuf>=5 and protobuf<3.21 together', undefined]],
    );
  });
});

describe('not reported', () => {
  const quiet: readonly [name: string, packages: string[], more?: Description][] = [
    ['a requirement under a condition of another system', ['onnx==1.19.1 colorama;sys_platform=="win32"']],
    ['an extra that nothing requests', ['jax==0.4.35 kubernetes;extra=="k8s"']],
    ['a variant with the same modules', ['tf-keras==2.16.0 tensorflow>=2.16,<2.17', 'tensorflow-cpu==2.16.2']],
    ["NVIDIA's own build before a release", ['torchmetrics==1.4.0 torch>=2.1'], { torch: '2.1.0a0+41361538.nv23.06' }],
    ['a newer library than the pinned one', ['jax==0.4.35 nvidia-cudnn-cu12==9.1.0.70', 'nvidia-cudnn-cu12==9.5.1.17']],
    ['packages that have nothing to do with GPUs', ['flask==3.0.0 werkzeug>=3.0', 'werkzeug==2.0.0']],
    ['what conda leaves out', ['keras==3.5.0 namex'], { conda: ['keras-3.5.0-py311_0'] }],
  ];
  for (const [name, packages, more] of quiet)
    test(name, async () => assert.deepEqual(await unmetOn(packages, more), []));
});

test('a relation of wheel tags looks at Python, system and processor', () => {
  const fitOf = (...tags: string[]) => wheelFor(tags, { version: '3.12.1', architecture: 'arm64' }, 'macos').fit;
  assert.equal(fitOf('cp312-cp312-macosx_14_0_arm64'), 'holds');
  assert.equal(fitOf('cp39-abi3-macosx_11_0_universal2'), 'holds');
  assert.equal(fitOf('cp311-cp311-macosx_14_0_arm64', 'cp312-cp312-macosx_14_0_arm64'), 'holds');
  assert.equal(fitOf('cp311-cp311-macosx_14_0_arm64'), 'fails');
  assert.equal(fitOf('cp312-cp312-macosx_14_0_x86_64'), 'fails');
  assert.equal(fitOf('py3-none-manylinux_2_28_aarch64'), 'fails');
});
