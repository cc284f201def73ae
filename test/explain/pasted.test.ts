/**
 * Program output as people paste it, by Pythons from 3.8 to 3.14, IPython, rich, loguru, logging, pytest, pip, uv, g++,
 * nvcc, ptxas, make, ninja and setuptools under torch, torchrun, TensorFlow, JAX and the loader. The output of conda,
 * mamba, Poetry, Docker and Windows is as people have pasted it. All of it is in `pasted/`.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { frameOf, lineOf, readPaste } from '../../server/src/explain/reading/paste.ts';

const FOLDER = path.join(import.meta.dirname, 'pasted');

/**
 * A chain of exceptions whose first one has the message, in a multi-line call, as Pythons from 3.8 to 3.13 print it.
 */
const CHAIN = { message: 'no-kernel-image', file: '/home/ada/project/load.py', line: 8, code: 'raise RuntimeError(' };
/** A group of exceptions with notes. */
const GROUP = { message: 'no-kernel-image', file: '/home/ada/project/group.py', line: 7, code: 'raise error' };

/** A call in a script, as editors' consoles show it. */
const CALL = {
  message: 'torch-not-compiled-with-cuda',
  file: '/home/ada/project/train.py',
  line: 5,
  code: 'model.cuda()',
};

/** The message that is the cause, and the place where the user's own code failed. */
const READ: Readonly<Record<string, { message: string; file?: string; line?: number; code?: string }>> = {
  'python38.txt': CHAIN,
  'python310.txt': CHAIN,
  'python312.txt': CHAIN,
  'python313.txt': CHAIN,
  'colours313.txt': CHAIN,
  'group311.txt': GROUP,
  'group313.txt': GROUP,
  'pytestLong.txt': { message: 'no-kernel-image', file: 'tests/test_train.py', line: 5 },
  'pytestShort.txt': {
    message: 'no-kernel-image',
    file: 'tests/test_train.py',
    line: 5,
    code: 'return model.kernel()',
  },
  'savedCell.txt': {
    message: 'torch-not-compiled-with-cuda',
    file: '/home/ada/project/train.ipynb Cell 3',
    line: 2,
    code: 'torch.zeros(1).cuda()',
  },
  'cutPaths.txt': {
    message: 'torch-not-compiled-with-cuda',
    file: '/home/ada/projects/research/2024/diffusion-experiments/scripts/train_unconditional_ddpm.py',
    line: 412,
    code: 'main(parse_arguments_of_the_command_line_with_all_the_defaults_that_there_are_he',
  },
  'chained.txt': {
    message: 'checkpoint-of-missing-device',
    file: '/home/ada/project/chained.py',
    line: 6,
    code: 'raise RuntimeError(os.environ["SAID"]) from error',
  },
  'compiler.txt': { message: 'headers-missing', file: 'k.cpp', line: 1, code: '#include <cuda_runtime.h>' },
  'dlerror.txt': { message: 'cuda-library-not-found', file: '<stdin>', line: 2 },
  'exceptionGroup.txt': {
    message: 'no-kernel-image',
    file: '/home/ada/project/group.py',
    line: 3,
    code: 'raise RuntimeError(os.environ["SAID"])',
  },
  'ipython.txt': {
    message: 'checkpoint-of-missing-index',
    file: '/home/ada/project/cell.py',
    line: 3,
    code: 'raise RuntimeError(os.environ["SAID"])',
  },
  'logging.txt': {
    message: 'device-side-assert',
    file: '/home/ada/project/log.py',
    line: 5,
    code: 'raise RuntimeError("CUDA error: device-side assert triggered")',
  },
  'loguru.txt': {
    message: 'torch-not-compiled-with-cuda',
    file: '/home/ada/project/logu.py',
    line: 6,
    code: 'raise AssertionError(os.environ["SAID"])',
  },
  'pip.txt': { message: 'no-matching-wheel' },
  'pipBuild.txt': { message: 'torch-missing' },
  'pipConflict.txt': { message: 'resolver-conflict' },
  'uvNoWheel.txt': { message: 'no-matching-wheel' },
  'uvConflict.txt': { message: 'resolver-conflict' },
  'poetry.txt': { message: 'resolver-conflict' },
  'libmamba.txt': { message: 'conda-unsatisfiable' },
  'mambaDriver.txt': { message: 'conda-unsatisfiable' },
  'python314.txt': CHAIN,
  'colours314.txt': CHAIN,
  'group314.txt': { ...GROUP, line: 6 },
  'torchrun.txt': {
    message: 'torch-no-driver',
    file: '/home/ada/project/train.py',
    line: 10,
    code: 'torch.cuda.set_device(local_rank)',
  },
  'ranks.txt': {
    message: 'torch-out-of-memory',
    file: '/home/ada/project/train.py',
    line: 12,
    code: 'x = torch.ones(4, device="cuda")',
  },
  'elasticSpawn.txt': {
    message: 'devices-busy',
    file: '/home/ada/project/train.py',
    line: 17,
    code: 'x = torch.ones(4, device=device)',
  },
  'torchExtension.txt': {
    message: 'sources-for-other-torch',
    file: '/home/ada/project/scale.cu',
    line: 2,
    code: '#include <THC/THC.h>',
  },
  'setupOtherCuda.txt': {
    message: 'toolkit-of-other-cuda',
    file: '/home/ada/project/setup.py',
    line: 4,
    code: 'setup(name="ops", ext_modules=[CUDAExtension("ops", ["ops.cpp", "scale.cu"])], cmdclass={"build_ext": BuildExtension})',
  },
  'nvccHeader.txt': { message: 'headers-missing', file: 'd.cu', line: 1, code: '#include <cudnn.h>' },
  'nvccHostCompiler.txt': { message: 'host-compiler' },
  'nvccRemoved.txt': { message: 'sources-for-older-cuda', file: 'b.cu', line: 2, code: 'texture<float, 1> old;' },
  'ptxas.txt': { message: 'atomic-add-double' },
  'make.txt': { message: 'nvcc-architecture' },
  'tensorflowNode.txt': {
    message: 'explicit-device',
    file: '/home/ada/project/tffail.py',
    line: 18,
    code: 'model.fit(np.ones((8, 4)), np.ones((8, 4)), verbose=0)',
  },
  'jaxDevices.txt': {
    message: 'jax-without-cuda',
    file: '/home/ada/project/jaxfail.py',
    line: 11,
    code: 'device = jax.devices("gpu")[0]',
  },
  'jaxFiltered.txt': {
    message: 'jax-out-of-memory',
    file: '/home/ada/project/jaxfilter.py',
    line: 8,
    code: 'raise RuntimeError("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8589934592 bytes.")',
  },
  'dockerLibrary.txt': { message: 'container-no-driver' },
  'windowsDll.txt': {
    message: 'windows-dll',
    file: 'D:\\soft\\Python\\Bot\\Muice-Chatbot\\llm\\transformers.py',
    line: 3,
    code: 'import torch',
  },
  'windowsPaging.txt': {
    message: 'windows-page-file',
    file: 'D:\\PycharmProject\\WeCLIP\\scripts\\dist_clip_voc.py',
    line: 10,
    code: 'import torch',
  },
  'vscode.txt': CALL,
  'pycharm.txt': { ...CALL, file: 'C:\\Users\\ada\\project\\train.py' },
  'rich.txt': {
    message: 'tensors-on-two-devices',
    file: '/home/ada/project/richtb.py',
    line: 6,
    code: 'raise RuntimeError(os.environ["SAID"])',
  },
};

