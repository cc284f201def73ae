/** Guard 7: evidence that all uses of a function share also holds inside the function. */

import { both, type Evidence, either, IMPOSSIBLE, isImpossible, NO_EVIDENCE } from './evidence.ts';

/** One use of a function. `K` identifies a function. */
export interface CallSite<K> {
  /** The evidence at the use, without the callers of the enclosing functions. */
  readonly local: Evidence;
  /** The enclosing functions. */
  readonly inside: readonly K[];
}

/** The known uses of each function. */
type CallSites<K> = ReadonlyMap<K, readonly CallSite<K>[]>;

/**
 * Computes the evidence of all functions together, because calls may be circular. Every function starts as guarded.
 * When one turns out to have an unguarded call, the functions that it calls are computed again, until nothing changes.
 */
export function evidenceFromCallers<K>(sites: CallSites<K>): ReadonlyMap<K, Evidence> {
  const known = new Map<K, Evidence>();
  const calleesOf = new Map<K, Set<K>>();
  for (const [declaration, calls] of sites) {
    known.set(declaration, IMPOSSIBLE);
    for (const { inside } of calls)
      for (const around of inside) calleesOf.set(around, (calleesOf.get(around) ?? new Set()).add(declaration));
  }
  // Iterating over a set also visits elements added meanwhile.
  const open = new Set(sites.keys());
  for (const declaration of open) {
    open.delete(declaration);
    const evidences = (sites.get(declaration) ?? []).map(({ local, inside }) =>
      inside.reduce((sum, each) => both(sum, known.get(each) ?? NO_EVIDENCE), local),
    );
    const evidence = evidences.length === 0 ? NO_EVIDENCE : evidences.reduce(either);
    if (isSameEvidence(evidence, known.get(declaration))) continue;
    known.set(declaration, evidence);
    for (const called of calleesOf.get(declaration) ?? []) open.add(called);
  }
  // Functions that only call each other have no callers.
  for (const [declaration, evidence] of known) if (isImpossible(evidence)) known.set(declaration, NO_EVIDENCE);
  return known;
}

function isSameEvidence(one: Evidence, other: Evidence | undefined): boolean {
  return one.level === other?.level && one.devices === other.devices;
}
