/** Guard 7: what holds at every use of a function holds in it. */

import { both, type Evidence, either, IMPOSSIBLE, isImpossible, NONE } from './evidence.ts';

/** One use of a function. `K` stands for a function. */
export interface CallSite<K> {
  /** What is established there, the callers of the functions around it left aside. */
  readonly local: Evidence;
  /** The functions that it lies in. */
  readonly inside: readonly K[];
}

/** The uses of each function that is used. */
export type CallSites<K> = ReadonlyMap<K, readonly CallSite<K>[]>;

/**
 * Judges all functions together, since they may call each other in circles. Each starts as guarded. When a function turns
 * out to be called without a guard, the functions that it calls are judged again, until nothing changes any more.
 */
export function judgeCallers<K>(sites: CallSites<K>): ReadonlyMap<K, Evidence> {
  const known = new Map<K, Evidence>();
  const calledIn = new Map<K, Set<K>>();
  for (const [declaration, calls] of sites) {
    known.set(declaration, IMPOSSIBLE);
    for (const { inside } of calls)
      for (const around of inside) calledIn.set(around, (calledIn.get(around) ?? new Set()).add(declaration));
  }
  // Iterating over a set also visits what is added meanwhile.
  const open = new Set(sites.keys());
  for (const declaration of open) {
    open.delete(declaration);
    const judged = (sites.get(declaration) ?? [])
      .map(({ local, inside }) => inside.reduce((sum, each) => both(sum, known.get(each) ?? NONE), local))
      .reduce(either);
    if (isSameEvidence(judged, known.get(declaration))) continue;
    known.set(declaration, judged);
    for (const called of calledIn.get(declaration) ?? []) open.add(called);
  }
  // Functions that only call each other are not called.
  for (const [declaration, evidence] of known) if (isImpossible(evidence)) known.set(declaration, NONE);
  return known;
}

function isSameEvidence(one: Evidence, other: Evidence | undefined): boolean {
  return one.level === other?.level && one.devices === other.devices;
}