for (const file of readdirSync(FOLDER))
  test(`${file} is read`, () => {
    const { message, ...at } = READ[file] ?? { message: 'nothing is expected of it' };
    assert.deepEqual(read(contentOf(file)), { message, file: undefined, line: undefined, code: undefined, ...at });
  });

function contentOf(file: string): string {
  return readFileSync(path.join(FOLDER, file), 'utf8');
}

function read(text: string) {
  const paste = readPaste(text);
  const [first] = paste.messages;
  const frame = frameOf(paste, first);
  return { message: first?.message.id, file: frame?.file, line: frame?.line, code: frame?.code };
}

/** Prefixes that launchers and log collectors add to each line. */
const PREFIXES: Readonly<Record<string, (line: number) => string>> = {
  torchrun: () => '[rank3]: ',
  'torchrun --tee': () => '[default0]:',
  'srun --label': () => '3: ',
  'mpirun --tag-output': () => '[1,0]<stderr>:',
  pdsh: () => 'node-07: ',
  Ray: () => '(TorchTrainer pid=4123, ip=10.0.0.7) ',
  vLLM: (line) => `(EngineCore_DP0 pid=4123) ERROR 11-23 08:32:${10 + (line % 50)} [core.py:708] `,
  'GitHub Actions': (line) => `2026-11-23T08:32:${10 + (line % 50)}.12345${10 + line}Z `,
  'docker compose': () => 'trainer-1  | ',
  'docker build': (line) => `#14 ${10 + line}.${100 + line} `,
  kubectl: (line) => `2026-11-23T08:32:${10 + (line % 50)}.123456789+01:00 stderr F `,
  journald: (line) => `Nov  3 08:32:${10 + (line % 50)} node07 python3[4123]: `,
  'an elastic agent': (line) => `E1123 08:32:18.${100000 + line} 24136 torch/elastic/api.py:732] `,
  'a rank in a log with times': (line) => `2026-11-23 08:32:${10 + (line % 50)},${100 + line} - ERROR - [rank1]: `,
};

