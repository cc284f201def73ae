import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Budget } from './budget.ts';

/** Random access to bytes that stay where they are. */
export interface Bytes {
  readonly size: number;
  /** What lies from `offset` on: `length` bytes, fewer only where the end comes before. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** Something that is no regular file and is not opened, since it may never answer: a clause that follows "it" or its name. */
export class NotRegular extends Error {}

/** Hands a regular file's bytes to `use`, and closes it afterwards. @throws NotRegular, or the system's error. */
export async function withFile<T>(path: string, use: (bytes: Bytes) => Promise<T>): Promise<T> {
  // A device may act when it is opened. What takes the file's place in between does not block, and is refused below.
  refuseSpecial(await stat(path));
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const entry = await file.stat();
    refuseSpecial(entry);
    const { size } = entry;
    return await use({
      size,
      async read(offset, length) {
        const wanted = lengthWithin(size, offset, length);
        if (wanted === 0) return Buffer.alloc(0);
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, offset);
        return buffer.subarray(0, bytesRead);
      },
    });
  } finally {
    await file.close();
  }
}

/** @throws NotRegular for what is neither a file nor a folder; the system itself refuses to read a folder. */
export function refuseSpecial(entry: Stats): void {
  if (entry.isFile() || entry.isDirectory()) return;
  const kind = entry.isFIFO() ? 'pipe' : entry.isSocket() ? 'socket' : 'device';
  throw new NotRegular(`is a ${kind}, not a regular file, and is not opened`);
}

/** The same bytes, each reading of which counts; what is read in large pieces is kept by whoever reads it. */
export function metered(bytes: Bytes, budget: Budget): Bytes {
  return {
    size: bytes.size,
    read(offset, length) {
      const wanted = lengthWithin(bytes.size, offset, length);
      budget.spend(STEPS_A_READ);
      if (wanted > LARGE_READ) budget.hold(wanted);
      else budget.spend(wanted / BYTES_A_STEP);
      return bytes.read(offset, length);
    },
  };
}

/** A call of the system and its way through the event loop. */
const STEPS_A_READ = 1000;
const BYTES_A_STEP = 32;
const LARGE_READ = 256 * 1024;

export function inMemory(buffer: Buffer): Bytes {
  return {
    size: buffer.length,
    read: async (offset, length) => buffer.subarray(offset, offset + lengthWithin(buffer.length, offset, length)),
  };
}

/** A part of other bytes, as bytes of its own. */
export function slice(bytes: Bytes, start: number, size: number): Bytes {
  const within = lengthWithin(bytes.size, start, size);
  return {
    size: within,
    read: (offset, length) => bytes.read(start + offset, lengthWithin(within, offset, length)),
  };
}

/** Reads ahead, for a reader that asks for little at a time, in ascending order. */
export function readingAhead(bytes: Bytes, ahead = 64 * 1024): Bytes {
  let start = 0;
  let window: Buffer = Buffer.alloc(0);
  return {
    size: bytes.size,
    async read(offset, length) {
      if (offset < start || offset + length > start + window.length) {
        window = await bytes.read(offset, Math.max(length, ahead));
        start = offset;
      }
      return window.subarray(offset - start, offset - start + length);
    },
  };
}

function lengthWithin(size: number, offset: number, length: number): number {
  return Math.max(0, Math.min(length, size - offset));
}
