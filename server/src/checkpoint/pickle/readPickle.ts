import type { Budget } from '../budget.ts';
import { type Bytes, readingAhead } from '../bytes.ts';
import type { Safety } from '../checkpoint.ts';
import { isHarmless, notChecked } from '../verdicts.ts';
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
 * Undefined when it would only fail, or build plain data.
 */
export async function threatOf(bytes: Bytes, budget: Budget): Promise<Safety | undefined> {
  // Nothing is outside of the file to these: they fail at once.
  if ((await bytes.read(0, 1))[0] === OP.PERSID) return undefined;
  const pickles = await pickleAt(bytes, 0, budget);
  const [{ trouble, globals, calls, isUnfinished }] = pickles;
  const safety = judgePickles(pickles);
  if (isUnfinished && safety.verdict === 'not-checked') return notChecked(`read as a pickle, it ${trouble}`);
  if (globals.size === 0 || isHarmless(safety)) return undefined;
  return safety.verdict === 'dangerous' || trouble === undefined || calls.length > 0 ? safety : undefined;
}
