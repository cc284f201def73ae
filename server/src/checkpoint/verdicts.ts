import type { Safety, Verdict } from './checkpoint.ts';

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

const NO_CODE: Safety = { verdict: 'no-code', reason: 'The format holds tensors and text only, no code.' };

/** The worst of what the parts of a checkpoint were judged to be, or of what its readers make of it; of none, that there is no code. */
export function worstOf(parts: readonly Safety[]): Safety {
  return parts.reduce(
    (worst, each) => (RANK.indexOf(each.verdict) > RANK.indexOf(worst.verdict) ? each : worst),
    NO_CODE,
  );
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

/** True where loading runs, or may run, code that nobody vouches for. */
export function runsCode({ verdict }: Safety): boolean {
  return verdict === 'needs-trust' || verdict === 'suspicious' || verdict === 'dangerous';
}
