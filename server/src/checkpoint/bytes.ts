import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { refuseSpecial } from '../projectFile.ts';
import type { Budget } from './budget.ts';

/** Random access to bytes that do not change. */
export interface Bytes {
  readonly size: number;
  /** All of them, if they are in memory. */
  readonly content?: Buffer;
  /** Returns `length` bytes from `offset`, or fewer if the end comes first. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** Passes a regular file's bytes to `use` and closes the file afterwards. @throws Unreadable, or the system's error. */
export async function withFile<T>(path: string, use: (bytes: Bytes) => Promise<T>): Promise<T> {
  // Opening a device may have side effects. If something replaces the file in between, opening the replacement does not
  // block, and the check below rejects it.
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

/** Returns the same bytes with each read counted. Large reads count as memory, because the caller keeps them. */
export function metered(bytes: Bytes, budget: Budget): Bytes {
  return {
    size: bytes.size,
    read(offset, length) {
      const wanted = lengthWithin(bytes.size, offset, length);
      budget.spend(STEPS_PER_READ);
      if (wanted > LARGE_READ) budget.hold(wanted);
      else budget.spend(wanted / BYTES_PER_STEP);
      return bytes.read(offset, length);
    },
  };
}

/** One system call and its way through the event loop. */
const STEPS_PER_READ = 1000;
const BYTES_PER_STEP = 32;
const LARGE_READ = 256 * 1024;

export function inMemory(buffer: Buffer): Bytes {
  return {
    size: buffer.length,
    content: buffer,
    read: async (offset, length) => buffer.subarray(offset, offset + lengthWithin(buffer.length, offset, length)),
  };
}

/** Returns a section of other bytes. */
export function slice(bytes: Bytes, start: number, size: number): Bytes {
  const within = lengthWithin(bytes.size, start, size);
  return {
    size: within,
    read: (offset, length) => bytes.read(start + offset, lengthWithin(within, offset, length)),
  };
}

/** Returns bytes that read ahead, for a reader that makes small reads in ascending order. */
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
