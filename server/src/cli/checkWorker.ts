/** A thread of `gpu-doctor check`. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { TextFacts } from '../projectIndex/textFacts.ts';
import { type CheckTask, jobsOf, type Settled, STAGES, workThrough } from './checkTask.ts';

/** The thread's input. */
export interface WorkerStart {
  readonly task: CheckTask;
  readonly thread: number;
}

/** The messages of a thread: results, or the facts in the texts that it read. */
export type FromCheckThread = readonly Settled[] | ReadonlyMap<string, TextFacts>;

/** Number of results that are sent at a time. */
const BATCH = 64;

export async function runCheckWorker(): Promise<void> {
  const { task, thread } = workerData as WorkerStart;
  let batch: Settled[] = [];
  const post = (message: FromCheckThread) => parentPort?.postMessage(message);
  const send = () => {
    post(batch.filter(([, result, key]) => key !== undefined || !isNothing(result)));
    for (const [index] of batch) task.state.stages[index] = STAGES.settled;
    batch = [];
  };
  const facts = new Map<string, TextFacts>();
  const handIn = (settled: Settled) => {
    batch.push(settled);
    if (batch.length === BATCH) send();
  };
  await workThrough(task, thread, await jobsOf(task, facts), handIn, async () => {
    post(facts);
    if (!parentPort) return;
    const [all]: ReadonlyMap<string, TextFacts>[] = await once(parentPort, 'message');
    for (const [path, known] of all ?? []) facts.set(path, known);
  });
  send();
}

const isNothing = ({ problems, hidden, misparsed, troubles, fixed, diff }: Settled[1]) =>
  misparsed === undefined && problems.length + hidden + troubles.length + fixed + diff.length === 0;
