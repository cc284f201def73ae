import * as z from 'zod/mini';
import {
  type FrameworkBuild,
  type Interpreter,
  isUnknown,
  knownValue,
  type RuntimeFramework,
  type StackFacts,
} from '../../stack/facts/facts.ts';
import { gpusAreThere } from '../../stack/facts/gpuName.ts';
import { usableGpus } from '../../stack/facts/usableGpus.ts';
import type { Machine } from '../../stack/machine/machine.ts';
import { runProbe } from '../../stack/runtime/probe.ts';
import { shortened } from '../../stack/runtime/runtimeAnswer.ts';
import { judgeStack, type Verdict } from '../judgeStack.ts';
import { explainSmokeTest, type SmokeTrouble } from './smokeTrouble.ts';

/** The result of testing the GPUs without a model, as `gpu-doctor stack --smoke --output-format json` prints it. */
export interface SmokeReport {
  /** "notRun": no GPU was tested, because none is visible or nothing could be started. */
  outcome: 'proven' | 'disproved' | 'notRun';
  /** One sentence. */
  summary: string;
  frameworks: FrameworkTrial[];
}

interface FrameworkTrial {
  framework: RuntimeFramework;
  version: string;
  devices: DeviceTrial[];
  /** The reason why the test was not finished, or did not include a GPU although there is one. */
  trouble: SmokeTrouble | null;
}

export interface DeviceTrial {
  /** The framework's name for it: "cuda:1", "GPU:0". */
  device: string;
  /** Such as "cuda", "rocm", "mps" or "xpu"; "cpu" for the CPU, which is tested if no GPU is visible. */
  api: string;
  name: string;
  steps: StepTrial[];
}

export interface StepTrial {
  step: string;
  passed: boolean;
  seconds: number;
  /** The largest difference from the CPU's result, relative to its largest number; null if there is none. */
  deviation: number | null;
  trouble: SmokeTrouble | null;
}

export interface SmokeOptions {
  signal?: AbortSignal;
  /** Milliseconds for each framework. */
  timeout?: number;
  /** Called with a description of the current step. */
  onProgress?: (doing: string) => void;
}

/** Milliseconds. On a GPU for which a build has no native code, the first computation takes minutes. */
const TIMEOUT = 180_000;

/**
 * The numbers are integers and exact in TF32, too, so only convolutions that transform their input differ at all, by
 * less than a millionth in float32. A wrong result differs by about 1.
 */
const TOLERANCE = 1e-3;

const message = z.union([
  z.object({ device: z.string(), api: z.string(), name: z.string() }),
  z.object({ device: z.string(), step: z.string(), seconds: z.number(), deviation: z.nullable(z.number()) }),
  z.object({ device: z.string(), step: z.string(), seconds: z.number(), failure: z.string() }),
  z.object({ failure: z.string() }),
  z.object({ done: z.literal(true) }),
]);

/**
 * Tests every installed framework, one after the other, on each GPU that it sees: memory, a matrix product and a
 * convolution, checked against the CPU's result. Starts the interpreter, so the caller must have the user's consent.
 */
export async function runSmokeTest(
  machine: Machine,
  facts: StackFacts,
  options: SmokeOptions = {},
): Promise<SmokeReport> {
  const python = knownValue(facts.interpreter);
  if (python === undefined) return notRun('No Python was found to test.');
  const verdicts = judgeStack(facts);
  const frameworks: FrameworkTrial[] = [];
  for (const framework of Object.keys(facts.runtime) as RuntimeFramework[]) {
    const build = knownValue(facts.frameworks[framework]);
    if (!build || options.signal?.aborted) continue;
    const trial = await tryFramework(machine, python, framework, build, verdicts, options);
    frameworks.push({ ...trial, trouble: trial.trouble ?? seesNoGpu(facts, trial, build, verdicts) });
  }
  if (options.signal?.aborted) return { ...notRun('The test was canceled.'), frameworks };
  return { ...outcomeOf(frameworks), frameworks };
}

