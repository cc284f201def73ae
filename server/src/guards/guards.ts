/** Whether anything makes sure of a GPU before an expression runs. */

import { createCallers } from '../python/semantic/callGraph.ts';
import type { Names } from '../python/semantic/nameResolution.ts';
import { once } from '../python/semantic/once.ts';
import type { Facts } from '../python/semantic/pathConditions.ts';
import type { ProgramIndex } from '../python/semantic/programIndex.ts';
import type { Values } from '../python/semantic/values.ts';
import type { FunctionDef } from '../python/syntax.ts';
import type { Assumption } from './assumption.ts';
import { type CallSite, judgeCallers } from './callerEvidence.ts';
import type { GuardNames } from './conditions.ts';
import { createDistributed } from './distributed.ts';
import { createEstablished } from './established.ts';
import { both, type Evidence, NONE, WEAK } from './evidence.ts';

export interface Guards {
  /** What is established where an expression runs, when `assumed` is what a device name holds there. */
  evidenceAt(facts: Facts, assumed?: Assumption): Evidence;
  /** True in the functions that set up, or are, a process of a distributed run. */
  isDistributed(facts: Facts): boolean;
  /** True under a decorator that skips without a GPU (guard 5). */
  isDecorated(facts: Facts): boolean;
}

function functionsAround(facts: Facts): FunctionDef[] {
  const found: FunctionDef[] = [];
  for (let fact = facts; fact; fact = fact.outer) {
    if (fact.kind === 'body' && fact.of.kind === 'FunctionDef') found.push(fact.of);
  }
  return found;
}

export function createGuards(index: ProgramIndex, names: Names, values: Values, guardNames: GuardNames): Guards {
  const distributed = createDistributed(index, names);
  const callers = createCallers(index, names);
  /** What is established without a look at the callers of functions. */
  const local = createEstablished(index, names, values, guardNames, () => NONE);

  /** Guard 7: nothing where a function is not called here, or is handed on as a value. */
  const byCallers = once(() => {
    const sites = new Map<FunctionDef, readonly CallSite[]>();
    for (const declaration of index.functions) {
      const calls = callers.callsOf(declaration) ?? [];
      if (calls.length === 0) continue;
      sites.set(
        declaration,
        calls.map(({ facts }) => ({ local: local.at(facts), inside: functionsAround(facts) })),
      );
    }
    return judgeCallers(sites);
  });

  const established = createEstablished(
    index,
    names,
    values,
    guardNames,
    (declaration) => byCallers().get(declaration) ?? NONE,
  );

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
  };
}
