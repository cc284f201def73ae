import { type Instruction, OP } from './opcodes.ts';

/**
 * The frames of protocol 4 and newer. CPython's two unpicklers, that in C and that in Python, go on in different ways
 * where a frame ends inside of an instruction: https://github.com/python/cpython/issues/154848
 */
export interface Frames {
  /** Takes an instruction and where it starts. */
  step(instruction: Instruction, start: number): void;
  /** Takes where bytes follow that are no instructions: a reader takes them from behind the frame. */
  leave(offset: number): void;
  /** Takes the place behind the last instruction. */
  finish(end: number): void;
  /** What readers differ in, as clauses that follow "the pickle". */
  readonly doubts: ReadonlySet<string>;
}

export function createFrames(): Frames {
  const doubts = new Set<string>();
  /** Where the frame ends; 0 outside of any. */
  let frameEnd = 0;
  return {
    doubts,
    step({ code, operand, length }, start) {
      if (start >= frameEnd) frameEnd = 0;
      if (start + length > frameEnd && frameEnd > 0) doubts.add('has a frame that ends inside of an instruction');
      if (code !== OP.FRAME) return;
      if (frameEnd > 0) doubts.add('has a frame inside of another one');
      frameEnd = start + length + Number(operand);
    },
    leave(offset) {
      if (offset < frameEnd) doubts.add('has a frame with more in it than instructions');
    },
    finish(end) {
      if (end < frameEnd) doubts.add('has a frame that is longer than its content');
    },
  };
}
