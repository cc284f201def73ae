import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensurePython } from '../../scripts/python.ts';
import { isPending, isUnknown, knownValue, type StackFacts } from '../../server/src/stack/facts/facts.ts';
import { type Machine, thisMachine } from '../../server/src/stack/machine/machine.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { askFrameworks, type RuntimeQuestions } from '../../server/src/stack/runtime/runtime.ts';
import { parseAnswer, runtimeOf } from '../../server/src/stack/runtime/runtimeAnswer.ts';
import { runtimeCache } from '../../server/src/stack/runtime/runtimeCache.ts';
import { type Environment, environmentWith, pretendGpus } from './environments.ts';
import { loadRecording, recordedMachine } from './recordedMachine.ts';

const options = { skip: process.platform !== 'linux' && 'starts programs of Linux', timeout: 300_000 };

const ALLOWED: RuntimeQuestions = { refusal: () => undefined };

/** The answer of a fake torch, so that a test needs no real one. */
const TORCH = { 'torch/__init__.py': 'raise OSError("libcudnn.so.9: cannot open shared object file")' };
const VERSION = { 'torch/version.py': "__version__ = '2.9.0+cu128'\ncuda = '12.8'\n" };

interface Watched {
  readonly machine: Machine;
  /** The frameworks that were imported. */
  readonly asked: string[];
}

/** This machine, with its own cache folder and a log of the queried frameworks. */
async function watchedMachine(context: TestContext): Promise<Watched> {
  const cache = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-cache-'));
  context.after(() => rm(cache, { recursive: true, force: true }));
  const machine = thisMachine();
  const asked: string[] = [];
  return {
    asked,
    machine: {
      ...machine,
      env: { ...machine.env, XDG_CACHE_HOME: cache },
      run(program, args, commandOptions) {
        if (args.includes('ask')) asked.push(args[2] ?? '');
        return machine.run(program, args, commandOptions);
      },
    },
  };
}

const read = (
  machine: Machine,
  { python }: Pick<Environment, 'python'>,
  runtime: RuntimeQuestions,
): Promise<StackFacts> => readStack({ machine, interpreter: python, folders: [], runtime });

test('a real CPU build of torch answers, and immediately the second time', options, async (context) => {
  const { torch: python } = await ensurePython();
  const { machine, asked } = await watchedMachine(context);
  const questions = { ...ALLOWED, cache: runtimeCache(machine) };
  const first = (await read(machine, { python }, questions)).runtime.torch;
  assert.ok('value' in first, JSON.stringify(first));
  assert.equal(first.source, `torch, imported by ${python}`);
  assert.match(first.value?.version ?? '', /^\d+\.\d+/);
  assert.deepEqual([first.value?.available, first.value?.devices, first.value?.failure], [false, [], null]);
  const times = asked.length;

  assert.deepEqual((await read(machine, { python }, questions)).runtime.torch, first);
  assert.equal(asked.length, times);
  await read(machine, { python }, { ...questions, isRefresh: true });
  assert.equal(asked.length, 2 * times);
});

test('a real CPU build of TensorFlow answers', options, async (context) => {
  const { keras: python } = await ensurePython();
  const { machine } = await watchedMachine(context);
  const { tensorflow } = (await read(machine, { python }, ALLOWED)).runtime;
  assert.deepEqual(knownValue(tensorflow)?.devices, []);
  assert.equal(knownValue(tensorflow)?.failure, null);
});

test('a torch that sees GPUs lists them in its order', options, async (context) => {
  const { torch: python } = await ensurePython();
  await pretendGpus(context);
  const { machine } = await watchedMachine(context);
  const { torch } = (await read(machine, { python }, ALLOWED)).runtime;
  assert.ok('value' in torch, JSON.stringify(torch));
  assert.deepEqual([torch.value?.available, torch.value?.failure], [true, null]);
  const properties = { api: 'cuda', uuid: null, computeCapability: '8.0', memoryTotal: 16384 };
  assert.deepEqual(
    torch.value?.devices,
    [0, 1].map((index) => ({ index, name: `Pretended GPU ${index}`, ...properties })),
  );
});

