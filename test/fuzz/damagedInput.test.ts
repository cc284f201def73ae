/** Damaged input of all kinds except checkpoints, which have their own test: none causes an error or takes a second. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { SEED, share } from './amount.ts';
import type { Report, Work } from './damagedInput.ts';

const INPUTS = share(20_000);

/** Time in milliseconds without a new input after which the thread counts as hanging. */
const MAX_SILENCE_MS = 60_000;

test(`${INPUTS} damaged inputs are read`, async (t) => {
  const work: Work = { seed: SEED, inputs: INPUTS, at: new Int32Array(new SharedArrayBuffer(4)) };
  const thread = new Worker(new URL('damagedInput.ts', import.meta.url), { workerData: work });
  const { counts, failures } = await new Promise<Report>((resolve, reject) => {
    let last = -1;
    const watch = setInterval(() => {
      if (work.at[0] === last) reject(new Error(`input ${last} of seed ${SEED} hangs`));
      last = work.at[0] ?? 0;
    }, MAX_SILENCE_MS);
    thread.once('message', resolve);
    thread.once('error', (error) => reject(new Error(`input ${work.at[0]} of seed ${SEED}`, { cause: error })));
    t.after(() => {
      clearInterval(watch);
      return thread.terminate();
    });
  });
  assert.deepEqual(failures, [], `seed ${SEED}`);
  t.diagnostic(
    Object.entries(counts)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', '),
  );
});
