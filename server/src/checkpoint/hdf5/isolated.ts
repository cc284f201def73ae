import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Bytes } from '../bytes.ts';
import type { Outline } from './outline.ts';
import { LENGTH, PAGE, STATE, type Start } from './pages.ts';

/** The thread's program lies beside this file, and beside the bundle that this file becomes a part of. */
const WORKER = join(import.meta.dirname, `hdf5Worker${extname(import.meta.filename)}`);

/** Milliseconds that the library may take on a file; a real one of 10,000 tensors takes a tenth of it. */
const LONGEST = 20_000;
/** Bytes that are read of a file at most. */
const MOST_READ = 1024 * 1024 * 1024;

/** The outline of an HDF5 file; undefined when the library fails on it or takes too much time or memory. */
export async function outlineInThread(bytes: Bytes): Promise<Outline | undefined> {
  const shared = new SharedArrayBuffer(8 + PAGE);
  const control = new Int32Array(shared, 0, 2);
  const content = new Uint8Array(shared, control.byteLength, PAGE);
  const start: Start = { size: bytes.size, shared };
  const worker = new Worker(WORKER, {
    workerData: start,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
    // What the library says of a damaged file is not for the user.
    stdout: true,
    stderr: true,
  });
  let read = 0;
  const answer = async (page: number) => {
    const found = await bytes.read(page * PAGE, PAGE);
    read += found.length;
    content.set(found);
    control[LENGTH] = read > MOST_READ ? 0 : found.length;
    Atomics.store(control, STATE, 1);
    Atomics.notify(control, STATE);
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Outline | undefined>((resolve, reject) => {
      timer = setTimeout(() => resolve(undefined), LONGEST);
      worker.on('message', (message: { page: number } | { outline: Outline }) => {
        if ('outline' in message) resolve(message.outline);
        else answer(message.page).catch(reject);
      });
      worker.on('error', () => resolve(undefined));
      worker.on('exit', () => resolve(undefined));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
