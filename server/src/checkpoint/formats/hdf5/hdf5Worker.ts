/** The thread that runs the HDF5 library. It can be stopped and receives only the bytes of the file. */
import { parentPort } from 'node:worker_threads';
import { outlineOf } from './library.ts';
import type { ReadNow } from './outline.ts';
import { type FromThread, LENGTH, PAGE_SIZE, STATE, type Start } from './pages.ts';

/** Maximum number of pages of a file that are kept. */
const MOST_PAGES = 1024;

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}

/** Returns a synchronous reader whose pages the main thread provides on request. */
function readerOf({ size, shared }: Start): ReadNow {
  const control = new Int32Array(shared, 0, 2);
  const content = new Uint8Array(shared, control.byteLength, PAGE_SIZE);
  const pages = new Map<number, Uint8Array>();
  // Blocks until the page arrives.
  const pageAt = (index: number) => {
    const known = pages.get(index);
    if (known) return known;
    Atomics.store(control, STATE, 0);
    send({ page: index });
    Atomics.wait(control, STATE, 0);
    const page = content.slice(0, control[LENGTH]);
    if (pages.size >= MOST_PAGES) pages.clear();
    pages.set(index, page);
    return page;
  };
  return (offset, length) => {
    const wanted = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
    for (let at = 0; at < wanted.length; ) {
      const start = (offset + at) % PAGE_SIZE;
      const part = pageAt(Math.floor((offset + at) / PAGE_SIZE)).subarray(start, start + wanted.length - at);
      if (part.length === 0) return wanted.subarray(0, at);
      wanted.set(part, at);
      at += part.length;
    }
    return wanted;
  };
}

parentPort?.on('message', async (start: Start) => {
  send({ outline: await outlineOf(start.size, readerOf(start), (steps) => send({ steps })) });
});
