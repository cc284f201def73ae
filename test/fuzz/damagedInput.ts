/** A thread that reads damaged input of all kinds in turn and reports its progress. */
import { parentPort, workerData } from 'node:worker_threads';
import { damaged, randomNumbers } from '../checkpoint/fuzz/mutations.ts';
import { KINDS } from './kinds.ts';

export interface Work {
  readonly seed: number;
  /** Total number of inputs. */
  readonly inputs: number;
  /** Shared memory: the number of the current input. */
  readonly at: Int32Array;
}

export interface Report {
  readonly counts: Readonly<Record<string, number>>;
  /** Each input that failed or took more than a second, by kind and number. */
  readonly failures: readonly string[];
}

/** Maximum time per input in milliseconds. */
const MAX_INPUT_MS = 1000;

const { seed, inputs, at }: Work = workerData;
const counts: Record<string, number> = {};
const failures: string[] = [];
const kinds = Object.entries(KINDS);

const slow: number[] = [];

for (let number = 0; number < inputs; number++) {
  Atomics.store(at, 0, number);
  const { name, bytes, read } = inputOf(number);
  counts[name] = (counts[name] ?? 0) + 1;
  try {
    if ((await timed(read)) > MAX_INPUT_MS) slow.push(number);
  } catch (error) {
    failures.push(`${name} ${number}: ${error instanceof Error ? error.stack : error}\n${excerpt(bytes)}`);
  }
}
// Tries again later, in case of a garbage collection or a stalled machine. Only a cost of the input itself remains.
for (const number of slow) {
  Atomics.store(at, 0, number);
  const { name, bytes, read } = inputOf(number);
  const took = Math.min(await timed(read), await timed(read), await timed(read));
  if (took > MAX_INPUT_MS) failures.push(`${name} ${number} takes ${Math.round(took)} ms: ${excerpt(bytes)}`);
}

parentPort?.postMessage({ counts, failures } satisfies Report);

function excerpt(bytes: Buffer): string {
  return JSON.stringify(bytes.toString().slice(0, 300));
}

function inputOf(number: number): { name: string; bytes: Buffer; read: () => Promise<unknown> } {
  const [name, { examples, read }] = kinds[number % kinds.length] as (typeof kinds)[number];
  const random = randomNumbers(seed + number);
  const example = random(examples.length);
  const bytes = damaged(examples[example] as Buffer, random, examples);
  return { name, bytes, read: () => read(bytes, example) };
}

/** CPU time of this thread in milliseconds. */
async function timed(read: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await read();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
