import { type Budget, BudgetExhausted } from '../budget.ts';
import type { Bytes } from '../bytes.ts';
import { createFrames } from './frames.ts';
import { LIMITS, STEPS } from './limits.ts';
import { floatIn, wholeNumberIn } from './literals.ts';
import { createMachine } from './machine.ts';
import { decodeInstruction, type Instruction, OP, PickleFailure, PickleTrouble } from './opcodes.ts';
import type { Value } from './symbols.ts';
import type { Observations } from './workspace.ts';

/** Returns the full names of a pickle's imports, in order. */
export function namesIn({ globals }: Pick<Pickle, 'globals'>): string[] {
  return [...new Set([...globals.values()].map(({ fullName }) => fullName))];
}

export interface Pickle extends Observations {
  /** Offset after its last instruction. */
  readonly end: number;
  /** Reason why it could not be interpreted to its end, as a clause that follows "the pickle". */
  readonly trouble?: string;
  /** True if every unpickler also fails at `end`; false if one may continue. */
  readonly fails?: boolean;
}

/**
 * Called after each `BUILD` with the object that it filled, the offset of the next instruction and the state so far. If
 * a reader finds bytes other than instructions there, it returns the end of those bytes. @throws PickleTrouble
 */
export type AfterBuild = (built: Value, offset: number, seen: Observations) => Promise<number> | undefined;

/** Number of bytes read initially, which is enough for the many pickles that are a number or a name. */
const SMALL_WINDOW = 4 * 1024;
/** Number of bytes per read after that. Apart from a long line, an instruction without its payload is shorter. */
const WINDOW = 128 * 1024;

/** Interprets the pickle that starts at `start`. Payloads such as a tensor's bytes are skipped. */
export async function interpretPickle(
  bytes: Bytes,
  start: number,
  budget: Budget,
  afterBuild?: AfterBuild,
): Promise<Pickle> {
  const machine = createMachine(budget);
  const frames = createFrames();
  // One object is reused, because there are millions of instructions.
  const instruction: Instruction = { code: 0, operand: null, length: 0 };
  let offset = start;
  try {
    budget.spend(STEPS.pickle);
    for (let size = SMALL_WINDOW; ; ) {
      const window = await bytes.read(offset, size);
      const windowOffset = offset;
      for (;;) {
        if (!decodeInstruction(instruction, window, offset - windowOffset, windowOffset)) break;
        frames.step(instruction, offset);
        offset += instruction.length;
        if (offset > bytes.size) throw new PickleFailure('is cut off');
        if (machine.step(instruction, offset - instruction.length)) {
          frames.finish(offset);
          return { ...observations(), end: offset };
        }
        if (instruction.code !== OP.BUILD || !afterBuild) continue;
        const passed = afterBuild(machine.top(), offset, machine.seen);
        if (!passed) continue;
        frames.leave(offset);
        offset = await passed;
        if (offset > bytes.size) throw new PickleTrouble('is cut off');
      }
      if (offset === windowOffset && window.length < size) {
        importCutOffName(window);
        throw new PickleFailure('is cut off');
      }
      if (offset === windowOffset && size === WINDOW) {
        await skipLine(window);
        frames.step(instruction, offset);
        offset += instruction.length;
        machine.step(instruction, offset - instruction.length);
      }
      // After a skipped payload, little may remain before the next one.
      size = offset > windowOffset + window.length ? SMALL_WINDOW : WINDOW;
    }
  } catch (error) {
    if (!(error instanceof PickleTrouble || error instanceof BudgetExhausted)) throw error;
    return { ...observations(), end: offset, trouble: error.message, fails: error instanceof PickleFailure };
  }

  /**
   * Imports a name that the end of the file cuts off. Python's unpickler, which `joblib.load` uses, accepts the
   * existing part without its last byte, which it expects to be the line feed.
   */
  function importCutOffName(window: Buffer): void {
    const isImport = window[0] === OP.GLOBAL || window[0] === OP.INST;
    if (!isImport || window.length < 2) return;
    const isLine = window.at(-1) === 0x0a;
    const whole = Buffer.concat([isLine ? window : window.subarray(0, -1), Buffer.from(isLine ? '\n' : '\n\n')]);
    if (decodeInstruction(instruction, whole, 0, offset)) machine.step(instruction, offset);
  }

  /** Skips a single line of text longer than the window; no other instruction can be that long. */
  async function skipLine(window: Buffer): Promise<void> {
    const code = window[0];
    const isQuoted = window[1] === 0x22 || window[1] === 0x27;
    if (code === OP.STRING && !isQuoted) throw new PickleFailure('contains a string without quotes');
    if (code === OP.GLOBAL || code === OP.INST) throw new PickleTrouble('imports a name of impossible length');
    // A NUL may end a number before the line ends.
    if (code === OP.FLOAT) floatIn(window.toString('latin1', 1));
    else if (code === OP.INT) wholeNumberIn(window.toString('latin1', 1), 'strtol');
    else if (code === OP.LONG) wholeNumberIn(window.toString('latin1', 1), 0);
    else if (code === OP.PUT || code === OP.GET) wholeNumberIn(window.toString('latin1', 1), 10);
    for (let at = offset + window.length; at < offset + LIMITS.line; at += WINDOW) {
      budget.spend(STEPS.pickle);
      const more = await bytes.read(at, WINDOW);
      const end = more.indexOf(0x0a);
      if (end < 0 && more.length < WINDOW) throw new PickleFailure('is cut off');
      if (end < 0) continue;
      const length = at + end + 1 - offset;
      instruction.code = code as number;
      instruction.operand = { kind: 'raw', isText: true, isEncoded: true, offset: offset + 1, length: length - 2 };
      instruction.length = length;
      return;
    }
    throw new PickleTrouble('contains a line of impossible length');
  }

  function observations(): Observations {
    for (const doubt of frames.doubts) machine.seen.doubts.add(doubt);
    return machine.seen;
  }
}
