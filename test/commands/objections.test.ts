/** Known objections to commands, each with a similar command that works. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { adapted } from '../../server/src/commands/adapted.ts';
import { type CommandTarget, UNKNOWN_TARGET } from '../../server/src/commands/commandTarget.ts';
import { objectionTo, objectionToCode } from '../../server/src/commands/objections.ts';
import type { Build } from '../../server/src/fit/build.ts';

interface Machine extends Omit<Partial<CommandTarget>, 'gpu'> {
  readonly driver?: string;
  readonly capabilities?: readonly string[];
}

const on = ({ driver, capabilities = [], ...known }: Machine): CommandTarget => {
  const gpus = capabilities.map((computeCapability) => ({ name: 'GPU', computeCapability, mig: null }));
  return {
    ...UNKNOWN_TARGET,
    os: 'linux',
    architecture: 'x64',
    ...known,
    gpu: { ...UNKNOWN_TARGET.gpu, gpus, driver },
  };
};
const build = (version: string, kind: Partial<Build>): Build => ({
  name: 'torch',
  title: `torch ${version}`,
  version,
  cuda: null,
  cudnn: null,
  ...kind,
});

const TORCH_CUDA = { torch: build('2.8.0+cu128', { target: 'cuda', cuda: '12.8', code: ['sm_80', 'sm_86'] }) };
const TORCH_ROCM = { torch: build('2.10.0+rocm7.0', { target: 'rocm', rocm: '7.0' }) };
const WHL = '--index-url https://download.pytorch.org/whl';

/** A place, a command that does not work there, the reason, and a similar command that works. */
const COMMANDS: readonly [what: string, place: CommandTarget, refused: string, why: RegExp, works: string][] = [
  [
    'Python',
    on({ python: '3.8' }),
    'pip install "tensorflow==1.5"',
    /no such wheel for Python 3.8/,
    'pip install "tensorflow==2.5.*"',
  ],
  [
    'Python, for an index',
    on({ python: '3.8' }),
    `pip install torch ${WHL}/cu130`,
    /cu130/,
    `pip install torch ${WHL}/cu121`,
  ],
  ['an extra', on({ python: '3.6' }), 'pip install "tensorflow[and-cuda]"', /no extra/, 'pip install tensorflow'],
  [
    'a system',
    on({ os: 'macos', architecture: 'arm64' }),
    `pip install torch ${WHL}/cu126`,
    /macOS/,
    'pip install torch',
  ],
  ['Windows', on({ os: 'windows' }), 'pip install "jax[cuda12]"', /CUDA builds for that system/, 'pip install jax'],
  ['Arm', on({ architecture: 'arm64' }), 'pip install "tensorflow[and-cuda]"', /Arm/, 'pip install tensorflow'],
  [
    'a driver',
    on({ driver: '367.57' }),
    `pip install torch ${WHL}/cu118`,
    /needs driver 450/,
    `pip install torch ${WHL}/cpu`,
  ],
  [
    'a driver of CUDA 11',
    on({ driver: '470.82.01' }),
    `pip install torch ${WHL}/cu126`,
    /needs driver 525/,
    `pip install torch ${WHL}/cu118`,
  ],
  [
    'a driver of CUDA 12',
    on({ driver: '535.54.03' }),
    'pip install "onnxruntime-gpu[cuda,cudnn]"',
    /CUDA 13/,
    'pip install "onnxruntime-gpu[cuda,cudnn]<1.27"',
  ],
  [
    'a driver, by a name',
    on({ driver: '535.54.03' }),
    'pip install cupy-cuda13x',
    /CUDA 13/,
    'pip install cupy-cuda12x',
  ],
  [
    'a driver, for conda',
    on({ driver: '418.39' }),
    'conda install -c nvidia cuda-toolkit=11.8',
    /needs driver/,
    'conda install cudatoolkit=10.1',
  ],
  [
    'a GPU',
    on({ capabilities: ['6.1'] }),
    `pip install torch ${WHL}/cu130`,
    /does not run on GPUs/,
    `pip install torch ${WHL}/cu126`,
  ],
  [
    'a GPU of 5.0',
    on({ capabilities: ['5.0'] }),
    'pip install "jax[cuda12]" "nvidia-cudnn-cu12<9.11"',
    /does not run on GPUs/,
    `pip install torch ${WHL}/cu126`,
  ],
  [
    'a GPU that is too new',
    on({ capabilities: ['12.0'] }),
    `pip install torch ${WHL}/cu126`,
    /does not run on GPUs/,
    `pip install torch ${WHL}/cu128`,
  ],
  [
    'cuDNN',
    on({ capabilities: ['6.1'] }),
    'pip install "tensorflow[and-cuda]"',
    /newest cuDNN/,
    'pip install "tensorflow[and-cuda]" "nvidia-cudnn-cu12<9.11"',
  ],
  [
    'ROCm',
    on({ installed: TORCH_ROCM }),
    `pip install --force-reinstall torch ${WHL}/rocm6.4`,
    /older 6.4/,
    `pip install --force-reinstall torch ${WHL}/rocm7.1`,
  ],
  [
    'a newer CUDA',
    on({ installed: TORCH_CUDA, driver: '580.65.06', capabilities: ['8.6'], python: '3.9' }),
    `pip install --force-reinstall torch==2.6.0 ${WHL}/cu118`,
    /older build, unnecessarily/,
    `pip install --force-reinstall torch==2.8.0 ${WHL}/cu126`,
  ],
  [
    'a build for GPUs',
    on({ os: 'windows', installed: TORCH_CUDA }),
    'pip install --upgrade torch',
    /for the CPU/,
    `pip install --upgrade torch ${WHL}/cu128`,
  ],
  [
    'AMD',
    on({ installed: TORCH_ROCM }),
    'pip install --upgrade torch',
    /AMD/,
    `pip install --upgrade torch ${WHL}/rocm7.1`,
  ],
  ['PowerShell', on({ os: 'windows' }), 'sudo dmesg', /Linux command/, 'nvidia-smi'],
  ['a Linux folder', on({ os: 'windows' }), 'dir /usr/local/cuda', /Linux command/, 'dir C:\\CUDA'],
  ['cmd.exe', on({ os: 'windows', isCmd: true }), 'pip list; pip check', /semicolon/, 'pip list && pip check'],
  ['Linux', on({ isWsl: false }), 'wsl --update', /Windows command/, 'ldconfig -p'],
  [
    'WSL',
    on({ isWsl: true }),
    'sudo apt install nvidia-driver-550',
    /uses the Windows driver/,
    'sudo apt install cuda-toolkit-12-6',
  ],
  [
    'TensorFlow 1.8',
    on({ newest: { tensorflow: '1.8' } }),
    'export TF_FORCE_GPU_ALLOW_GROWTH=true',
    /added in tensorflow 1.12/,
    'export CUDA_VISIBLE_DEVICES=0',
  ],
  [
    'a folder of another distribution',
    on({ distributions: [{ name: 'tensorflow-cpu', version: '2.16.2' }] }),
    'pip install tensorflow==2.16.2',
    /into the folder of tensorflow-cpu 2\.16\.2/,
    'pip uninstall -y tensorflow-cpu && pip install tensorflow==2.16.2',
  ],
  [
    'a folder of another distribution, through what the package requires',
    on({ distributions: [{ name: 'tensorflow-cpu', version: '2.16.2' }] }),
    'pip install tf-keras==2.16.0',
    /installs tensorflow into the folder of tensorflow-cpu/,
    'pip install --no-deps tf-keras==2.16.0',
  ],
  [
    "CUDA's libraries without a GPU",
    on({ lacksGpu: true, python: '3.11' }),
    'pip install "jax[cuda12]"',
    /this machine has none/,
    'pip install jax',
  ],
];

