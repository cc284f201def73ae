import type { Bytes } from '../bytes.ts';
import type { Limits } from './limits.ts';
import { createMachine } from './machine.ts';
import { decode, type Instruction, PickleTrouble } from './opcodes.ts';
import type { Seen } from './workspace.ts';

export interface Pickle extends Seen {
  /** The offset behind its last instruction. */
  readonly end: number;
  /** Why it could not be interpreted to its end, as a clause that follows "the pickle". */
  readonly trouble?: string;
}

/** Bytes that are read at first: enough for the many pickles that are a number or a name. */
const SMALL_WINDOW = 4 * 1024;
/** Bytes that are read at a time later; an instruction without its payload is shorter. */
const WINDOW = 128 * 1024;

/** Bytes that a pickle's instructions may take, without the payloads that are passed over. */
const MOST_BYTES = 96 * 1024 * 1024;

/** Interprets the pickle that starts at `start`. Payloads such as a tensor's bytes are passed over, not read. */
export async function interpretPickle(bytes: Bytes, start = 0, limits?: Limits): Promise<Pickle> {
  const machine = createMachine(limits);
  // One for all: there are millions of them.
  const instruction: Instruction = { code: 0, operand: null, length: 0 };
  let offset = start;
  let read = 0;
  try {
    for (let size = SMALL_WINDOW; ; size = WINDOW) {
      const window = await bytes.read(offset, size);
      read += window.length;
      if (read > MOST_BYTES) throw new PickleTrouble('is longer than any checkpoint needs');
      const windowOffset = offset;
      for (;;) {
        if (!decode(instruction, window, offset - windowOffset, windowOffset)) break;
        offset += instruction.length;
        if (offset > bytes.size) throw new PickleTrouble('is cut off');
        if (machine.step(instruction)) return { ...machine.seen, end: offset };
      }
      if (offset === windowOffset && (size === WINDOW || window.length < size)) throw new PickleTrouble('is cut off');
    }
  } catch (error) {
    if (!(error instanceof PickleTrouble)) throw error;
    return { ...machine.seen, end: offset, trouble: error.message };
  }
}
