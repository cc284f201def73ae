import * as z from 'zod/mini';
import { oneLine } from '../../printable.ts';
import { cudaOfNumber, cudnnOfNumber } from '../../published/releases/versionNumbers.ts';
import type { FrameworkBuild } from '../facts/facts.ts';
import type { FrameworkRuntime, RuntimeDevice } from '../facts/runtimeFacts.ts';
import { gpuFailureIn } from './gpuFailures.ts';

/** A library's version as a number, such as 90100 or 12040, or as text. */
const version = z.nullable(z.union([z.number(), z.string()]));

const device: z.ZodMiniType<RuntimeDevice> = z.object({
  index: z.int(),
  name: z.string(),
  api: z.enum(['cuda', 'rocm', 'mps', 'xpu', 'directml']),
  uuid: z.nullable(z.string()),
  computeCapability: z.nullable(z.string()),
  memoryTotal: z.nullable(z.number()),
});

/** A cached fact is validated like a fresh answer. */
export const frameworkRuntime: z.ZodMiniType<FrameworkRuntime> = z.object({
  version: z.string(),
  available: z.boolean(),
  devices: z.array(device),
  architectures: z.nullable(z.array(z.string())),
  cuda: z.nullable(z.string()),
  cudnn: z.nullable(z.string()),
  cudnnPath: z.nullable(z.string()),
  cudnnBuilt: z.nullable(z.string()),
  failure: z.nullable(z.string()),
});

const found = z.object({
  version: z.string(),
  devices: z.array(device),
  reasons: z.array(z.string()),
  architectures: z.array(z.string()),
  cuda: version,
  cudnn: version,
  cudnnPath: z.nullable(z.string()),
  cudnnBuilt: version,
});

/** The last message of `probe/ask.py`. It comes from an arbitrary interpreter, so everything is validated. */
const answer = z.union([z.object({ found }), z.object({ failure: z.string() })]);

export type RuntimeAnswer = z.infer<typeof answer>;

/** Parses a message as an answer; undefined for anything else. */
export function parseAnswer(message: unknown): RuntimeAnswer | undefined {
  return answer.safeParse(message).data;
}

/**
 * The framework's report about itself. `target` is its build according to files: a CPU build needs no reason for seeing
 * no GPU. `stderr` is its output, in which TensorFlow and ONNX Runtime explain problems.
 */
export function runtimeOf(
  answered: z.infer<typeof found>,
  target: FrameworkBuild['target'],
  stderr: string,
): FrameworkRuntime {
  const { reasons, architectures, ...rest } = answered;
  const available = rest.devices.length > 0;
  const printed = available ? [] : stderr.split('\n').filter((line) => gpuFailureIn(line) !== undefined);
  const failures = !available && target === 'cpu' ? [] : [...new Set([...reasons, ...printed].map(shortened))];
  return {
    ...rest,
    available,
    architectures: architectures.length > 0 ? architectures : null,
    cuda: spelled(rest.cuda, cudaOfNumber),
    cudnn: spelled(rest.cudnn, cudnnOfNumber),
    cudnnBuilt: spelled(rest.cudnnBuilt, cudnnOfNumber),
    failure: failures.length > 0 ? failures.slice(0, MOST_FAILURES).join('; ') : null,
  };
}

const MOST_FAILURES = 3;

/** A version in the usual notation. */
function spelled(version: number | string | null, ofNumber: (number: number) => string): string | null {
  return typeof version === 'number' ? ofNumber(version) : version;
}

const LONGEST_FAILURE = 1000;

/** On one line and without the time and source position at the start of log lines. */
export function shortened(text: string): string {
  const line = oneLine(text).replace(/^(?:\d{4}-\d\d-\d\d [\d:.]+: )?[IWEF]\d* [^\]]*\] /, '');
  return line.length > LONGEST_FAILURE ? `${line.slice(0, LONGEST_FAILURE)} …` : line;
}
