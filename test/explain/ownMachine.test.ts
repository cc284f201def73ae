/** Explanations that use what is known of the machine: that it has no GPU, and which Python is selected. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unreadCheckpoint } from '../../server/src/checkpoint/unreadCheckpoint.ts';
import { explainErrors } from '../../server/src/explain/explain.ts';
import { gather } from '../../server/src/explain/gather.ts';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { factsOfMachine } from '../commands/machines.ts';
import { describedMachine } from '../stack/describedMachine.ts';

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

describe('the memory, disk and processor of this machine', () => {
  const GIB = 2 ** 30;

  async function firstCause(text: string, files: Record<string, string>, free?: number) {
    const { machine, folders } = describedMachine({ packages: ['numpy==1.26.4'], files });
    const facts = await readStack({ machine: { ...machine, mainMemory: () => 16 * GIB }, folders });
    const readCheckpoint = async (path: string) =>
      path === '/project/best.pt' ? unreadCheckpoint('torch', 4096, 'The file ends early.') : undefined;
    const access = { readText: async () => undefined, readCheckpoint, freeSpace: async () => free };
    const paste = readPaste(text);
    const [first] = explainErrors(paste, await gather(paste, facts, access, '/project'));
    const [cause] = first?.causes ?? [];
    return { id: cause?.id, standing: cause?.standing, evidence: cause?.evidence.join(' '), first };
  }

  const mounted = (options: string) => ({ '/proc/mounts': `shm /dev/shm tmpfs ${options} 0 0\n` });
  const inPackages = (packages: string) => `Traceback (most recent call last):
  File "${packages}/torch/utils/data/dataloader.py", line 1133, in _try_get_data
    data = self._data_queue.get(timeout=timeout)
RuntimeError: DataLoader worker (pid 94) is killed by signal: Bus error.
`;
  const SITE = '/home/ada/project/.venv/lib/python3.10/site-packages';

  test('little shared memory confirms a bus error, and enough of it excludes that cause where the program ran', async () => {
    const little = await firstCause(inPackages(SITE), mounted('rw,nosuid,size=65536k'));
    assert.deepEqual([little.id, little.standing], ['small-shm', 'confirmed']);
    assert.match(little.evidence ?? '', /^\/dev\/shm has 64 MiB \(the system and \/proc\/mounts\)\.$/);
    assert.equal((await firstCause(inPackages(SITE), mounted('rw,nosuid'))).id, 'ram-used-up');
    const elsewhere = await firstCause(inPackages('/opt/python/site-packages'), mounted('rw,nosuid'));
    assert.deepEqual([elsewhere.id, elsewhere.standing], ['small-shm', 'possible']);
    assert.equal(elsewhere.first?.questions[0]?.command, 'df -h /dev/shm');
    const full = 'RuntimeError: unable to write to file </torch_812>: No space left on device (28)\n';
    const said = await firstCause(full, mounted('rw,nosuid'));
    assert.deepEqual([said.id, said.standing], ['small-shm', 'confirmed']);
  });

  test('a request for more than all memory is confirmed, and a smaller one asks', async () => {
    const refused = (bytes: number) =>
      `RuntimeError: [enforce fail at alloc_cpu.cpp:114] data. DefaultCPUAllocator: can't allocate memory: you tried to allocate ${bytes} bytes.\n`;
    const large = await firstCause(refused(40 * GIB), {});
    assert.deepEqual([large.id, large.standing], ['ram-used-up', 'confirmed']);
    assert.match(large.evidence ?? '', /requests 40\.0 GiB, and there are 16\.0 GiB/);
    const small = await firstCause(refused(GIB), {});
    assert.deepEqual([small.id, small.standing], ['ram-used-up', 'possible']);
    assert.equal(small.first?.questions[0]?.title, 'See how much RAM there is: 16.0 GiB of RAM');
  });

  test('a processor without AVX is confirmed, and one with AVX is excluded', async () => {
    const text = 'import tensorflow\nIllegal instruction (core dumped)\n';
    const processor = (flags: string) => ({
      '/proc/cpuinfo': `model name\t: Intel Celeron\nflags\t\t: ${flags}\nbugs\t\t:\n`,
    });
    const without = await firstCause(text, processor('fpu sse4_2 popcnt'));
    assert.deepEqual([without.id, without.standing], ['old-processor', 'confirmed']);
    assert.notEqual((await firstCause(text, processor('fpu sse4_2 avx f16c'))).id, 'old-processor');
    assert.equal((await firstCause(text, {})).standing, 'possible');
  });

  test('a full disk beside the file is confirmed', async () => {
    const text = `Traceback (most recent call last):
  File "/project/train.py", line 9, in <module>
    torch.save(state, "best.pt")
RuntimeError: [enforce fail at inline_container.cc:337] . unexpected pos 1664 vs 1558
`;
    const full = await firstCause(text, {}, 5 * 2 ** 20);
    assert.deepEqual([full.id, full.standing], ['disk-full', 'confirmed']);
    const roomy = await firstCause(text, {}, 900 * GIB);
    assert.deepEqual(
      [roomy.standing, roomy.first?.questions[0]?.title],
      ['possible', 'See how much space is free: 900.0 GiB free beside best.pt'],
    );
  });
});
