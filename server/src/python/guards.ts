/** Whether anything makes sure of a GPU before an expression runs. */
import type { Assumption } from './assumption.ts';
import { type CallSite, isSameForAll, judgeCallers } from './callerEvidence.ts';
import { createCallers } from './callers.ts';
import type { Conclusions } from './conclusions.ts';
import type { GuardNames } from './conditions.ts';
import { createDistributed } from './distributed.ts';
import { createEstablished } from './established.ts';
import { both, type Evidence, NONE, WEAK } from './evidence.ts';
import type { Facts } from './facts.ts';
import type { Flow } from './flow.ts';
import type { Names } from './names.ts';
import type { FunctionDef } from './syntax.ts';
import type { Values } from './values.ts';

export interface Guards {
  /** What is established where an expression runs, when `assumed` is what a device name holds there. */
  evidenceAt(facts: Facts, assumed?: Assumption): Evidence;
  /** True in the functions that set up, or are, a process of a distributed run. */
  isDistributed(facts: Facts): boolean;
  /** True under a decorator that skips without a GPU (guard 5). */
  isDecorated(facts: Facts): boolean;
  /**
   * Judges the callers of what has one of the names once more, after an edit of their calls. True where all that was
   * concluded from them stays true.
   */
  areCallersTheSame(names: ReadonlySet<string>): boolean;
}

function functionsAround(facts: Facts): FunctionDef[] {
  const found: FunctionDef[] = [];
  for (let fact = facts; fact; fact = fact.outer) {
    if (fact.kind === 'body' && fact.of.kind === 'FunctionDef') found.push(fact.of);
  }
  return found;
}

export function createGuards(
  flow: Flow,
  names: Names,
  values: Values,
  guardNames: GuardNames,
  conclusions: Conclusions,
): Guards {
  const { callers: known } = conclusions;
  const distributed = createDistributed(flow, names);
  const callers = createCallers(flow, names);

  /** Guard 7: nothing where a function is not called here, or is handed on as a value. */
  const ofCallers = (declaration: FunctionDef): Evidence => {
    if (!known.evidence) {
      for (const each of flow.functions) findCalls(each);
      known.evidence = judgeCallers(known.sites);
    }
    return known.evidence.get(declaration) ?? NONE;
  };

  const established = createEstablished(
    flow,
    names,
    values,
    guardNames,
    conclusions,
    conclusions.withCallers,
    ofCallers,
  );
  const local = createEstablished(flow, names, values, guardNames, conclusions, conclusions.withoutCallers, () => NONE);

  const findCalls = (declaration: FunctionDef): void => {
    const found = callers.callsOf(declaration) ?? [];
    if (found.length === 0) known.sites.delete(declaration);
    else
      known.sites.set(
        declaration,
        found.map(({ facts }): CallSite => ({ local: local.at(facts), inside: functionsAround(facts) })),
      );
  };

  const areCallersTheSame = (called: ReadonlySet<string>): boolean => {
    if (!known.evidence) return true;
    for (const declaration of flow.functions) if (called.has(callers.calledName(declaration))) findCalls(declaration);
    const before = known.evidence;
    known.evidence = judgeCallers(known.sites);
    return isSameForAll(before, known.evidence);
  };

  const isDistributed = (facts: Facts): boolean => {
    let isTopLevel = true;
    for (let fact = facts; fact; fact = fact.outer) {
      if (fact.kind !== 'body' || fact.of.kind !== 'FunctionDef') continue;
      if (distributed.isDistributed(fact.of)) return true;
      isTopLevel = false;
    }
    return isTopLevel && distributed.isTopLevelDistributed;
  };

  return {
    evidenceAt: (facts, assumed) => both(established.at(facts, assumed), isDistributed(facts) ? WEAK : NONE),
    isDistributed,
    isDecorated: established.isDecorated,
    areCallersTheSame,
  };
}