test("a GPU's name in AMD's architecture attribute is not a compute capability", options, async (context) => {
  const { torch: python } = await ensurePython();
  await pretendGpus(
    context,
    `properties = torch.cuda.get_device_properties
def named(index):
    found = properties(index)
    found.gcnArchName = found.name
    return found
torch.cuda.get_device_properties = named`,
  );
  const { machine } = await watchedMachine(context);
  const { torch } = (await read(machine, { python }, ALLOWED)).runtime;
  assert.deepEqual(
    knownValue(torch)?.devices.map(({ computeCapability }) => computeCapability),
    ['8.0', '8.0'],
  );
});

test('a cached answer is valid until a package changes, and never if it is damaged', options, async (context) => {
  const environment = await environmentWith(context, { ...VERSION, 'torch/__init__.py': ANSWERING });
  const { machine, asked } = await watchedMachine(context);
  const cache = runtimeCache(machine);
  const readAgain = async () => knownValue((await read(machine, environment, { ...ALLOWED, cache })).runtime.torch);
  const first = await readAgain();
  assert.deepEqual(first?.devices, []);
  assert.deepEqual([first, asked], [await readAgain(), ['torch']]);

  const folder = path.join(machine.env.XDG_CACHE_HOME ?? '', 'gpu-doctor', 'runtime');
  const [file = ''] = await readdir(folder);
  for (const damaged of ['{', '{"value":{"version":3},"source":"","readAt":"2026-01-01T00:00:00Z"}']) {
    await writeFile(path.join(folder, file), damaged);
    assert.deepEqual(await readAgain(), first);
    assert.notEqual(await readFile(path.join(folder, file), 'utf8'), damaged);
  }
  assert.equal(asked.length, 3);

  const { stdout: packages } = await machine.run(environment.python, [
    '-c',
    'import sysconfig; print(sysconfig.get_path("purelib"))',
  ]);
  await mkdir(path.join(packages, 'numpy-2.0.0.dist-info'));
  assert.deepEqual([await readAgain(), asked.length], [first, 4]);
});

test('the cache keeps the newest entries', options, async (context) => {
  const { machine } = await watchedMachine(context);
  const cache = runtimeCache(machine);
  const fact = { value: null, source: 'a test', readAt: '2026-11-21T08:00:00Z' };
  for (let key = 0; key < 80; key++) await cache.write(key, fact);
  const files = await readdir(path.join(machine.env.XDG_CACHE_HOME ?? '', 'gpu-doctor', 'runtime'));
  assert.equal(files.length, 64);
});

test('a torch whose import fails reports its own message, which is not cached', options, async (context) => {
  const environment = await environmentWith(context, { ...VERSION, ...TORCH });
  const { machine, asked } = await watchedMachine(context);
  const cache = runtimeCache(machine);
  const { torch } = (await read(machine, environment, { ...ALLOWED, cache })).runtime;
  assert.ok(isUnknown(torch));
  assert.deepEqual(
    [torch.cause, torch.unknown],
    ['failed', 'torch could not be queried: OSError: libcudnn.so.9: cannot open shared object file'],
  );
  await read(machine, environment, { ...ALLOWED, cache });
  assert.deepEqual(asked, ['torch', 'torch']);
});

