import { gpuFailureIn } from '../../stack/runtime/gpuFailures.ts';
import { judges, type Verdict } from '../judgeStack.ts';
import { diagnosesIn } from '../relationDiagnoses.ts';

/** A failure, and its meaning if that is known. */
export interface SmokeTrouble {
  /** The framework's own message, or a description of how it ended. */
  text: string;
  meaning: string | null;
  /** The id of the diagnosis of this stack that explains it. */
  verdict: string | null;
}

/**
 * Matches a failure against the catalogue of messages and this stack's diagnoses. The most likely diagnosis is taken as
 * the explanation. `printed` is used if the message itself is not in the catalogue.
 */
export function explainSmokeTest(text: string, verdicts: readonly Verdict[], printed = ''): SmokeTrouble {
  const failure = [text, ...printed.split('\n')].map(gpuFailureIn).find((found) => found !== undefined);
  const those = diagnosesIn(failure?.checks ?? []).filter((check) => judges.some(({ id }) => id === check));
  const present = those.find((id) => verdicts.some((verdict) => verdict.id === id));
  return { text, meaning: failure?.meaning ?? null, verdict: present ?? those[0] ?? null };
}
