import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderWith, run } from './run.ts';

const RECORD = `format: 1
system:
  os: Ubuntu 24.04.3 LTS
  architecture: x64
driver: 580.95.05
driver-cuda: 13.0
gpus:
  - name: NVIDIA GeForce GTX 1080
    compute-capability: 6.1
python: 3.12.3
`;

const old = RECORD.replace('580.95.05', '510.39.01')
  .replace('13.0', '11.6')
  .replace('6.1', '8.6')
  .replace('GTX 1080', 'RTX 3060');

test("a plan is for the project's needs on the recorded machine", async (t) => {
  const cwd = await folderWith(t, {
    'gpu-stack.yaml': RECORD,
    'uv.lock': '',
    'requirements.txt': 'torch>=2.4,<2.8\ntorchaudio\npandas\n',
  });
  const { status, stdout, stderr } = await run(['plan', '--from', 'gpu-stack.yaml'], { cwd });
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^uv pip install --python \.venv torch==2\.7\.1 "torchaudio==2\.7\.\*" pandas$/m);
  assert.match(stdout, /^# torch 2\.7\.1 for CUDA 12\.6: it has code for GTX 1080 \(6\.1\)/m);
  // Packages named on the command line replace those.
  const named = await run(['plan', 'jax', '--from', 'gpu-stack.yaml', '--for', 'pip'], { cwd });
  assert.match(named.stdout, /pip install "jax\[cuda12\]==0\.12\.\*" "nvidia-cudnn-cu12<9\.11"$/m);
});

