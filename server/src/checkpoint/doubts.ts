import type { Checkpoint, Import, Safety } from './checkpoint.ts';
import { isHarmless, notChecked, worstOf } from './verdicts.ts';

/** The same checkpoint, judged by those too: the worst counts, and is told among the problems where someone has to act. */
export function withSafety(
  checkpoint: Checkpoint,
  others: readonly Safety[],
  imports: readonly Import[] = [],
): Checkpoint {
  const safety = worstOf([checkpoint.safety, ...others]);
  const isWorse = safety.verdict !== checkpoint.safety.verdict;
  if (!isWorse && imports.length === 0) return checkpoint;
  const before = checkpoint.problems.filter((problem) => problem !== checkpoint.safety.reason);
  return {
    ...checkpoint,
    imports: [...new Map([...checkpoint.imports, ...imports].map((each) => [each.name, each])).values()],
    safety: isWorse ? safety : checkpoint.safety,
    problems: isWorse ? [...before, ...(isHarmless(safety) ? [] : [safety.reason])] : checkpoint.problems,
  };
}

/**
 * The same checkpoint, of which nothing good is said while there are doubts: clauses that say why a reader may find
 * something else in it. Where a problem tells of the same, it stays the only one. @see notChecked
 */
export function withDoubts(checkpoint: Checkpoint, doubts: readonly string[]): Checkpoint {
  const [first] = doubts;
  if (first === undefined) return checkpoint;
  const doubt = notChecked(first);
  const safety = isHarmless(checkpoint.safety) ? doubt : checkpoint.safety;
  const isTold = checkpoint.problems.length > 0;
  return { ...checkpoint, safety, problems: isTold ? checkpoint.problems : [doubt.reason] };
}