async function tryFramework(
  machine: Machine,
  { path: python }: Interpreter,
  framework: RuntimeFramework,
  { version }: FrameworkBuild,
  verdicts: Verdict[],
  { signal, timeout = TIMEOUT, onProgress }: SmokeOptions,
): Promise<FrameworkTrial> {
  const devices: DeviceTrial[] = [];
  let failure: string | undefined;
  onProgress?.(`${framework}: import`);
  const task = { python, task: 'smoke', framework, timeout, signal } as const;
  const { trouble, stderr } = await runProbe(machine, task, (said) => {
    const { data } = message.safeParse(said);
    if (data === undefined) return false;
    if ('done' in data) return true;
    if (!('device' in data)) {
      failure = shortened(data.failure);
      return true;
    }
    const { device } = data;
    if ('name' in data) {
      devices.push({ device, api: data.api, name: data.name, steps: [] });
      onProgress?.(`${framework}: ${device}`);
      return false;
    }
    const { step, seconds } = data;
    const deviation = 'deviation' in data ? data.deviation : null;
    const passed = deviation !== null && deviation <= TOLERANCE;
    const text = 'failure' in data ? shortened(data.failure) : wrong(step, deviation);
    const explained = passed ? null : explainSmokeTest(text, verdicts);
    devices
      .find((each) => each.device === device)
      ?.steps.push({ step, passed, seconds, deviation, trouble: explained });
    return false;
  });
  const text = failure ?? trouble?.reason;
  return { framework, version, devices, trouble: text === undefined ? null : explainSmokeTest(text, verdicts, stderr) };
}

function wrong(step: string, deviation: number | null): string {
  if (deviation === null) return `the result of the ${step} is not a number`;
  return `the result of the ${step} is off by ${(deviation * 100).toPrecision(2)} % of the CPU's`;
}

/** Reports a GPU build that sees no GPU although one is usable. A CPU build is not expected to. */
function seesNoGpu(
  facts: StackFacts,
  { framework, devices }: FrameworkTrial,
  { target }: FrameworkBuild,
  verdicts: Verdict[],
): SmokeTrouble | null {
  const gpus = usableGpus(facts) ?? [];
  if (target !== 'cuda' || gpus.length === 0 || devices.some(isGpu)) return null;
  const runtime = facts.runtime[framework];
  const reason = (isUnknown(runtime) ? undefined : knownValue(runtime)?.failure) ?? undefined;
  const finding = `it sees no GPU, although ${gpusAreThere(gpus)}`;
  return explainSmokeTest(reason === undefined ? finding : `${finding}: ${reason}`, verdicts);
}

export function isGpu({ api }: DeviceTrial): boolean {
  return api !== 'cpu';
}

function notRun(summary: string): SmokeReport {
  return { outcome: 'notRun', summary, frameworks: [] };
}

function outcomeOf(frameworks: FrameworkTrial[]): Pick<SmokeReport, 'outcome' | 'summary'> {
  if (frameworks.length === 0) {
    return { outcome: 'notRun', summary: 'No GPU was tested: no framework is installed in this Python.' };
  }
  const devices = frameworks.flatMap((trial) => trial.devices);
  const isWrong =
    frameworks.some(({ trouble }) => trouble) || devices.some(({ steps }) => steps.some((s) => !s.passed));
  const gpus = devices.filter(isGpu);
  if (isWrong) {
    const what = gpus.length > 0 ? 'Not everything works on the GPU' : 'No GPU could be used';
    return { outcome: 'disproved', summary: `${what}: see the failures below.` };
  }
  if (gpus.length === 0) {
    const summary = 'No GPU was tested: no framework sees one. CPU results are correct.';
    return { outcome: 'notRun', summary };
  }
  return { outcome: 'proven', summary: 'Every framework gives correct results on every GPU that it sees.' };
}
