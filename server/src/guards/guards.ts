/** Evidence that a GPU is available before an expression runs. */

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
import { type CallSite, evidenceFromCallers } from './callerEvidence.ts';
import { createDistributed } from './distributed.ts';
import { both, type Evidence, NO_EVIDENCE } from './evidence.ts';
import { createPathEvidence } from './pathEvidence.ts';
import type { ExportedName, ProjectView } from './projectView.ts';
import type { GuardNames } from './testEvidence.ts';

export interface Guards {
  /** Returns the evidence at an expression, optionally under the assumption that a device name holds `assumed`. */
  evidenceAt(conditions: PathConditions, assumed?: Assumption): Evidence;
  /** Returns the evidence of a distributed run: code that initializes one of its processes or runs in one. */
  distributedAt(conditions: PathConditions): Evidence;
  /** True under a decorator that skips the code without a GPU (guard 5). */
  isDecorated(conditions: PathConditions): boolean;
  /** The evidence without callers and other files. */
  readonly local: LocalGuards;
}

/** The evidence within one file. */
interface LocalGuards {
  /** The uses of each function in the file. */
  uses(): ReadonlyMap<FunctionDef, readonly LocalUse[]>;
  /** Returns the evidence where a function is called or passed as a value. */
  atUse(use: Use): LocalUse;
  /** Returns the evidence that a true or false expression establishes. */
  ofTest(test: Expression, truth: boolean): Evidence;
  /** Returns the evidence that a true or false result of a function establishes. */
  ofReturns(declaration: FunctionDef, truth: boolean): Evidence;
  /** Returns the evidence under these conditions. */
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

/** Creates the guards of a program. `project` is the rest of the project, if known. */
export function createGuards(
  index: ProgramIndex,
  names: NameResolution,
  values: Values,
  guardNames: GuardNames,
  project: ProjectView | undefined,
): Guards {
  const distributed = createDistributed(index, names);
  const callers = createCallers(index, names);
  const local = createPathEvidence(
    index,
    names,
    values,
    guardNames,
    () => NO_EVIDENCE,
    () => undefined,
  );

  /** A function runs only after a use of its name, so a function passed as a value under a guard is guarded, too. */
  const atUse = (use: Use): LocalUse => {
    const conditions = conditionsOf(use);
    const checked = isCalled(use) ? local.at(conditions) : local.atReference(conditions);
    // Once a process has set up a distributed run, all code that it runs afterwards belongs to it.
    const run = isCalled(use) ? distributed.at(conditions) : NO_EVIDENCE;
    const at = run.reason?.at;
    // The call that sets it up is no evidence for itself.
    const isSetUp = at !== undefined && 'start' in at && at.start === use.start;
    const evidence = isSetUp ? checked : both(checked, run);
    return { use, local: evidence, inside: functionsAround(conditions) };
  };

  const uses = once(() => {
    const found = new Map<FunctionDef, readonly LocalUse[]>();
    for (const declaration of index.functions) {
      const ownUses = callers.usesOf(declaration);
      if (ownUses.length > 0) found.set(declaration, ownUses.map(atUse));
    }
    return found;
  });

  const localCallerEvidence = once(() => evidenceFromCallers(uses()));

  /** Guard 7. If the calls within the file are guarded, other files are not needed. */
  const callerEvidence = (declaration: FunctionDef): Evidence => {
    const inFile = localCallerEvidence().get(declaration) ?? NO_EVIDENCE;
    const found = inFile.level === 'guard' ? undefined : project?.atEveryUse(qualifiedName(declaration, names));
    if (!found || found.evidence.level === 'none') return inFile;
    const reason = { because: 'its callers check for a GPU', at: found.at };
    return both(inFile, { ...found.evidence, reason });
  };

  const exported = (dotted: string): ExportedName | undefined => project?.exported(dotted);
  const pathEvidence = createPathEvidence(index, names, values, guardNames, callerEvidence, exported);

  return {
    evidenceAt: (conditions, assumed) => both(pathEvidence.at(conditions, assumed), distributed.at(conditions)),
    distributedAt: distributed.at,
    isDecorated: pathEvidence.isDecorated,
    local: { uses, atUse, ofTest: local.ofTest, ofReturns: local.ofReturns, at: local.at },
  };
}
