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

/** Milliseconds of processor time. */
const LONGEST = 1000;

const { seed, inputs, at }: Work = workerData;
const counts: Record<string, number> = {};
const failures: string[] = [];
const kinds = Object.entries(KINDS);

for (let number = 0; number < inputs; number++) {
  Atomics.store(at, 0, number);
  const [name, { examples, read }] = kinds[number % kinds.length] as (typeof kinds)[number];
  const random = randomNumbers(seed + number);
  const example = random(examples.length);
  const bytes = damaged(examples[example] as Buffer, random, examples);
  counts[name] = (counts[name] ?? 0) + 1;
  const timed = async () => {
    const before = process.threadCpuUsage();
    await read(bytes, example);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  try {
    // Once more, since the first time may be the one in which the engine cleans up.
    const took = (await timed()) < LONGEST ? 0 : await timed();
    if (took > LONGEST) failures.push(`${name} ${number} takes ${Math.round(took)} ms: ${excerpt(bytes)}`);
  } catch (error) {
    failures.push(`${name} ${number}: ${error instanceof Error ? error.stack : error}\n${excerpt(bytes)}`);
  }
}

parentPort?.postMessage({ counts, failures } satisfies Report);

function excerpt(bytes: Buffer): string {
  return JSON.stringify(bytes.toString().slice(0, 300));
}