test(
  'a CUDA build that sees no GPU is cached if there is none, and queried again if there is one',
  options,
  async (context) => {
    const failing = ANSWERING.replace('cuda=None', 'cuda="12.8"').replace(
      'is_available=',
      'init=lambda: open("/nonexistent/driver"), is_available=',
    );
    const environment = await environmentWith(context, { ...VERSION, 'torch/__init__.py': failing });
    for (const [other, times] of [
      ['laptop-without-gpu', 1],
      ['rtx3090-cu124', 2],
    ] as const) {
      const folder = fileURLToPath(new URL(`machines/${other}`, import.meta.url));
      const recorded = recordedMachine(folder, await loadRecording(folder));
      const { machine, asked } = await watchedMachine(context);
      const cache = runtimeCache(machine);
      const { gpus, driver } = await readStack({ machine: recorded, folders: [] });
      const facts = await readStack({ machine, interpreter: environment.python, folders: [] });
      const pending = { pending: true, source: '' } as const;
      for (let n = 0; n < 2; n++) {
        const learnt: unknown[] = [];
        const known = { ...facts, gpus, driver, runtime: { ...facts.runtime, torch: pending } };
        await askFrameworks(machine, known, { ...ALLOWED, cache }, (_, fact) => learnt.push(knownValue(fact)?.failure));
        assert.match(String(learnt), /^FileNotFoundError: .*\/nonexistent\/driver/);
      }
      assert.equal(asked.length, times);
    }
  },
);

test('a framework that hangs does not affect the others', options, async (context) => {
  const environment = await environmentWith(context, {
    ...VERSION,
    'torch/__init__.py': ANSWERING,
    'jax-0.5.0.dist-info/METADATA': 'Name: jax\n',
    'jax/__init__.py': 'import time; time.sleep(1000)',
  });
  const { machine } = await watchedMachine(context);
  const { runtime } = await read(machine, environment, { ...ALLOWED, timeout: 5000 });
  assert.ok(isUnknown(runtime.jax));
  assert.deepEqual([runtime.jax.cause, runtime.jax.unknown], ['timedOut', 'import jax did not return within 5 s']);
  assert.equal(knownValue(runtime.torch)?.version, '2.9.0+cu128');
});

test('an interpreter that may not be started is not started, and the reason is reported', options, async (context) => {
  const environment = await environmentWith(context, { ...VERSION, ...TORCH });
  const { machine, asked } = await watchedMachine(context);
  const refused = await read(machine, environment, { refusal: () => 'not trusted' });
  assert.ok(isUnknown(refused.runtime.torch));
  assert.deepEqual([refused.runtime.torch.cause, refused.runtime.torch.unknown], ['refused', 'not trusted']);
  const unasked = await readStack({ machine, interpreter: environment.python, folders: [] });
  assert.ok(isUnknown(unasked.runtime.torch) && unasked.runtime.torch.cause === 'notAsked');
  assert.equal(knownValue(unasked.runtime.jax), null);
  assert.deepEqual(asked, []);
});

test('a framework is pending until it answers', options, async (context) => {
  const environment = await environmentWith(context, { ...VERSION, ...TORCH });
  const { machine } = await watchedMachine(context);
  const states: boolean[] = [];
  await readStack({
    machine,
    interpreter: environment.python,
    folders: [],
    runtime: ALLOWED,
    onFacts: ({ runtime }) => states.push(isPending(runtime.torch)),
  });
  assert.deepEqual([states[0], ...states.filter((state, n) => n > 0 && state !== states[n - 1])], [true, false]);
});

test('the answer of a GPU build is converted to facts', () => {
  const gpu = {
    index: 0,
    name: 'NVIDIA GeForce RTX 3090',
    api: 'cuda',
    uuid: null,
    computeCapability: '8.6',
    memoryTotal: 24124,
  };
  const found = {
    version: '2.9.0+cu128',
    devices: [gpu],
    reasons: [],
    architectures: ['sm_80', 'sm_86'],
    cuda: 12080,
    cudnn: 91002,
    cudnnPath: '/a/nvidia/cudnn/lib/libcudnn.so.9',
    cudnnBuilt: '9.10.2',
  };
  const answer = parseAnswer({ found });
  assert.ok(answer && 'found' in answer);
  const runtime = runtimeOf(answer.found, 'cuda', 'E failed call to cuInit: nothing to do with it');
  assert.deepEqual(
    [runtime.available, runtime.cuda, runtime.cudnn, runtime.cudnnBuilt, runtime.failure],
    [true, '12.8', '9.10.2', '9.10.2', null],
  );
  const old = parseAnswer({ found: { ...found, cudnn: 8902 } });
  assert.ok(old && 'found' in old);
  assert.equal(runtimeOf(old.found, 'cuda', '').cudnn, '8.9.2');
  for (const wrong of [{}, { found: {} }, { found: { ...found, devices: [{ ...gpu, api: 'quantum' }] } }])
    assert.equal(parseAnswer(wrong), undefined);
});

