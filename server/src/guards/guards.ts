/** Whether anything makes sure of a GPU before an expression runs. */

import { conditionsOf } from '../python/semantic/annotations.ts';
import { createCallers } from '../python/semantic/callGraph.ts';
import { once } from '../python/semantic/memoise.ts';
import type { NameResolution } from '../python/semantic/nameResolution.ts';
import type { PathConditions } from '../python/semantic/pathConditions.ts';
import type { ProgramIndex } from '../python/semantic/programIndex.ts';
import type { Values } from '../python/semantic/values.ts';
import type { FunctionDef } from '../python/syntax/nodes.ts';
import type { Assumption } from './assumption.ts';
import { type CallSite, judgeCallers } from './callerEvidence.ts';
import type { GuardNames } from './conditions.ts';
import { createDistributed } from './distributed.ts';
import { createEstablished } from './established.ts';
import { both, DISTRIBUTED, type Evidence, NONE } from './evidence.ts';

export interface Guards {
  /** What is established where an expression runs, when `assumed` is what a device name holds there. */
  evidenceAt(conditions: PathConditions, assumed?: Assumption): Evidence;
  /** True in the functions that set up, or are, a process of a distributed run. */
  isDistributed(conditions: PathConditions): boolean;
  /** True under a decorator that skips without a GPU (guard 5). */
  isDecorated(conditions: PathConditions): boolean;
}

function functionsAround(conditions: PathConditions): FunctionDef[] {
  const found: FunctionDef[] = [];
  for (let at = conditions; at; at = at.outer) {
    if (at.kind === 'body' && at.of.kind === 'FunctionDef') found.push(at.of);
  }
  return found;
}

export function createGuards(
  index: ProgramIndex,
  names: NameResolution,
  values: Values,
  guardNames: GuardNames,
): Guards {
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
        calls.map((call) => {
          const conditions = conditionsOf(call);
          return { local: local.at(conditions), inside: functionsAround(conditions) };
        }),
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

  const isDistributed = (conditions: PathConditions): boolean => {
    let isTopLevel = true;
    for (let at = conditions; at; at = at.outer) {
      if (at.kind !== 'body' || at.of.kind !== 'FunctionDef') continue;
      if (distributed.isDistributed(at.of)) return true;
      isTopLevel = false;
    }
    return isTopLevel && distributed.isTopLevelDistributed;
  };

  return {
    evidenceAt: (conditions, assumed) =>
      both(established.at(conditions, assumed), isDistributed(conditions) ? DISTRIBUTED : NONE),
    isDistributed,
    isDecorated: established.isDecorated,
  };
}
