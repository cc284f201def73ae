/** A thread of `gpu-doctor check`. */
import { parentPort, workerData } from 'node:worker_threads';
import { type CheckTask, jobsOf, type Settled, STAGES, workThrough } from './checkTask.ts';

/** The thread's input. */
export interface WorkerStart {
  readonly task: CheckTask;
  readonly thread: number;
}

/** Number of results that are sent at a time. */
const BATCH = 64;

export async function runCheckWorker(): Promise<void> {
  const { task, thread } = workerData as WorkerStart;
  let batch: Settled[] = [];
  const send = () => {
    parentPort?.postMessage(batch.filter(([, result, key]) => key !== undefined || !isNothing(result)));
    for (const [index] of batch) task.state.stages[index] = STAGES.settled;
    batch = [];
  };
  await workThrough(task, thread, await jobsOf(task), (settled) => {
    batch.push(settled);
    if (batch.length === BATCH) send();
  });
  send();
}

const isNothing = ({ problems, hidden, misparsed, troubles, fixed, diff }: Settled[1]) =>
  misparsed === undefined && problems.length + hidden + troubles.length + fixed + diff.length === 0;
