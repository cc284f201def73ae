import type { Verdict } from '../../diagnosis/judgeStack.ts';
import { isUnknown } from '../../stack/facts/facts.ts';
import { concernsFramework, type ShownFact, type Situation, shown } from './condition.ts';

/** The diagnoses of the machine with these ids that concern the error. */
export function verdictsOf(ids: readonly string[], situation: Situation): Verdict[] {
  return (situation.verdicts ?? []).filter(
    ({ id, framework }) => ids.includes(id) && concernsFramework(framework, situation),
  );
}

/** True if one of the diagnoses was made; false if the machine was looked at and it was not. */
export function diagnosed(ids: readonly string[], situation: Situation): ShownFact | undefined {
  const found = verdictsOf(ids, situation);
  if (found.length > 0) return shown(true, found.map(({ finding }) => finding).join(' '));
  return situation.verdicts !== undefined && wasLookedAt(situation) ? shown(false, '') : undefined;
}

/** The result of a check of output that a program prints only if it holds: false on a machine that was looked at. */
export function notPrinted(situation: Situation): ShownFact | undefined {
  return wasLookedAt(situation) ? shown(false, '') : undefined;
}

/** True if the absence of a diagnosis is evidence, which it is not for a machine known only from a text or a record. */
function wasLookedAt({ facts }: Situation): boolean {
  return facts !== undefined && !(isUnknown(facts.pciGpus) && facts.pciGpus.cause === 'notAsked');
}
