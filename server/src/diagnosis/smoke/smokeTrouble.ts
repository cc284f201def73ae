import { gpuFailureIn } from '../../stack/runtime/gpuFailures.ts';
import type { Verdict } from '../judgeStack.ts';

/** A failure, and its meaning if that is known. */
export interface SmokeTrouble {
  /** The framework's own words, or ours on how it ended. */
  text: string;
  meaning: string | null;
  /** The verdict on this stack that explains it: its id. */
  verdict: string | null;
}

/**
 * Matches what went wrong to what is known of such messages, and to the verdicts on this stack: the one that is given
 * explains it, and of several the likeliest. `printed` counts where the message itself says nothing known.
 */
export function explain(text: string, verdicts: readonly Verdict[], printed = ''): SmokeTrouble {
  const failure = [text, ...printed.split('\n')].map(gpuFailureIn).find((found) => found !== undefined);
  const given = failure?.verdicts.find((id) => verdicts.some((verdict) => verdict.id === id));
  return { text, meaning: failure?.meaning ?? null, verdict: given ?? failure?.verdicts[0] ?? null };
}
