/** Guard 7: what holds at every call of a function holds in it. */

import type { FunctionDef } from '../python/syntax/nodes.ts';
import { both, type Evidence, either, IMPOSSIBLE, isImpossible, NONE } from './evidence.ts';

/** One call of a function. */
export interface CallSite {
  /** What is established there, the callers of the functions around it left aside. */
  readonly local: Evidence;
  /** The functions that it lies in. */
  readonly inside: readonly FunctionDef[];
}

/** The calls of each function that is called, and nowhere handed on as a value. */
export type CallSites = ReadonlyMap<FunctionDef, readonly CallSite[]>;

/**
 * Judges all functions together, since they may call each other in circles. Each starts as guarded. When a function turns
 * out to be called without a guard, the functions that it calls are judged again, until nothing changes any more.
 */
export function judgeCallers(sites: CallSites): ReadonlyMap<FunctionDef, Evidence> {
  const known = new Map<FunctionDef, Evidence>();
  const calledIn = new Map<FunctionDef, Set<FunctionDef>>();
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