/** Answers of real wheels on a machine without a driver: torch 1.8.1 from PyPI on Python 3.8, 2.15.0 on 3.12. */
const NO_DRIVER =
  'RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from http://www.nvidia.com/Download/index.aspx';
const ANSWERS = {
  '1.8.1+cu102': `{"found": {"version": "1.8.1+cu102", "devices": [], "reasons": ["${NO_DRIVER}"], "architectures": ["sm_37", "sm_50", "sm_60", "sm_70"], "cuda": null, "cudnn": 7605, "cudnnPath": null, "cudnnBuilt": "7.6.5"}}`,
  '2.15.0+cu132': `{"found": {"version": "2.15.0+cu132", "devices": [], "reasons": ["${NO_DRIVER}"], "architectures": ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"], "cuda": 13020, "cudnn": 92600, "cudnnPath": "/v/nvidia/cudnn/lib/libcudnn.so.9", "cudnnBuilt": "9.26.0"}}`,
};

for (const [version, [cuda, cudnn]] of Object.entries({
  '1.8.1+cu102': [null, '7.6.5'],
  '2.15.0+cu132': ['13.2', '9.26.0'],
} as const))
  test(`torch ${version} reports its loaded libraries and the missing driver`, () => {
    const answer = parseAnswer(JSON.parse(ANSWERS[version as keyof typeof ANSWERS]));
    assert.ok(answer && 'found' in answer);
    const runtime = runtimeOf(answer.found, 'cuda', '');
    assert.deepEqual(
      [runtime.version, runtime.cuda, runtime.cudnn, runtime.cudnnBuilt, runtime.failure],
      [version, cuda, cudnn, cudnn, NO_DRIVER],
    );
  });

test('TensorFlow logs its reasons, of which only real ones count', () => {
  const found = {
    version: '2.15.0',
    devices: [],
    reasons: [],
    architectures: [],
    cuda: null,
    cudnn: null,
    cudnnPath: null,
    cudnnBuilt: '8',
  };
  const log = `2026-11-21 08:00:00.123456: I tensorflow/core/platform/cpu_feature_guard.cc:182] This TensorFlow binary is optimized
2026-11-21 08:00:01.123456: W tensorflow/core/common_runtime/gpu/gpu_device.cc:1956] Cannot dlopen some GPU libraries. Please make sure the missing libraries mentioned above are installed properly.
2026-11-21 08:00:01.223456: W tensorflow/core/common_runtime/gpu/gpu_device.cc:1956] Cannot dlopen some GPU libraries. Please make sure the missing libraries mentioned above are installed properly.`;
  const answer = parseAnswer({ found });
  assert.ok(answer && 'found' in answer);
  const failure = (target: 'cpu' | 'cuda') => runtimeOf(answer.found, target, log).failure;
  assert.equal(
    failure('cuda'),
    'Cannot dlopen some GPU libraries. Please make sure the missing libraries mentioned above are installed properly.',
  );
  assert.equal(failure('cpu'), null);
});

/** The answer of a CUDA build of torch that sees no GPU and knows no reason. */
const ANSWERING = `import types
__version__ = "2.9.0+cu128"
version = types.SimpleNamespace(cuda=None)
cuda = types.SimpleNamespace(is_available=lambda: False, get_arch_list=lambda: [])
backends = types.SimpleNamespace(cudnn=types.SimpleNamespace(version=lambda: None))
_C = types.SimpleNamespace()
`;
