/**
 * Programs that need a GPU by nature, measure GPUs, or show several GPUs working together: a check would not let them
 * run without a GPU.
 */

import type { Program } from '../../guards/program.ts';
import type { FileFact } from '../../guards/projectView.ts';
import type { Reason } from '../../guards/reason.ts';
import { isBoolean } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Call, Expression } from '../../python/syntax/nodes.ts';
import { gpuOnlyIn } from './gpuOnly.ts';
import { type GpuSign, isReached, runsAlways } from './gpuReach.ts';
import { severalGpusIn } from './severalGpus.ts';

const CLOCK = /^(time|timeit|datetime\.datetime)\.(\w*(time|counter|monotonic)(_ns)?|default_timer|now)$/;

const CLOCKS = new Set(
  'time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time default_timer now'.split(' '),
);

/** Calls with which a program trains, reads a trained model, or writes results. */
const PURPOSES = ['backward', 'step', 'fit', 'load', 'load_state_dict', 'load_from_checkpoint', 'save', 'save_image'];

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

/** Returns the functions that only time GPU work, and the whole program if it only calls them. */
function measuredIn(program: Program): GpuSign[] {
  const { index, names } = program;
  const homeOf = (call: Call) => names.functionOf(call);
  const isClock = ({ func }: Call) => names.qualify(func).some((name) => CLOCK.test(name));
  const timed = new Set(index.callsReaching(CLOCKS).filter(isClock).map(homeOf));
  const measuring = [
    ...index.callsSpelled(['synchronize']).filter((call) => timed.has(homeOf(call))),
    ...index
      .callsWithKeyword('enable_timing')
      .filter(({ keywords }) => keywords.some(({ arg, value }) => arg === 'enable_timing' && isBoolean(value, true))),
  ];
  if (measuring.length === 0) return [];
  const purposeful = new Set(index.callsSpelled(PURPOSES).map(homeOf));
  return measuring.flatMap((node): GpuSign[] => {
    const within = homeOf(node);
    const isAll = purposeful.size === 0 && (within === undefined || runsAlways(program, within));
    const reach = isAll ? {} : within && !purposeful.has(within) ? { within } : undefined;
    return reach ? [{ because: 'it measures GPUs', node, reach }] : [];
  });
}
