import { type Budget, BudgetExhausted } from '../budget.ts';
import type { Bytes } from '../bytes.ts';
import { createFrames } from './frames.ts';
import { LIMITS, STEPS } from './limits.ts';
import { floatIn, wholeNumberIn } from './literals.ts';
import { createMachine } from './machine.ts';
import { decode, type Instruction, OP, PickleFailure, PickleTrouble } from './opcodes.ts';
import type { Value } from './symbols.ts';
import type { Seen } from './workspace.ts';

/** The full names of a pickle's imports, in its order. */
export function namesIn({ globals }: Pick<Pickle, 'globals'>): string[] {
  return [...new Set([...globals.values()].map(({ fullName }) => fullName))];
}

export interface Pickle extends Seen {
  /** The offset behind its last instruction. */
  readonly end: number;
  /** Why it could not be interpreted to its end, as a clause that follows "the pickle". */
  readonly trouble?: string;
  /** True where every unpickler fails at `end`, too; false where one may go on. */
  readonly fails?: boolean;
}

/**
 * Takes what a `BUILD` instruction filled, where the next one starts, and what came by so far. Where a reader finds bytes
 * there that are no instructions, returns where those end. @throws PickleTrouble
 */
export type AfterBuild = (built: Value, offset: number, seen: Seen) => Promise<number> | undefined;

/** Bytes that are read at first: enough for the many pickles that are a number or a name. */
const SMALL_WINDOW = 4 * 1024;
/** Bytes that are read at a time later; an instruction without its payload is shorter, but for a long line. */
const WINDOW = 128 * 1024;

/** Interprets the pickle that starts at `start`. Payloads such as a tensor's bytes are passed over, not read. */
export async function interpretPickle(
  bytes: Bytes,
  start: number,
  budget: Budget,
  afterBuild?: AfterBuild,
): Promise<Pickle> {
  const machine = createMachine(budget);
  const frames = createFrames();
  // One for all: there are millions of them.
  const instruction: Instruction = { code: 0, operand: null, length: 0 };
  let offset = start;
  try {
    budget.spend(STEPS.pickle);
    for (let size = SMALL_WINDOW; ; ) {
      const window = await bytes.read(offset, size);
      const windowOffset = offset;
      for (;;) {
        if (!decode(instruction, window, offset - windowOffset, windowOffset)) break;
        frames.step(instruction, offset);
        offset += instruction.length;
        if (offset > bytes.size) throw new PickleFailure('is cut off');
        if (machine.step(instruction, offset - instruction.length)) {
          frames.finish(offset);
          return { ...seenIn(), end: offset };
        }
        if (instruction.code !== OP.BUILD || !afterBuild) continue;
        const passed = afterBuild(machine.top(), offset, machine.seen);
        if (!passed) continue;
        frames.leave(offset);
        offset = await passed;
        if (offset > bytes.size) throw new PickleTrouble('is cut off');
      }
      if (offset === windowOffset && window.length < size) {
        importPartOf(window);
        throw new PickleFailure('is cut off');
      }
      if (offset === windowOffset && size === WINDOW) {
        await passLine(window);
        frames.step(instruction, offset);
        offset += instruction.length;
        machine.step(instruction, offset - instruction.length);
      }
      // Behind a payload that was passed over there may be little until the next one.
      size = offset > windowOffset + window.length ? SMALL_WINDOW : WINDOW;
    }
  } catch (error) {
    if (!(error instanceof PickleTrouble || error instanceof BudgetExhausted)) throw error;
    return { ...seenIn(), end: offset, trouble: error.message, fails: error instanceof PickleFailure };
  }

  /**
   * Imports a name within which the file ends: the unpickler in Python, which `joblib.load` uses, takes the part that is
   * there for all of it, but for the last byte, in whose place it expects the line feed.
   */
  function importPartOf(window: Buffer): void {
    const isImport = window[0] === OP.GLOBAL || window[0] === OP.INST;
    if (!isImport || window.length < 2) return;
    const isLine = window.at(-1) === 0x0a;
    const whole = Buffer.concat([isLine ? window : window.subarray(0, -1), Buffer.from(isLine ? '\n' : '\n\n')]);
    if (decode(instruction, whole, 0, offset)) machine.step(instruction, offset);
  }

  /** Passes over a text of one line that is longer than the window, which is the only instruction that can be. */
  async function passLine(window: Buffer): Promise<void> {
    const code = window[0];
    const isQuoted = window[1] === 0x22 || window[1] === 0x27;
    if (code === OP.STRING && !isQuoted) throw new PickleFailure('holds a text without quotes');
    if (code === OP.GLOBAL || code === OP.INST) throw new PickleTrouble('imports a name of impossible length');
    // A NUL may end a number before its line ends.
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
    throw new PickleTrouble('holds a line of impossible length');
  }

  function seenIn(): Seen {
    for (const doubt of frames.doubts) machine.seen.doubts.add(doubt);
    return machine.seen;
  }
}
