import { documentationPage } from '../documentation.ts';
import type { StackFacts } from './facts.ts';
import { cpuOnlyTorch } from './verdicts/builds.ts';
import { driverLibraryMismatch, driverTooOld } from './verdicts/driver.ts';
import { torchvisionOfOtherBuild } from './verdicts/releases.ts';
import type { Judge, Severity, Verdict } from './verdicts/verdict.ts';
import { gpusHidden } from './verdicts/visibility.ts';

export type { Severity, Verdict } from './verdicts/verdict.ts';

/** Everything that can be wrong with a stack, in the order in which equally severe findings are shown. */
export const judges: readonly Judge[] = [
  driverLibraryMismatch,
  driverTooOld,
  cpuOnlyTorch,
  gpusHidden,
  torchvisionOfOtherBuild,
];

const ORDER: Severity[] = ['error', 'warning', 'information'];

/** What is wrong with this stack, worst first. Unknown and pending facts raise no verdict by their absence. */
export function judgeStack(facts: StackFacts): Verdict[] {
  return judges
    .flatMap(({ id, judge }) =>
      judge(facts).map((judgement) => ({ id, ...judgement, page: documentationPage('stack', id) })),
    )
    .sort((left, right) => ORDER.indexOf(left.severity) - ORDER.indexOf(right.severity));
}
