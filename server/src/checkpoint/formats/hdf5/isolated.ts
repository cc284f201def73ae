import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Outline } from './outline.ts';
import { type FromThread, LENGTH, PAGE_SIZE, STATE, type Start } from './pages.ts';

/** The thread's program, next to this file or to the bundle that contains it. */
const WORKER = join(import.meta.dirname, `hdf5Worker${extname(import.meta.filename)}`);

/**
 * The released form of the program. The library makes up half of the extension, and Brotli compresses it better than
 * the archive does.
 */
const PACKED = `${WORKER}.br`;

function startThread(): Worker {
  const options: WorkerOptions = {
    resourceLimits: { maxOldGenerationSizeMb: 128 },
    // The library's messages about damaged files are not for the user.
    stdout: true,
    stderr: true,
  };
  if (!existsSync(PACKED)) return new Worker(WORKER, options);
  return new Worker(brotliDecompressSync(readFileSync(PACKED)).toString('utf8'), { ...options, eval: true });
}

/**
 * Milliseconds of CPU time within which the thread must start, and within which the library must then keep reporting
 * progress. CPU time is used because a busy machine must not make an undamaged file fail.
 */
const LONGEST_START = 10_000;
const LONGEST_SILENCE = 2_000;
/**
 * The same for a thread that has already read a file. If it fails, a new thread tries again, and both together should
 * be fast.
 */
const LONGEST_SILENCE_AGAIN = 500;
/** Milliseconds between two checks of the CPU time. */
const SHORTEST_INTERVAL = 50;
/** Bytes read per file at most. */
const MOST_READ = 1024 * 1024 * 1024;

/**
 * Milliseconds for which a thread waits for another file. Starting a thread takes most of the time that a file takes.
 */
const LONGEST_IDLE = 5_000;

/** A thread that has read a file and waits for the next one. */
let idle: { readonly thread: Worker; readonly end: NodeJS.Timeout } | undefined;

/** Returns the outline of an HDF5 file; undefined if the library fails or needs too much work or memory. */
export async function readOutline(bytes: Bytes, budget: Budget): Promise<Outline | undefined> {
  const waiting = takeIdle();
  if (waiting) {
    const outline = await outlineIn(waiting, bytes, budget, LONGEST_SILENCE_AGAIN, LONGEST_SILENCE_AGAIN);
    if (isWhole(outline)) return outline;
    // An earlier file may have corrupted the library's memory, so a new thread tries again.
  }
  return outlineIn(startThread(), bytes, budget, LONGEST_START, LONGEST_SILENCE);
}

function isWhole(outline: Outline | undefined): boolean {
  return outline !== undefined && outline.trouble === undefined;
}

function takeIdle(): Worker | undefined {
  if (!idle) return undefined;
  const { thread, end } = idle;
  idle = undefined;
  clearTimeout(end);
  removeListeners(thread);
  thread.ref();
  return thread;
}

/** Removes our listeners from a thread; Node has its own for other events. */
function removeListeners(thread: Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
}

/** Keeps a thread for the next file unless another one is waiting. The program can exit without waiting for it. */
async function leaveIdle(thread: Worker): Promise<void> {
  if (idle) return void (await thread.terminate());
  removeListeners(thread);
  const drop = () => {
    if (idle?.thread === thread) takeIdle();
    void thread.terminate();
  };
  idle = { thread, end: setTimeout(drop, LONGEST_IDLE).unref() };
  thread.on('error', drop);
  thread.on('exit', drop);
  thread.unref();
}

/**
 * Makes a thread read a file. The thread must report within `longestStart`, and then at least every `longestSilence`.
 * Afterwards it becomes idle or ends.
 */
async function outlineIn(
  thread: Worker,
  bytes: Bytes,
  budget: Budget,
  longestStart: number,
  longestSilence: number,
): Promise<Outline | undefined> {
  const shared = new SharedArrayBuffer(8 + PAGE_SIZE);
  const control = new Int32Array(shared, 0, 2);
  const content = new Uint8Array(shared, control.byteLength, PAGE_SIZE);
  let read = 0;
  const answer = async (page: number) => {
    const found = await bytes.read(page * PAGE_SIZE, PAGE_SIZE);
    read += found.length;
    content.set(found);
    control[LENGTH] = read > MOST_READ ? 0 : found.length;
    Atomics.store(control, STATE, 1);
    Atomics.notify(control, STATE);
  };
  let silence: NodeJS.Timeout | undefined;
  let ended = false;
  let outline: Outline | undefined;
  try {
    outline = await new Promise<Outline | undefined>((resolve, reject) => {
      const giveUp = () => resolve(undefined);
      const wait = (longest: number) => {
        if (ended) return;
        const before = process.cpuUsage();
        const look = () => {
          const { user, system } = process.cpuUsage(before);
          const left = longest - (user + system) / 1000;
          if (left <= 0) giveUp();
          else silence = setTimeout(look, Math.max(left, SHORTEST_INTERVAL));
        };
        silence = setTimeout(look, longest);
      };
      wait(longestStart);
      thread.on('message', async (message: FromThread) => {
        clearTimeout(silence);
        if ('outline' in message) return resolve(message.outline);
        try {
          // While the thread waits for bytes, its time does not count.
          if ('page' in message) await answer(message.page);
          else budget.spend(message.steps);
        } catch (error) {
          return reject(error);
        }
        wait(longestSilence);
      });
      thread.on('error', giveUp);
      thread.on('exit', giveUp);
      thread.postMessage({ size: bytes.size, shared } satisfies Start);
    });
    return outline;
  } finally {
    ended = true;
    clearTimeout(silence);
    await (isWhole(outline) ? leaveIdle(thread) : thread.terminate());
  }
}
