/** A thread that reads damaged input of all kinds in turn, and says where it is. */
import { parentPort, workerData } from 'node:worker_threads';
import { damaged, randomNumbers } from '../checkpoint/fuzz/mutations.ts';
import { KINDS } from './kinds.ts';

export interface Work {
  readonly seed: number;
  /** Inputs in all. */
  readonly inputs: number;
  /** Shared: the number of the input that is being read. */
  readonly at: Int32Array;
}

export interface Report {
  readonly counts: Readonly<Record<string, number>>;
  /** Each input that failed or took more than a second, by kind and number. */
  readonly failures: readonly string[];
}

/** Milliseconds that one input may take. */
const LONGEST = 1000;

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
    if ((await timed(read)) > LONGEST) slow.push(number);
  } catch (error) {
    failures.push(`${name} ${number}: ${error instanceof Error ? error.stack : error}\n${excerpt(bytes)}`);
  }
}
// Again, at another time: the engine may have cleaned up, or the machine stood still. What an input itself takes stays.
for (const number of slow) {
  Atomics.store(at, 0, number);
  const { name, bytes, read } = inputOf(number);
  const took = Math.min(await timed(read), await timed(read), await timed(read));
  if (took > LONGEST) failures.push(`${name} ${number} takes ${Math.round(took)} ms: ${excerpt(bytes)}`);
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

/** Milliseconds of this thread's processor time. */
async function timed(read: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await read();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
