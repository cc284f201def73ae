import { open } from 'node:fs/promises';

/** Random access to bytes that stay where they are. */
export interface Bytes {
  readonly size: number;
  /** What lies from `offset` on: `length` bytes, fewer only where the end comes before. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** Hands a file's bytes to `use`, and closes it afterwards. @throws the system's error. */
export async function withFile<T>(path: string, use: (bytes: Bytes) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
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
