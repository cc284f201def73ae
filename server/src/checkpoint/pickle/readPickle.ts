import type { Budget } from '../budget.ts';
import { type Bytes, readingAhead } from '../bytes.ts';
import type { Safety } from '../checkpoint.ts';
import { isHarmless, notChecked, runsCode } from '../verdicts.ts';
import type { Pickle } from './interpret.ts';
import { pickleAt } from './legacy.ts';
import { OP } from './opcodes.ts';
import { judgePickles } from './safety.ts';

/** The pickle that a loader reads, and those of the checkpoints within it. */
export type Pickles = readonly [Pickle, ...Pickle[]];

/**
 * The one pickle that `bytes` are, to their last byte. The pickles of one file share a budget, so that a thousand of them
 * take no more than one.
 */
export async function readPickle(bytes: Bytes, budget: Budget): Promise<Pickles> {
  const pickles = await pickleAt(bytes, 0, budget);
  const [{ end, trouble, doubts }] = pickles;
  if (trouble === undefined && end < bytes.size) doubts.add(`is followed by ${bytes.size - end} bytes`);
  return pickles;
}

/** The pickles that `bytes` are, one behind the other: a program may load each of them. */
export async function readPickles(bytes: Bytes, budget: Budget): Promise<Pickles> {
  const ahead = readingAhead(bytes);
  const [first, ...rest] = await pickleAt(bytes, 0, budget);
  let last = first;
  while (last.trouble === undefined && last.end < bytes.size) {
    const [next, ...within] = await pickleAt(ahead, last.end, budget);
    last = next.trouble === undefined ? next : { ...next, trouble: 'is followed by what is no pickle' };
    rest.push(last, ...within);
  }
  return [first, ...rest];
}

/**
 * What `pickle.load`, with which `torch.load` and `joblib.load` begin, too, would do with bytes of whatever format.
 * Undefined where it only fails, or builds plain data.
 */
export async function threatOf(bytes: Bytes, budget: Budget): Promise<Safety | undefined> {
  // Nothing is outside of the file to these: they fail at once.
  if ((await bytes.read(0, 1))[0] === OP.PERSID) return undefined;
  return threatIn(await pickleAt(bytes, 0, budget));
}

/**
 * The harm that a loader does which takes a file for these pickles, though it is not meant for that loader. A failure of
 * every unpickler is none; a place where only the reader stops is not checked.
 */
export function threatIn(pickles: Pickles): Safety | undefined {
  const stops = pickles.find(({ trouble, fails }) => trouble !== undefined && !fails);
  const [{ globals, calls, doubts, opcodes, fails }] = pickles;
  // What imports nothing calls nothing, unless the unpicklers go on from different places.
  const isInert = globals.size === 0 && (doubts.size === 0 || !opcodes.has(OP.FRAME));
  if (!stops && isInert) return undefined;
  const safety = judgePickles(pickles.map((pickle) => (pickle.fails ? { ...pickle, trouble: undefined } : pickle)));
  // Text imports by chance what there is no module for.
  if (fails && calls.length === 0 && doubts.size === 0 && safety.verdict !== 'dangerous') return undefined;
  if (runsCode(safety)) return safety;
  if (stops) return notChecked(`read as a pickle, it ${stops.trouble}`);
  return isHarmless(safety) ? undefined : safety;
}
