/** Whether anything makes sure of a GPU before an expression runs. */

import { conditionsOf } from '../python/semantic/annotations.ts';
import { createCallers, isCalled } from '../python/semantic/callGraph.ts';
import { once } from '../python/semantic/memoize.ts';
import type { NameResolution } from '../python/semantic/nameResolution.ts';
import type { PathConditions } from '../python/semantic/pathConditions.ts';
import type { ProgramIndex, Use } from '../python/semantic/programIndex.ts';
import { qualifiedName } from '../python/semantic/qualifiedName.ts';
import type { Values } from '../python/semantic/values.ts';
import type { Expression, FunctionDef } from '../python/syntax/nodes.ts';
import type { Assumption } from './assumption.ts';
import { type CallSite, judgeCallers } from './callerEvidence.ts';
import type { GuardNames } from './conditions.ts';
import { createDistributed } from './distributed.ts';
import { createEstablished } from './established.ts';
import { both, type Evidence, NONE } from './evidence.ts';
import type { ExportedName, ProjectView } from './projectView.ts';

export interface Guards {
  /** What is established where an expression runs, when `assumed` is what a device name holds there. */
  evidenceAt(conditions: PathConditions, assumed?: Assumption): Evidence;
  /** The evidence of a distributed run: code that sets up, or is, one of its processes. */
  distributedAt(conditions: PathConditions): Evidence;
  /** True under a decorator that skips without a GPU (guard 5). */
  isDecorated(conditions: PathConditions): boolean;
  /** The same without a look at the callers of functions, and at other files. */
  readonly local: LocalGuards;
}

/** What the text of one file establishes by itself. */
export interface LocalGuards {
  /** The uses of each function in the file. */
  uses(): ReadonlyMap<FunctionDef, readonly LocalUse[]>;
  /** What is established where a function is called or handed on. */
  atUse(use: Use): LocalUse;
  /** What the truth or falsehood of an expression establishes. */
  ofTest(test: Expression, truth: boolean): Evidence;
  /** What the truth or falsehood of a function's result establishes. */
  ofReturns(declaration: FunctionDef, truth: boolean): Evidence;
  /** What is established under these conditions. */
  at(conditions: PathConditions): Evidence;
}

export interface LocalUse extends CallSite<FunctionDef> {
  readonly use: Use;
}

function functionsAround(conditions: PathConditions): FunctionDef[] {
  const found: FunctionDef[] = [];
  for (let at = conditions; at; at = at.outer) {
    if (at.kind === 'body' && at.owner.kind === 'FunctionDef') found.push(at.owner);
  }
  return found;
}

/** `project` is the rest of the project, where it is known. */
export function createGuards(
  index: ProgramIndex,
  names: NameResolution,
  values: Values,
  guardNames: GuardNames,
  project: ProjectView | undefined,
): Guards {
  const distributed = createDistributed(index, names);
  const callers = createCallers(index, names);
  const local = createEstablished(
    index,
    names,
    values,
    guardNames,
    () => NONE,
    () => undefined,
  );

  /** A function runs only after a use of its name: what was handed on under a guard is guarded, too. */
  const atUse = (use: Use): LocalUse => {
    const conditions = conditionsOf(use);
    const evidence = isCalled(use) ? local.at(conditions) : local.forLater(conditions);
    return { use, local: evidence, inside: functionsAround(conditions) };
  };

  const uses = once(() => {
    const found = new Map<FunctionDef, readonly LocalUse[]>();
    for (const declaration of index.functions) {
      const here = callers.usesOf(declaration);
      if (here.length > 0) found.set(declaration, here.map(atUse));
    }
    return found;
  });

  const byCallersHere = once(() => judgeCallers(uses()));

  /** Guard 7. Where a file's own calls are guarded, other files don't matter. */
  const ofCallers = (declaration: FunctionDef): Evidence => {
    const here = byCallersHere().get(declaration) ?? NONE;
    const found = here.level === 'guard' ? undefined : project?.atEveryUse(qualifiedName(declaration, names));
    if (!found || found.evidence.level === 'none') return here;
    const reason = { because: 'its callers check for a GPU', at: found.at };
    return both(here, { ...found.evidence, reason });
  };

  const exported = (dotted: string): ExportedName | undefined => project?.exported(dotted);
  const established = createEstablished(index, names, values, guardNames, ofCallers, exported);

  return {
    evidenceAt: (conditions, assumed) => both(established.at(conditions, assumed), distributed.at(conditions)),
    distributedAt: distributed.at,
    isDecorated: established.isDecorated,
    local: { uses, atUse, ofTest: local.ofTest, ofReturns: local.ofReturns, at: local.at },
  };
}
