import type { Checkpoint, PickledImport, Safety } from './checkpoint.ts';
import { isHarmless, notChecked, worstOf } from './verdicts.ts';

/**
 * Returns the checkpoint with the worst verdict out of its own and the given ones. A worse verdict also becomes a
 * problem if the user has to act on it.
 */
export function withSafety(
  checkpoint: Checkpoint,
  others: readonly Safety[],
  imports: readonly PickledImport[] = [],
): Checkpoint {
  const safety = worstOf([checkpoint.safety, ...others]);
  const isWorse = safety.verdict !== checkpoint.safety.verdict;
  if (!isWorse && imports.length === 0) return checkpoint;
  const before = checkpoint.problems.filter((problem) => problem !== checkpoint.safety.reason);
  return {
    ...checkpoint,
    imports: distinctImports([checkpoint, { imports }]),
    safety: isWorse ? safety : checkpoint.safety,
    problems: isWorse ? [...before, ...(isHarmless(safety) ? [] : [safety.reason])] : checkpoint.problems,
  };
}

/**
 * Returns the checkpoint, without any harmless verdict if there are doubts: clauses that say why a reader may find
 * something else in it. If problems are already listed, no sentence is added. @see notChecked
 */
export function withDoubts(checkpoint: Checkpoint, doubts: readonly string[]): Checkpoint {
  const [first] = doubts;
  if (first === undefined) return checkpoint;
  const doubt = notChecked(first);
  const safety = isHarmless(checkpoint.safety) ? doubt : checkpoint.safety;
  const isReported = checkpoint.problems.length > 0;
  return { ...checkpoint, safety, problems: isReported ? checkpoint.problems : [doubt.reason] };
}

/** Returns the imports of several files, with each name listed once. */
export function distinctImports(parts: readonly Pick<Checkpoint, 'imports'>[]): PickledImport[] {
  return [...new Map(parts.flatMap(({ imports }) => imports).map((each) => [each.name, each])).values()];
}
