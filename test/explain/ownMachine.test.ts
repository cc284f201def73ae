/** Explanations that use what is known of the machine: that it has no GPU, and which Python is selected. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explainErrors } from '../../server/src/explain/explain.ts';
import { gather } from '../../server/src/explain/gather.ts';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import { factsOfMachine } from '../commands/machines.ts';

const PROGRAM = 'import torch\n\nmodel = torch.nn.Linear(2, 2)\nmodel = model.cuda()\n';

const traceback = (packages: string) => `Traceback (most recent call last):
  File "/project/train.py", line 4, in <module>
    model = model.cuda()
  File "${packages}/torch/cuda/__init__.py", line 211, in _lazy_init
    raise AssertionError("Torch not compiled with CUDA enabled")
AssertionError: Torch not compiled with CUDA enabled
`;

async function explained(machine: string, text: string) {
  const facts = await factsOfMachine(machine);
  const readText = async (path: string) => (path === '/project/train.py' ? PROGRAM : undefined);
  const paste = readPaste(text);
  const known = await gather(paste, facts, { readText, readCheckpoint: async () => undefined }, '/project');
  const [first] = explainErrors(paste, known);
  assert.ok(first);
  return first;
}

const OWN = '/home/ada/project/.venv/lib/python3.12/site-packages';

describe('a torch without CUDA', () => {
  for (const machine of ['laptop-without-gpu', 'wsl2-without-driver', 'docker-on-host-without-gpu'])
    test(`on ${machine} is explained by the machine, and the edit comes first`, async () => {
      const { message, causes, remedies } = await explained(machine, traceback(OWN));
      assert.equal(message, 'AssertionError: Torch not compiled with CUDA enabled');
      const [first] = causes;
      assert.deepEqual([first?.id, first?.standing], ['machine-without-gpu', 'confirmed']);
      assert.match(first?.evidence[0] ?? '', /^No NVIDIA (device found|GPU is usable here: nvidia-smi not found)/);
      assert.equal(remedies[0]?.code, 'model = model.to(device)');
      assert.equal(remedies[0]?.edit?.filename, '/project/train.py');
      assert.deepEqual(
        remedies.filter(({ command }) => command?.includes('/whl/cu')),
        [],
      );
    });

  test('on a machine with a GPU is explained by the build, which is replaced', async () => {
    const { causes, remedies } = await explained('rtx3090-cpu-torch', traceback(OWN));
    assert.deepEqual([causes[0]?.id, causes[0]?.standing], ['build-for-cpu', 'confirmed']);
    assert.ok(!causes.some(({ id }) => id === 'machine-without-gpu'));
    assert.match(
      remedies[0]?.command ?? '',
      /^\/home\/ada\/project\/\.venv\/bin\/python3 -m pip install .*\/whl\/cu\d+/,
    );
  });
});

describe('an error that only a GPU causes', () => {
  const NO_CODE = 'RuntimeError: CUDA error: no kernel image is available for execution on the device\n';
  const standing = async (machine: string) =>
    Object.fromEntries((await explained(machine, NO_CODE)).causes.map((each) => [each.id, each.standing]));

  test('comes from another machine where there is none, and its causes stay possible', async () => {
    assert.equal((await standing('laptop-without-gpu'))['gpu-newer-than-build'], 'possible');
  });

  test('is confirmed or excluded by the GPU and the build where there is one', async () => {
    assert.equal((await standing('blackwell-with-old-wheel'))['gpu-newer-than-build'], 'confirmed');
    assert.equal((await standing('rtx3090-cu124'))['gpu-newer-than-build'], undefined);
  });
});

test('a package that was compiled for another NumPy is named', async () => {
  const { causes } = await explained('numpy-2-with-older-torch', 'RuntimeError: Numpy is not available\n');
  assert.deepEqual(
    causes.map(({ id, standing }) => [id, standing]),
    [['numpy-2-with-old-package', 'confirmed']],
  );
  assert.match(
    causes[0]?.evidence[0] ?? '',
    /^torch 2\.2\.1\+cu121 was compiled for NumPy 1, and NumPy 2\.0\.1 is installed/,
  );
});

describe('commands of the catalogue', () => {
  const numpy = (packages: string) => `Traceback (most recent call last):
  File "/project/train.py", line 4, in <module>
    x.numpy()
  File "${packages}/torch/_tensor.py", line 1030, in __array__
    return self.numpy()
RuntimeError: Numpy is not available
`;

  test('name the selected interpreter', async () => {
    const { remedies } = await explained('rtx3090-cpu-torch', numpy(OWN));
    const commands = remedies.flatMap(({ command }) => command ?? []);
    assert.ok(commands.length > 0);
    for (const command of commands) assert.match(command, /^\/home\/ada\/project\/\.venv\/bin\/python3 -m pip /);
  });

  test('name none where another Python failed', async () => {
    const { remedies } = await explained('rtx3090-cpu-torch', numpy('/opt/other/lib/python3.12/site-packages'));
    const commands = remedies.flatMap(({ command }) => command ?? []);
    assert.ok(commands.length > 0);
    for (const command of commands) assert.match(command, /^pip /);
  });

  for (const [where, text] of [
    [
      'a GPU failed that this machine lacks',
      'RuntimeError: CUDA error: no kernel image is available for execution on the device\n',
    ],
    [
      'a warning is from the packages of another Python',
      '/opt/other/lib/python3.12/site-packages/torch/cuda/__init__.py:128: UserWarning: CUDA initialization: Unexpected error\nRuntimeError: Numpy is not available\n',
    ],
  ] as const)
    test(`name none where ${where}`, async () => {
      const { remedies, questions } = await explained('laptop-without-gpu', text);
      const commands = [...remedies, ...questions].flatMap(({ command }) => command ?? []);
      assert.ok(commands.length > 0);
      for (const command of commands) assert.doesNotMatch(command, /\/home\/ada/);
    });
});
