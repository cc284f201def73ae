import type { Safety, Verdict } from './checkpoint.ts';

/** From harmless to harmful. */
const RANK: readonly Verdict[] = ['no-code', 'weights-only', 'refused', 'not-checked', 'suspicious', 'dangerous'];

/** The worst of what the parts of a checkpoint were judged to be; of none, that there is no code. */
export function worstOf(parts: readonly Safety[]): Safety {
  return parts.reduce((worst, each) => (RANK.indexOf(each.verdict) > RANK.indexOf(worst.verdict) ? each : worst), {
    verdict: 'no-code',
    reason: 'The format holds tensors and text only, no code.',
  });
}
