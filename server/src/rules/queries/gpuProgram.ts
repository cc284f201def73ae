/**
 * Programs that need a GPU by nature, measure GPUs, or show several GPUs working together: a check would not let them
 * run without a GPU.
 */

import type { Program } from '../../guards/program.ts';
import type { FileFact } from '../../guards/projectView.ts';
import type { Reason } from '../../guards/reason.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Expression } from '../../python/syntax/nodes.ts';
import { measuredIn } from './gpuMeasurement.ts';
import { gpuOnlyIn } from './gpuOnly.ts';
import { type GpuSign, isReached } from './gpuReach.ts';
import { severalGpusIn } from './severalGpus.ts';

const signsIn = memoize((program: Program): readonly GpuSign[] => [
  ...gpuOnlyIn(program),
  ...measuredIn(program),
  ...severalGpusIn(program),
]);

/**
 * Returns the reason why a place needs a GPU regardless of checks, in this file or an imported one; empty if there is
 * none.
 */
export function gpuReasonsAt(program: Program, node: Expression): readonly Reason[] {
  const sign = signsIn(program).find(({ reach }) => isReached(node, reach));
  if (sign) return [{ because: sign.because, at: spanOf(sign.node) }];
  const [fact] = factsAround(program);
  return fact ? [{ because: fact.because, at: fact.place }] : [];
}

const factsAround = memoize((program: Program): readonly FileFact[] => program.project?.facts() ?? []);
