import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers';
import { FAILED } from './exitStatus.ts';

/**
 * A reader that only wants the first lines closes the pipe. This is not an error, and output to others still counts.
 */
const READER_IS_GONE = new Set(['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** Milliseconds, in steps, that a command may continue while Node knows of no pending operation. */
const LONGEST_WAIT = 2000;
const STEP = 50;

/**
 * Runs a command until all of its output has been written, and sets the process's exit status. If that is impossible,
 * one sentence on standard error says so and the status is 2: no command ends silently.
 */
export async function untilWritten(command: () => Promise<number>): Promise<void> {
  let isDone = false;
  let trouble: Error | undefined;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!READER_IS_GONE.has(error.code ?? '')) trouble ??= error;
    });
  }
  let waited = 0;
  process.on('beforeExit', () => {
    // Not everything that a command may wait for keeps Node running, such as WebAssembly compiled by V8 in the
    // background.
    if (isDone || waited >= LONGEST_WAIT) return;
    waited += STEP;
    setTimeout(() => {}, STEP);
  });
  process.on('exit', (status) => {
    if (isDone || status !== 0) return;
    say('exited before it finished; please report this');
    process.exitCode = FAILED;
  });

  let status: number;
  try {
    status = await command();
  } catch (error) {
    say(`failed; please report this: ${(error instanceof Error && error.stack) || error}`);
    status = FAILED;
  }
  await Promise.all([process.stdout, process.stderr].map(written));
  if (trouble) {
    say(`its output could not be written: ${trouble.message}`);
    status = FAILED;
  }
  process.exitCode = status;
  isDone = true;
}

/** Waits until all output to a stream has left the process or can no longer do so. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

/** Immediately, so that no later event can prevent it. */
function say(clause: string): void {
  try {
    writeSync(2, `gpu-doctor: ${clause}\n`);
  } catch {
    // Nobody can receive the error.
  }
}
