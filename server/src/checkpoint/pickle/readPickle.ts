import type { Budget } from '../budget.ts';
import { type Bytes, readingAhead } from '../bytes.ts';
import type { Safety } from '../checkpoint.ts';
import { isHarmless, notChecked, runsCode } from '../verdicts.ts';
import type { Pickle } from './interpret.ts';
import { pickleAt } from './legacy.ts';
import { OP } from './opcodes.ts';
import { judgePickles } from './safety.ts';

/** The pickle that a loader reads, and the pickles of the checkpoints nested in it. */
export type Pickles = readonly [Pickle, ...Pickle[]];

/**
 * Reads bytes that consist of a single pickle up to the last byte. The pickles of one file share a budget, so a
 * thousand of them cost no more than one.
 */
export async function readPickle(bytes: Bytes, budget: Budget): Promise<Pickles> {
  const pickles = await pickleAt(bytes, 0, budget);
  const [{ end, trouble, doubts }] = pickles;
  if (trouble === undefined && end < bytes.size) doubts.add(`is followed by ${bytes.size - end} bytes`);
  return pickles;
}

/** Reads bytes that are consecutive pickles; a program may load each of them. */
export async function readPickles(bytes: Bytes, budget: Budget): Promise<Pickles> {
  const ahead = readingAhead(bytes);
  const [first, ...rest] = await pickleAt(bytes, 0, budget);
  let last = first;
  while (last.trouble === undefined && last.end < bytes.size) {
    const [next, ...within] = await pickleAt(ahead, last.end, budget);
    last = next.trouble === undefined ? next : { ...next, trouble: 'is followed by something other than a pickle' };
    rest.push(last, ...within);
  }
  return [first, ...rest];
}

/**
 * Checks what `pickle.load` would do with bytes of any format; `torch.load` and `joblib.load` start with it, too.
 * Undefined if it only fails or builds plain data.
 */
export async function threatOf(bytes: Bytes, budget: Budget): Promise<Safety | undefined> {
  // Without `persistent_load`, these unpicklers fail immediately.
  if ((await bytes.read(0, 1))[0] === OP.PERSID) return undefined;
  return threatIn(await pickleAt(bytes, 0, budget));
}

const EXTENSION = 'copyreg extension';

/**
 * Returns the harm that a loader does if it reads a file as these pickles although the file is not meant for that
 * loader. If every unpickler fails, there is no harm; if only this reader stops, the file is not checked.
 */
export function threatIn(pickles: Pickles): Safety | undefined {
  const stops = pickles.find(({ trouble, fails }) => trouble !== undefined && !fails);
  const [{ globals, calls, doubts, opcodes, fails }] = pickles;
  // Without imports there are no calls, unless the unpicklers continue at different offsets.
  const isInert = globals.size === 0 && (doubts.size === 0 || !opcodes.has(OP.FRAME));
  if (!stops && isInert) return undefined;
  const safety = judgePickles(pickles.map((pickle) => (pickle.fails ? { ...pickle, trouble: undefined } : pickle)));
  // By chance, text can import from modules that do not exist, and a number can name an extension: only programs
  // register extensions, and without a call nothing runs.
  const isNoise = safety.verdict !== 'dangerous' || [...globals.values()].every(({ module }) => module === EXTENSION);
  if (fails && calls.length === 0 && doubts.size === 0 && isNoise) return undefined;
  if (runsCode(safety)) return safety;
  if (stops) return notChecked(`read as a pickle, it ${stops.trouble}`);
  return isHarmless(safety) ? undefined : safety;
}