describe('a command that does not work', () => {
  for (const [what, place, refused, why, works] of COMMANDS)
    it(`for ${what}: ${refused}`, () => {
      assert.match(objectionTo(refused, place) ?? 'nothing is known against it', why);
      assert.equal(objectionTo(works, place), undefined);
      assert.equal(
        objectionTo(refused, UNKNOWN_TARGET)?.match(/for (?:the CPU|CUDA)/),
        undefined,
        'and elsewhere it may',
      );
    });

  it('may work in a new environment with another Python', () => {
    const install = 'pip install "tensorflow==1.15.*"';
    assert.match(objectionTo(install, on({ python: '3.12' })) ?? '', /no such wheel/);
    assert.equal(objectionTo(`conda create -n old python=3.7 && ${install}`, on({ python: '3.12' })), undefined);
    assert.match(objectionTo(`conda create -n old python=3.9 && ${install}`, on({})) ?? '', /Python 3.9/);
  });

  it('excludes commands with a version placeholder', () => {
    assert.equal(objectionTo('pip install "torch==VERSION"', on({ python: '3.8' })), undefined);
  });

  it('in Python code names a release that lacks a function', () => {
    const growth = 'tf.config.experimental.set_memory_growth(gpu, True)';
    assert.match(objectionToCode(growth, on({ newest: { tensorflow: '1.8' } })) ?? '', /tf\.config/);
    assert.equal(objectionToCode(growth, on({ newest: { tensorflow: '2.4' } })), undefined);
  });
});

describe('a command is adapted', () => {
  const PASCAL = on({ capabilities: ['6.1'], driver: '580.65.06', python: '3.12' });
  it('with the index of a build that runs there', () => {
    const install = (tag: string) => `pip install torch ${WHL}/${tag}`;
    assert.equal(adapted(install('cu128'), PASCAL), install('cu126'));
    assert.equal(adapted(install('cu126'), on({ driver: '470.82.01' })), install('cu118'));
    assert.equal(adapted(install('cu126'), on({ driver: '367.57' })), undefined);
    assert.equal(adapted(install('cu128'), PASCAL, true), undefined, 'an explicit build is kept');
  });

  it('with the last cuDNN for the GPU, or a release that runs on it', () => {
    assert.equal(adapted('pip install "jax[cuda12]"', PASCAL), 'pip install "jax[cuda12]" "nvidia-cudnn-cu12<9.11"');
    const maxwell = on({ capabilities: ['5.0'], python: '3.11' });
    assert.equal(adapted('pip install "tensorflow[and-cuda]"', maxwell), 'pip install "tensorflow[and-cuda]==2.15.*"');
    assert.equal(
      adapted('pip install "onnxruntime-gpu[cuda,cudnn]"', on({ driver: '535.54.03' })),
      'pip install "onnxruntime-gpu[cuda,cudnn]==1.26.*"',
    );
  });

  it('with a Python that has wheels', () => {
    assert.equal(
      adapted('pip install "tensorflow==1.15.*"', on({ python: '3.12' })),
      'conda create -n gpu python=3.7 && conda activate gpu && pip install "tensorflow==1.15.*"',
    );
    assert.equal(adapted('pip install torch', on({ python: '3.12' })), 'pip install torch');
  });
});
