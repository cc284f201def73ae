import { freemem, totalmem } from 'node:os';

/** Bytes of memory that processes share with the system. */
export interface MainMemory {
  readonly total: number;
  /** The memory that a process could allocate now, including reclaimable caches. */
  readonly free: number;
}

/** The main memory of this machine, or of the container that limits this process. */
export function mainMemory(): MainMemory {
  const limit = process.constrainedMemory?.() ?? 0;
  // Without a limit it is 0, or more than any machine has.
  const total = limit > 0 && limit < totalmem() ? limit : totalmem();
  return { total, free: Math.min(total, process.availableMemory?.() ?? freemem()) };
}
