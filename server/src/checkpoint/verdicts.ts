import type { Checkpoint, Safety, Verdict } from './checkpoint.ts';

/** From harmless to harmful: knowing that loading runs code outranks knowing nothing. */
const RANK: readonly Verdict[] = [
  'no-code',
  'weights-only',
  'refused',
  'not-checked',
  'needs-trust',
  'suspicious',
  'dangerous',
];

/** The worst of what the parts of a checkpoint were judged to be, or of what its readers make of it; the first of equals. */
export function worstOf(parts: readonly Safety[]): Safety {
  const [first = notChecked('nothing in it was judged'), ...others] = parts;
  return others.reduce(
    (worst, each) => (RANK.indexOf(each.verdict) > RANK.indexOf(worst.verdict) ? each : worst),
    first,
  );
}

/**
 * Says that a loader only makes data of a file, whose name begins the sentence: `The safetensors library`. It holds for
 * that loader: another one may find instructions in the same bytes.
 */
export function noCode(loader: string): Safety {
  return { verdict: 'no-code', reason: `${loader} reads it as data and runs none of it.` };
}

/** Says that a runtime, whose name begins the sentence, only computes with a program. */
export function onlyComputes(runtime: string): Safety {
  return {
    verdict: 'no-code',
    reason: `${runtime} only computes with it: its operators reach no files and run no other code.`,
  };
}

/** Says why loading a file runs what its author wants, as a sentence. */
export function needsTrust(reason: string): Safety {
  return { verdict: 'needs-trust', reason };
}

/**
 * Why a file is not judged, as a clause: `bytes lie behind its last tensor`. Whatever can be read in two ways, or not to
 * its last byte, is not judged: one of its readers may find in it what another one does not see.
 */
export function notChecked(why: string): Safety {
  return { verdict: 'not-checked', reason: `Not checked: ${why}.` };
}

/** True for what was read whole, in the only way in which it can be read, and found to do nothing but make data. */
export function isHarmless({ verdict }: Safety): boolean {
  return verdict === 'no-code' || verdict === 'weights-only' || verdict === 'refused';
}

/** What is broken about a file: its problems without the sentence that loading it runs code. */
export function damagesIn({ problems, safety }: Pick<Checkpoint, 'problems' | 'safety'>): readonly string[] {
  return runsCode(safety) ? problems.filter((problem) => problem !== safety.reason) : problems;
}

/** True where loading runs, or may run, code that nobody vouches for. */
export function runsCode({ verdict }: Safety): boolean {
  return verdict === 'needs-trust' || verdict === 'suspicious' || verdict === 'dangerous';
}