test('a plan is written for the tool that locks the project, with the other contents of its files', async (t) => {
  const requirements =
    'torch==2.8.0\nflash-attn ; python_version < "3.13"\nx @ https://example.org/x-1-py3-none-any.whl\n';
  for (const [lock, line] of [
    ['poetry.lock', 'poetry source add --priority=explicit pytorch-cu126 https://download.pytorch.org/whl/cu126'],
    ['poetry.lock', 'poetry add --source pytorch-cu126 torch==2.8.0'],
    ['pdm.lock', 'pdm add torch==2.8.0'],
    ['Pipfile', 'pipenv install --index https://download.pytorch.org/whl/cu126 torch==2.8.0'],
  ] as const) {
    const cwd = await folderWith(t, { 'gpu-stack.yaml': RECORD, [lock]: '', 'requirements.txt': requirements });
    const { status, stdout } = await run(['plan', '--from', 'gpu-stack.yaml'], { cwd });
    assert.equal(status, 0);
    assert.ok(stdout.split('\n').includes(line), stdout);
    assert.match(stdout, /^# Not in this plan: x @ https:\S+ \(requirements\.txt takes it from a URL/m);
    // Its condition holds for the Python of the plan, but it has no code for this GPU.
    assert.match(stdout, /flash-attn \(where python_version < "3\.13"\) \(no release of it fits the others\)/);
  }
});

test('a plan includes listed files, and evaluates conditions for its system', async (t) => {
  const cwd = await folderWith(t, {
    'gpu-stack.yaml': RECORD,
    'requirements.txt': '-r requirements/gpu.txt\n-c constraints.txt\n-r gone.txt\npandas\n',
    'requirements/gpu.txt':
      'torch\n-r more.txt\nsetuptools @ https://example.org/setuptools-1-py3-none-any.whl\n' +
      'tensorflow-metal ; sys_platform == "darwin"\nnumba ; platform_system != "Windows" and os_name != "nt"\n',
    'requirements/more.txt': 'torchaudio ; sys_platform == "linux" and platform_machine == "x86_64"\n',
    'constraints.txt': 'torch==2.7.1\ntensorflow==2.19.0\n',
  });
  const { status, stdout } = await run(['plan', '--from', 'gpu-stack.yaml'], { cwd });
  assert.equal(status, 0);
  assert.match(stdout, /pip install pandas torch==2\.7\.1 numba "torchaudio==2\.7\.\*"$/m);
  assert.match(stdout, /^# Requirements: .*torch==2\.7\.1 \(requirements\/gpu\.txt\)/m);
  assert.match(stdout, /torchaudio \(requirements\/more\.txt\)/);
  assert.match(stdout, /Not in this plan: gone\.txt \(requirements\.txt names it, but it cannot be read\)/);
  assert.match(
    stdout,
    /Not in this plan: setuptools @ https:\/\/example\.org\S+ \(requirements\.txt takes it from a URL/,
  );
  assert.doesNotMatch(stdout, /metal|tensorflow==/);
});

test('without files, the imports of the Python files define the needs, except optional ones', async (t) => {
  const cwd = await folderWith(t, {
    'a.py':
      '"""\nimport jax\n"""\nimport torch.nn as nn\ntry:\n    import xformers\nexcept ImportError:\n    xformers = None\n',
    'b.ipynb': JSON.stringify({
      cells: [
        {
          cell_type: 'code',
          execution_count: null,
          metadata: {},
          outputs: [],
          source: ['%pip list\n', 'from tensorflow import keras'],
        },
      ],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 5,
    }),
  });
  const { stdout } = await run(['plan', '--output-format', 'json'], { cwd });
  assert.deepEqual(JSON.parse(stdout).needs, [
    { requirement: 'torch', because: 'imported by a.py' },
    { requirement: 'tensorflow', because: 'imported by b.ipynb' },
  ]);
});

test('a driver that is too old comes first if a newer one exists', async (t) => {
  const cwd = await folderWith(t, { 'gpu-stack.yaml': old });
  const { status, stdout } = await run(['plan', 'torch==2.9.1', '--from', 'gpu-stack.yaml'], { cwd });
  assert.equal(status, 0);
  assert.match(stdout, /^# First update the NVIDIA driver to 525\.60\.13 or newer/m);
  assert.match(
    stdout,
    /^# Or keep the driver and change torch==2\.9\.1 to torch==2\.7\.1: that gives Python 3\.12, torch 2\.7\.1 for CUDA 11\.8\.$/m,
  );
});

test('if nothing fits, standard error names the smallest change that does, and no file is written', async (t) => {
  const cwd = await folderWith(t, {
    'gpu-stack.yaml': RECORD,
    'requirements.txt': 'torch==2.6.0\ntorchvision==0.15.0\n',
  });
  const args = ['plan', '--from', 'gpu-stack.yaml'];
  const sentence =
    'gpu-doctor: no environment fits: change torchvision==0.15.0 (requirements.txt) to torchvision==0.21.*: that gives Python 3.12, torch 2.6.0 for CUDA 12.4.\n';
  const printed = await run(args, { cwd });
  assert.deepEqual([printed.status, printed.stderr], [1, sentence]);
  assert.match(printed.stdout, /^# Or change torch==2\.6\.0 \(requirements\.txt\) to torch==2\.0\.1: /m);
  const written = await run([...args, '--output-file', 'install.sh'], { cwd });
  assert.deepEqual([written.status, written.stdout, written.stderr], [1, '', sentence]);
  await assert.rejects(readFile(join(cwd, 'install.sh')));
  const json = await run([...args, '--output-format', 'json', '--output-file', 'plan.json'], { cwd });
  assert.equal(json.status, 1);
  const { summary, changes } = JSON.parse(await readFile(join(cwd, 'plan.json'), 'utf8'));
  assert.deepEqual(
    [summary, changes.length, changes[0].pins],
    [
      null,
      2,
      [
        {
          name: 'torchvision',
          from: 'torchvision==0.15.0',
          because: 'requirements.txt',
          to: 'torchvision==0.21.*',
        },
      ],
    ],
  );
  // If no pin helps, there is none to change.
  const vllm = await run(['plan', 'vllm', '--from', 'gpu-stack.yaml'], { cwd });
  assert.equal(vllm.status, 1);
  assert.match(vllm.stderr, /^gpu-doctor: no environment fits: No known wheels?[^\n]+ vllm [^\n]+\.\n$/);
  const fits = await run(['plan', 'torch==2.6.0', '--from', 'gpu-stack.yaml'], { cwd });
  assert.deepEqual([fits.status, fits.stderr], [0, '']);
});

test('conflicts and unreadable files are reported', async (t) => {
  const cwd = await folderWith(t, { 'gpu-stack.yaml': RECORD, 'broken.yaml': 'gpus: 3\n', 'empty.py': 'x = 1\n' });
  const impossible = await run(['plan', 'vllm', '--from', 'gpu-stack.yaml'], { cwd });
  assert.equal(impossible.status, 1);
  assert.match(impossible.stdout, /offer all of these together|offers code of vllm for the GTX 1080/);
  for (const [args, sentence] of [
    [['plan'], 'nothing here says what the environment is for: name it, as in `gpu-doctor plan torch`'],
    [['plan', 'torch=2'], '`torch=2` is not a requirement, such as `torch==2.6`'],
    [
      ['plan', 'torch', '--for', 'pixie'],
      '`--for pixie` is not one of pip, uv, poetry, pdm, pipenv, conda, pixi, dockerfile, devcontainer: did you mean `pixi`?',
    ],
    [['plan', 'torch', '--output-format', 'xml'], '`--output-format xml` is not one of text, json'],
    [['plan', 'torch', '--from', 'nowhere.json'], 'nowhere.json does not exist'],
  ] as const) {
    const { status, stderr, stdout } = await run(args, { cwd });
    assert.deepEqual([status, stdout, stderr], [2, '', `gpu-doctor: ${sentence}\n`]);
  }
  const broken = await run(['plan', 'torch', '--from', 'broken.yaml'], { cwd });
  assert.equal(broken.status, 2);
  assert.match(broken.stderr, /^gpu-doctor: broken\.yaml:1/);
});

/** A project whose environment has these packages. */
const environment = (torch: string) => ({
  '.venv/pyvenv.cfg': 'home = /usr/bin\nversion = 3.12.1\n',
  '.venv/bin/python': '',
  '.venv/lib/python3.12/site-packages/torch/version.py': `__version__ = '${torch}+cpu'\n`,
  [`.venv/lib/python3.12/site-packages/torch-${torch}.dist-info/METADATA`]: '',
});

test("an environment is checked against the project's needs", async (t) => {
  const env = { VIRTUAL_ENV: '', CONDA_PREFIX: '' };
  const cwd = await folderWith(t, environment('2.9.0'));
  const has = await run(['plan', '--check', 'torch>=2.8'], { cwd, env });
  assert.equal(has.status, 0, has.stdout + has.stderr);
  assert.match(has.stdout, /has what is needed, in builds that work here\.\n$/);
  const lacks = await run(['plan', '--check', 'torch<2.8', 'tensorflow'], { cwd, env });
  assert.equal(lacks.status, 1);
  assert.match(lacks.stdout, /^torch is 2\.9\.0\+cpu, but torch<2\.8 is needed\.\ntensorflow is not installed/);
  const { status } = await run(['plan', '--check', 'torch', '--python', 'nowhere'], { cwd, env });
  assert.equal(status, 2);
});

test('installed packages are checked with all requirements in their metadata', async (t) => {
  const env = { VIRTUAL_ENV: '', CONDA_PREFIX: '' };
  const packages = '.venv/lib/python3.12/site-packages';
  const metadata = (name: string, installer: string, ...required: string[]) => ({
    [`${packages}/${name}.dist-info/INSTALLER`]: installer,
    [`${packages}/${name}.dist-info/METADATA`]: `Metadata-Version: 2.1\n${required.map((each) => `Requires-Dist: ${each}\n`).join('')}\nRequires-Dist: text\n`,
  });
  const cwd = await folderWith(t, {
    '.venv/pyvenv.cfg': 'home = /usr/bin\nversion = 3.12.1\n',
    '.venv/bin/python': '',
    ...metadata(
      'jax-0.7.2',
      'uv',
      'jaxlib<=0.7.2,>=0.7.2',
      'opt_einsum',
      'jax-cuda12-plugin==0.7.2 ; extra == "cuda12"',
    ),
    ...metadata('jaxlib-0.7.2', 'pip', 'numpy>=2.0; python_version >= "3.12"', 'tomli; python_version < "3.11"'),
    ...metadata('numpy-1.26.4', 'pip'),
    ...metadata('opt_einsum-3.4.0', 'pip', 'tensorflow', 'opencv-python'),
    ...metadata('tensorflow_cpu-2.19.0', 'pip'),
    ...metadata('opencv_python_headless-4.12.0.88', 'conda', 'gone'),
    ...metadata('other-1.0', 'pip', 'gone'),
  });
  const check = async (...needs: string[]) => {
    const { status, stdout } = await run(['plan', '--check', ...needs], { cwd, env });
    return [status, ...stdout.trim().split('\n')];
  };
  const numpy = 'jaxlib 0.7.2 requires numpy>=2.0, and numpy is 1.26.4.';
  assert.deepEqual(await check('jax', 'tensorflow', 'opt-einsum'), [1, numpy]);
  assert.deepEqual(await check('jax[cuda12]', 'requests', 'tensorflow-cpu>=2.18'), [
    1,
    'requests is not installed.',
    'jax 0.7.2 is built for the CPU, but jax[cuda12] is needed.',
    'jax[cuda12] 0.7.2 requires jax-cuda12-plugin, which is not installed.',
    numpy,
  ]);
});

test('a plan is written to a file', async (t) => {
  const cwd = await folderWith(t, { 'gpu-stack.yaml': RECORD });
  const args = ['plan', 'torch', '--from', 'gpu-stack.yaml', '--for', 'dockerfile', '--output-file', 'Dockerfile'];
  const { status, stdout, stderr } = await run(args, { cwd });
  assert.deepEqual([status, stdout, stderr], [0, '', 'Wrote Dockerfile.\n']);
  assert.match(await readFile(join(cwd, 'Dockerfile'), 'utf8'), /^FROM python:3\.12-slim$/m);
});

test("conditions are evaluated for an image's Linux, or otherwise for the machine", async (t) => {
  const cwd = await folderWith(t, {
    'gpu-stack.yaml': RECORD.replace('Ubuntu 24.04.3 LTS', 'Windows 11'),
    'requirements.txt':
      'torch==2.7.1\npywin32 ; sys_platform == "win32"\nuvloop ; sys_platform != "win32"\nnumba ; os_name == "posix"\n',
  });
  for (const form of ['dockerfile', 'devcontainer']) {
    const { stdout } = await run(['plan', '--from', 'gpu-stack.yaml', '--for', form], { cwd });
    assert.match(stdout, /uvloop numba/);
    assert.doesNotMatch(stdout, /pywin32/);
  }
  const { stdout } = await run(['plan', '--from', 'gpu-stack.yaml', '--for', 'pip'], { cwd });
  assert.match(stdout, /pywin32/);
  assert.doesNotMatch(stdout, /uvloop|numba/);
});

test('files of any name are read, and a misspelled name is not promised anything', async (t) => {
  const cwd = await folderWith(t, {
    'gpu-stack.yaml': RECORD,
    'pyproject.toml':
      '[project]\nname = "x"\nversion = "1"\nrequires-python = ">=3.11,<3.12"\ndependencies = ["torch==2.6.0"]\n',
    'deps.txt': 'torch==2.7.1\nrich\n',
    'uv.lock': 'version = 1\n',
    'data.bin': '',
  });
  const planned = (...args: string[]) => run(['plan', ...args, '--from', 'gpu-stack.yaml', '--for', 'pip'], { cwd });
  assert.match(
    (await planned('deps.txt')).stdout,
    /install torch==2\.7\.1 rich$|install torch==2\.7\.1 .*\n(?:.*\n)*.*install rich/m,
  );
  const project = (await planned('pyproject.toml')).stdout;
  assert.match(project, /^# Python 3\.11: within >=3\.11,<3\.12 \(pyproject\.toml\), and torch has wheels for it\.$/m);
  for (const [name, sentence] of [
    ['torhc', 'there is no known package `torhc`: did you mean `torch`?'],
    ['tensorflwo==2.15', 'there is no known package `tensorflwo`: did you mean `tensorflow`?'],
    ['gone.txt', '`gone.txt` does not exist'],
    ['uv.lock', '`uv.lock` is a lock file, which its own tool installs: name the file that it locks'],
    ['data.bin', '`data.bin` is no file that declares requirements'],
    [
      'rich',
      'no package with GPU code is known under the name `rich`: name the framework too, as in `gpu-doctor plan torch rich`',
    ],
  ] as const) {
    const { status, stderr, stdout } = await planned(name);
    assert.deepEqual([status, stdout, stderr], [2, '', `gpu-doctor: ${sentence}\n`]);
  }
  assert.match((await planned('torch', 'rich')).stdout, /install rich torch==/);
});

test('each requirement of a project is in the plan or named with the reason why not', async (t) => {
  const cwd = await folderWith(t, {
    'gpu-stack.yaml': RECORD,
    'environment.yml':
      'channels: [conda-forge, bioconda]\ndependencies:\n  - python=3.11\n  - pytorch=2.6\n  - samtools>=1.19\n  - pip:\n      - -e ./ops\n      - git+https://example.org/a/b.git\n',
    'requirements-dev.txt': 'pytest\n',
    'poetry.lock': '[[package]]\nname = "torch"\nversion = "2.6.0"\n',
  });
  const conda = await run(['plan', '--from', 'gpu-stack.yaml', '--for', 'conda'], { cwd });
  assert.match(conda.stdout, /--channel conda-forge --channel bioconda python=3\.11 pip "samtools>=1\.19"$/m);
  assert.match(conda.stdout, /^# Not in this plan: -e \.\/ops \(environment\.yml takes it from a folder/m);
  assert.match(conda.stdout, /^# Not in this plan: git\+https:\S+ \(environment\.yml takes it from a repository/m);
  assert.match(conda.stdout, /^# Not in this plan: requirements-dev\.txt/m);
  assert.match(conda.stdout, /^# poetry\.lock has the project's earlier builds: redo it with `poetry lock`\.$/m);
  const json = await run(['plan', '--from', 'gpu-stack.yaml', '--for', 'pip', '--output-format', 'json'], { cwd });
  const { leftOut } = JSON.parse(json.stdout) as { leftOut: { requirement: string }[] };
  assert.deepEqual(
    leftOut.map(({ requirement }) => requirement),
    ['-e ./ops', 'git+https://example.org/a/b.git', 'requirements-dev.txt', 'samtools'],
  );
});

test('requirements in a folder of lists count, and a library that the loader must find is put on its path', async (t) => {
  const cwd = await folderWith(t, {
    'gpu-stack.yaml': RECORD,
    'requirements/base.txt': 'faster-whisper==1.1.1\n',
    'requirements/serve.txt': '-r base.txt\nfastapi\n',
    'requirements/test.txt': '-r base.txt\npytest\n',
  });
  const docker = await run(['plan', '--from', 'gpu-stack.yaml', '--for', 'dockerfile'], { cwd });
  assert.match(docker.stdout, /fastapi faster-whisper==1\.1\.1 /);
  assert.match(
    docker.stdout,
    /^ENV LD_LIBRARY_PATH=\/usr\/local\/lib\/python3\.12\/site-packages\/nvidia\/cublas\/lib:/m,
  );
});