for (const [name, prefix] of Object.entries(PREFIXES))
  test(`each line may have the prefix of ${name}`, () => {
    for (const file of [
      'python312.txt',
      'chained.txt',
      'python314.txt',
      'group311.txt',
      'tensorflowNode.txt',
      'jaxDevices.txt',
    ]) {
      const text = contentOf(file);
      const prefixed = text.split('\n').map((line, number) => `${prefix(number)}${line}`.trimEnd());
      assert.deepEqual(read(prefixed.join('\n')), read(text), file);
    }
  });

test('the output of several programs that write at once is separated', () => {
  const [one, other] = [contentOf('python312.txt'), contentOf('jaxDevices.txt')].map((text) => text.split('\n'));
  const lines = Array.from({ length: 60 }, (_, n) =>
    [one, other].flatMap((text, rank) => (text?.[n] === undefined ? [] : [`[rank${rank}]: ${text[n]}`])),
  ).flat();
  assert.deepEqual(read(lines.join('\n')), read(contentOf('python312.txt')));
});

test('line numbers are not mistaken for programs', () => {
  const text = contentOf('chained.txt');
  const counted = text.split('\n').map((line, number) => `[${1000 + number}] ${line}`);
  assert.deepEqual(read(counted.join('\n')), read(text));
});

test('words before a traceback are not a prefix', () => {
  const text = contentOf('python312.txt');
  assert.deepEqual(read(`ERROR:root:step failed: ${text}`), read(text));
});

const GROUP_ALONE = `  + Exception Group Traceback (most recent call last):
  |   File "/home/ada/project/serve.py", line 9, in <module>
  |     asyncio.run(main())
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/home/ada/project/serve.py", line 4, in load
    |     model.to("cuda")
    |   File "/usr/lib/python3.13/site-packages/torch/cuda/__init__.py", line 310, in _lazy_init
    |     raise AssertionError("Torch not compiled with CUDA enabled")
    | AssertionError: Torch not compiled with CUDA enabled
    +------------------------------------
`;

test('a frame in an exception group is found after its border', () => {
  const paste = readPaste(GROUP_ALONE);
  assert.deepEqual(
    { ...frameOf(paste, paste.messages[0]), start: 0 },
    { file: '/home/ada/project/serve.py', line: 4, code: 'model.to("cuda")', start: 0 },
  );
});

test('a group of ordinary errors has no explanation', () => {
  const ordinary = GROUP_ALONE.replaceAll('AssertionError: Torch not compiled with CUDA enabled', 'ValueError: batch 7')
    .replace(/.*site-packages.*\n.*\n/, '')
    .replace('model.to("cuda")', 'check(batch)');
  assert.deepEqual(readPaste(ordinary).messages, []);
});

test('a traceback on one line is shown by the part with the error', () => {
  const paste = readPaste(contentOf('python312.txt').replace(/\s*\n\s*/g, ' '));
  const [first] = paste.messages;
  assert.match(first ? lineOf(paste, first) : '', /^… .{0,80}CUDA error: no kernel image/);
});
