import { type Instruction, OP } from './opcodes.ts';

/**
 * Frames of protocol 4 and newer. CPython's C and Python unpicklers continue differently if a frame ends inside an
 * instruction: https://github.com/python/cpython/issues/154848
 */
interface Frames {
  /** Processes an instruction and its offset. */
  step(instruction: Instruction, start: number): void;
  /** Processes the offset of bytes that are not instructions, which a reader takes from the bytes after the frame. */
  leave(offset: number): void;
  /** Processes the offset after the last instruction. */
  finish(end: number): void;
  /** Differences between readers, as clauses that follow "the pickle". */
  readonly doubts: ReadonlySet<string>;
}

export function createFrames(): Frames {
  const doubts = new Set<string>();
  /** End of the current frame; 0 outside of frames. */
  let frameEnd = 0;
  return {
    doubts,
    step({ code, operand, length }, start) {
      if (start >= frameEnd) frameEnd = 0;
      if (start + length > frameEnd && frameEnd > 0) doubts.add('has a frame that ends inside an instruction');
      if (code !== OP.FRAME) return;
      if (frameEnd > 0) doubts.add('has a frame inside another one');
      frameEnd = start + length + Number(operand);
    },
    leave(offset) {
      if (offset < frameEnd) doubts.add('has a frame that contains more than instructions');
    },
    finish(end) {
      if (end < frameEnd) doubts.add('has a frame that is longer than its content');
    },
  };
}
