import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensurePython, type Pythons } from '../../scripts/python.ts';
import { judgeStack, judges } from '../../server/src/diagnosis/judgeStack.ts';
import { diagnosesIn } from '../../server/src/diagnosis/relationDiagnoses.ts';
import { runSmokeTest, type SmokeOptions, type SmokeReport } from '../../server/src/diagnosis/smoke/smoke.ts';
import { smokeMarkdown, smokeText } from '../../server/src/diagnosis/smoke/smokeReadout.ts';
import { explainSmokeTest } from '../../server/src/diagnosis/smoke/smokeTrouble.ts';
import { knownValue, type StackFacts } from '../../server/src/stack/facts/facts.ts';
import { thisMachine } from '../../server/src/stack/machine/machine.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { gpuFailureIn } from '../../server/src/stack/runtime/gpuFailures.ts';
import { environmentWith, pretendGpus } from '../stack/environments.ts';
import { loadRecording, recordedMachine } from '../stack/recordedMachine.ts';

const options = { skip: process.platform !== 'linux' && 'starts programs of Linux', timeout: 300_000 };

let pythons: Pythons;
before(async () => {
  if (!options.skip) pythons = await ensurePython();
});

const factsOf = (interpreter: string): Promise<StackFacts> =>
  readStack({ machine: thisMachine(), interpreter, folders: [] });

async function smoke(interpreter: string, more?: SmokeOptions): Promise<SmokeReport> {
  return runSmokeTest(thisMachine(), await factsOf(interpreter), more);
}

test('without a GPU, frameworks pass on the CPU, and the report says that no GPU was tested', options, async () => {
  for (const python of new Set(Object.values(pythons))) {
    const report = await smoke(python);
    assert.equal(report.outcome, 'notRun');
    assert.match(report.summary, /^No GPU was tested/);
    const steps = report.frameworks.flatMap(({ devices }) => devices.flatMap((device) => device.steps));
    assert.ok(report.frameworks.length > 0);
    assert.equal(steps.length, 3 * report.frameworks.length);
    assert.ok(
      steps.every(({ passed }) => passed),
      JSON.stringify(steps),
    );
    assert.match(smokeText(report), /CPU\n {4}allocation/);
    assert.match(smokeMarkdown(report), /\| CPU \| convolution \| passed/);
  }
});

test('every GPU is tested in every step', options, async (context) => {
  await pretendGpus(context);
  const said: string[] = [];
  const report = await smoke(pythons.torch, { onProgress: (doing) => said.push(doing) });
  const [torch] = report.frameworks;
  assert.equal(report.outcome, 'proven', JSON.stringify(report));
  assert.deepEqual(
    torch?.devices.map(({ device, name, steps }) => [device, name, steps.map(({ step }) => step)]),
    [0, 1].map((n) => [`cuda:${n}`, `Pretended GPU ${n}`, ['allocation', 'matrix product', 'convolution']]),
  );
  assert.deepEqual(said, ['torch: import', 'torch: cuda:0', 'torch: cuda:1']);
});

test('a step that raises is matched to a diagnosis, and the other GPU is still tested', options, async (context) => {
  await pretendGpus(
    context,
    `real = torch.nn.functional.conv2d
def conv2d(image, kernel):
    if str(image.device) == "cuda:0":
        raise RuntimeError("cuDNN error: CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH")
    return real(image, kernel)
torch.nn.functional.conv2d = conv2d`,
  );
  const report = await smoke(pythons.torch);
  const [first, second] = report.frameworks[0]?.devices ?? [];
  assert.equal(report.outcome, 'disproved');
  assert.deepEqual(
    first?.steps.map(({ passed }) => passed),
    [true, true, false],
  );
  assert.deepEqual(first?.steps.at(-1)?.trouble, {
    text: 'RuntimeError: cuDNN error: CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH',
    meaning: 'cuDNN 9 consists of several libraries, and the loaded ones have different versions.',
    verdict: 'cudnn-shadowed',
  });
  assert.deepEqual(
    second?.steps.map(({ passed }) => passed),
    [true, true, true],
  );
  assert.match(smokeMarkdown(report), /\[What this means\]\(https:.*\/docs\/stack\/cudnn-shadowed\.md\)/);
});

