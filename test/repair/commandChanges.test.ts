import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf } from '../../server/src/repair/commandChanges.ts';
import { programOf } from '../../server/src/repair/installerCalls.ts';

const called = (command: string) =>
  changesOf(command)?.calls.map((call) => programOf(call, '/copy/bin/python').join(' ')) ?? null;

const CALLS: readonly (readonly [command: string, calls: readonly string[]])[] = [
  [
    'uv pip install --python /home/me/.venv/bin/python "tokenizers<0.19,>=0.14" huggingface-hub==0.36.2',
    ['uv pip install --python /copy/bin/python tokenizers<0.19,>=0.14 huggingface-hub==0.36.2'],
  ],
  [
    '/home/me/.venv/bin/python -m pip install --force-reinstall --no-deps torch==2.7.1 --index-url https://download.pytorch.org/whl/cpu && /home/me/.venv/bin/python -m pip install torch==2.7.1',
    [
      '/copy/bin/python -m pip install --force-reinstall --no-deps --index-url https://download.pytorch.org/whl/cpu torch==2.7.1',
      '/copy/bin/python -m pip install torch==2.7.1',
    ],
  ],
  ['pip uninstall jax-metal', ['/copy/bin/python -m pip uninstall -y jax-metal']],
  ['uv pip uninstall --python /x/python tensorflow', ['uv pip uninstall --python /copy/bin/python tensorflow']],
  // A copy is a virtual environment already.
  ['python3 -m venv .venv && .venv/bin/pip install keras', ['/copy/bin/python -m pip install keras']],
];

for (const [command, calls] of CALLS)
  test(`is done in a copy: ${command}`, () => {
    assert.deepEqual(called(command), calls);
  });

for (const command of [
  'pip install torch; rm -rf ~',
  'pip install torch | sh',
  'pip install git+https://example.org/torch',
  'pip install ./torch',
  'pip install -r requirements.txt',
  'pip install --target /usr/lib torch',
  'pip install $(touch x)',
  'PIP_TARGET=/usr pip install torch',
  'conda install pytorch',
  'poetry add torch',
  'export LD_PRELOAD=/tmp/library.so',
  'export PATH=/tmp',
  'export PYTHONPATH=$PYTHONPATH:$PWD/slim',
  'CUDA_LAUNCH_BLOCKING=1 python save.py',
  'set -e',
  'python -c "import torch"',
  'python3 -m venv .venv',
])
  test(`is not done in a copy: ${command}`, () => {
    assert.equal(called(command), null);
  });

for (const [command, variables] of [
  ['export KERAS_BACKEND=jax', { KERAS_BACKEND: 'jax' }],
  ['unset CUDA_VISIBLE_DEVICES', { CUDA_VISIBLE_DEVICES: undefined }],
  ['CUDA_VISIBLE_DEVICES=0 python train.py', { CUDA_VISIBLE_DEVICES: '0' }],
  ['PYTHONPATH= PYTHONNOUSERSITE=1 python ...', { PYTHONPATH: '', PYTHONNOUSERSITE: '1' }],
  ['$env:JAX_PLATFORMS = "cpu"', { JAX_PLATFORMS: 'cpu' }],
  ['Remove-Item Env:CUDA_VISIBLE_DEVICES', { CUDA_VISIBLE_DEVICES: undefined }],
  ['set "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION=python"', { PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION: 'python' }],
  ['set KERAS_BACKEND=', { KERAS_BACKEND: undefined }],
  ['pip install "tf_keras" && export TF_USE_LEGACY_KERAS=1', { TF_USE_LEGACY_KERAS: '1' }],
] as const)
  test(`sets variables for the program: ${command}`, () => {
    assert.deepEqual(changesOf(command)?.variables, variables);
  });
