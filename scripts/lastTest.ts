/**
 * The last test of each test process. It ends a process that something keeps alive, such as a child whose exit was
 * missed. `--test-force-exit` would end it once the tests registered so far have run, and lose those of a file that
 * still awaits something between its tests.
 */
import { test } from 'node:test';

export const LAST_TEST = 'the last test of a process';

/** Time for a process to end without help. */
const GRACE_MS = 2000;

/** Registers the last test, once all others are registered. */
export function addLastTest(): void {
  test(LAST_TEST, () => {
    const end = () => {
      console.error(`Ended a test process that was kept alive by ${process.getActiveResourcesInfo().join(', ')}.`);
      // Once this is written, so are the results.
      process.stdout.write('', () => process.exit());
    };
    setTimeout(end, GRACE_MS).unref();
  });
}