test('a wrong result is not a success', options, async (context) => {
  await pretendGpus(
    context,
    `real = torch.Tensor.__matmul__
torch.Tensor.__matmul__ = lambda one, other: real(one, other) * (1 if one.dtype == torch.float64 else 0)`,
  );
  const report = await smoke(pythons.torch);
  const [first] = report.frameworks[0]?.devices ?? [];
  assert.equal(report.outcome, 'disproved');
  assert.deepEqual(
    first?.steps.map(({ step, passed }) => [step, passed]),
    [
      ['allocation', true],
      ['matrix product', false],
      ['convolution', true],
    ],
  );
  assert.match(smokeText(report), /The result of the matrix product is off by 1\.0e\+2 % of the CPU's/);
});

test('a framework that crashes or hangs fails, with the step', options, async (context) => {
  const version = { 'torch/version.py': "__version__ = '2.9.0+cpu'\n" };
  const crash = await environmentWith(context, {
    ...version,
    'torch/__init__.py': 'import os; os.kill(os.getpid(), 11)',
  });
  const crashed = await smoke(crash.python);
  assert.equal(crashed.outcome, 'disproved');
  assert.equal(crashed.frameworks[0]?.trouble?.text, 'Python died of SIGSEGV during import torch');
  const hang = await environmentWith(context, { ...version, 'torch/__init__.py': 'import time; time.sleep(1000)' });
  const hung = await smoke(hang.python, { timeout: 5000 });
  assert.equal(hung.frameworks[0]?.trouble?.text, 'import torch did not return within 5 s');
});

test('nothing to test is not a success either', options, async (context) => {
  const { python } = await environmentWith(context, {});
  assert.deepEqual(await smoke(python), {
    outcome: 'notRun',
    summary: 'No GPU was tested: no framework is installed in this Python.',
    frameworks: [],
  });
});

test('a CUDA build that does not see an existing GPU fails, a CPU build does not', options, async () => {
  const folder = fileURLToPath(new URL('../stack/machines/rtx3090-cu124', import.meta.url));
  const recording = await loadRecording(folder);
  const machine = recordedMachine(folder, recording);
  const facts = await readStack({ machine, interpreter: recording.interpreter, folders: recording.folders ?? [] });
  const own = await factsOf(pythons.torch);
  const torch = knownValue(facts.frameworks.torch);
  assert.ok(torch);
  const judged = (target: 'cuda' | 'cpu') =>
    runSmokeTest(thisMachine(), {
      ...facts,
      interpreter: own.interpreter,
      frameworks: { ...own.frameworks, torch: { ...own.frameworks.torch, value: { ...torch, target } } as never },
    });
  const disproved = await judged('cuda');
  assert.equal(disproved.outcome, 'disproved');
  assert.match(disproved.frameworks[0]?.trouble?.text ?? '', /^it sees no GPU, although the RTX 3090 is there/);
  assert.equal((await judged('cpu')).outcome, 'notRun');
});

const MESSAGES: Readonly<Record<string, string | undefined>> = {
  'RuntimeError: CUDA error: no kernel image is available for execution on the device': 'gpu-newer-than-build',
  'RuntimeError: CUDA driver version is insufficient for CUDA runtime version': 'driver-too-old',
  'RuntimeError: The NVIDIA driver on your system is too old (found version 11040).': 'driver-too-old',
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB.': 'gpu-memory-nearly-full',
  'XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8589934592 bytes.':
    'gpu-memory-nearly-full',
  'RuntimeError: No CUDA GPUs are available': 'gpus-hidden',
  'RuntimeError: cuDNN version 91900 is not compatible with devices with SM < 7.5.': 'cudnn-without-gpu',
  'Error 803: system has unsupported display driver / cuda driver combination': 'driver-library-mismatch',
  'ImportError: libcublas.so.12: cannot open shared object file: No such file or directory': 'tensorflow-without-cuda',
  'libcusparse.so.12: undefined symbol: __nvJitLinkComplete_12_4': 'library-path-shadows',
  'AssertionError: Torch not compiled with CUDA enabled': 'cpu-only-torch',
  'ValueError: shapes (2,3) and (4,5) not aligned': undefined,
  'ModuleNotFoundError: No module named torch': undefined,
  'E cuda_fft.cc:467] Unable to register cuFFT factory: Attempting to register factory for plugin cuFFT when one has already been registered':
    undefined,
};

for (const [message, verdict] of Object.entries(MESSAGES))
  test(`"${message}" is matched to ${verdict ?? 'nothing'}`, () => {
    const checks = diagnosesIn(gpuFailureIn(message)?.checks ?? []);
    assert.equal(
      checks.find((check) => judges.some(({ id }) => id === check)),
      verdict,
    );
  });

test("the explanation that matches the stack's diagnosis is chosen", async () => {
  const folder = fileURLToPath(new URL('../stack/machines/rtx3090-cu124', import.meta.url));
  const machine = recordedMachine(folder, await loadRecording(folder));
  const verdicts = judgeStack(await readStack({ machine, folders: [] }));
  const given = { ...(verdicts[0] as (typeof verdicts)[0]), id: 'gpu-older-than-build' };
  assert.equal(explainSmokeTest('no kernel image is available', [given]).verdict, 'gpu-older-than-build');
  assert.equal(explainSmokeTest('no kernel image is available', []).verdict, 'gpu-newer-than-build');
});
