import type { Bytes } from '../bytes.ts';
import { createFrames } from './frames.ts';
import { type Budget, createBudget } from './limits.ts';
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
/** Bytes that are read at a time later; an instruction without its payload is shorter, but for a long line. */
const WINDOW = 128 * 1024;
const LONGEST_LINE = 512 * 1024;

/** Interprets the pickle that starts at `start`. Payloads such as a tensor's bytes are passed over, not read. */
export async function interpretPickle(bytes: Bytes, start = 0, budget: Budget = createBudget()): Promise<Pickle> {
  const { limits } = budget;
  const machine = createMachine(budget);
  const frames = createFrames();
  // One for all: there are millions of them.
  const instruction: Instruction = { code: 0, operand: null, length: 0 };
  let offset = start;
  try {
    if (++budget.pickles > limits.pickles) throw new PickleTrouble(`is one of more than ${limits.pickles}`);
    for (let size = SMALL_WINDOW; ; ) {
      const window = await bytes.read(offset, size);
      const windowOffset = offset;
      for (;;) {
        if (!decode(instruction, window, offset - windowOffset, windowOffset)) break;
        frames.step(instruction, offset);
        offset += instruction.length;
        if (offset > bytes.size) throw new PickleTrouble('is cut off');
        if (machine.step(instruction)) {
          frames.finish(offset);
          return { ...seenIn(), end: offset };
        }
      }
      budget.bytes += Math.min(window.length, offset - windowOffset);
      if (budget.bytes > limits.bytes) throw new PickleTrouble('is longer than any checkpoint needs');
      const isStuck = offset === windowOffset;
      if (isStuck && window.length < size) throw new PickleTrouble('is cut off');
      if (isStuck && size >= LONGEST_LINE) throw new PickleTrouble('holds a line without an end');
      // Behind a payload that was passed over there may be little until the next one.
      size = offset > windowOffset + window.length ? SMALL_WINDOW : isStuck ? Math.max(WINDOW, size * 4) : WINDOW;
    }
  } catch (error) {
    if (!(error instanceof PickleTrouble)) throw error;
    return { ...seenIn(), end: offset, trouble: error.message };
  }

  function seenIn(): Seen {
    for (const doubt of frames.doubts) machine.seen.doubts.add(doubt);
    return machine.seen;
  }
}
