/** The part of a program that a sign shows to be written only for GPUs. */

import type { Program } from '../../guards/program.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import type { PathConditions } from '../../python/semantic/pathConditions.ts';
import type { ClassDef, Expression, FunctionDef, Node } from '../../python/syntax/nodes.ts';
import { isMainTest } from './blocks.ts';

type Declaration = FunctionDef | ClassDef;

/** A sign that a program, or a part of it, is written only for GPUs. */
export interface GpuSign {
  readonly because: string;
  readonly node: Node;
  /** The part that the sign applies to; the whole program if empty. */
  readonly reach: Reach;
}

/** A part of a program. */
interface Reach {
  /** The class or function. */
  readonly within?: Declaration;
  /** The conditions of the part, which is the code that runs under the same conditions. */
  readonly under?: PathConditions;
}

/**
 * Returns the part of the program that a sign applies to: all of it if the program always gets there, else the
 * outermost class or function, and below a test only the code that the test governs.
 */
export function reachOf(program: Program, node: Node, conditions: PathConditions): Reach {
  const under = testAround(conditions);
  if (under) return { under };
  const unit = unitAround(node);
  return !unit || runsAlways(program, unit) ? {} : { within: unit };
}

/** True for a place in that part. */
export function isReached(node: Expression, { within, under }: Reach): boolean {
  if (within && !isInside(node, within)) return false;
  if (!under) return true;
  for (let at = conditionsOf(node); at; at = at.outer) if (at === under) return true;
  return false;
}

/** Returns the outermost class or function that contains a node. */
function unitAround(node: Node): Declaration | undefined {
  let found: Declaration | undefined;
  for (let at = node.parent; at; at = at.parent) if (at.kind === 'FunctionDef' || at.kind === 'ClassDef') found = at;
  return found;
}

function isInside(node: Node, around: Node): boolean {
  for (let at: Node | undefined = node; at; at = at.parent) if (at === around) return true;
  return false;
}

/** Returns the innermost test or handler that decides whether code runs, except `if __name__ == "__main__":`. */
function testAround(conditions: PathConditions): PathConditions {
  for (let at = conditions; at; at = at.outer) {
    if (at.kind === 'unreachable' || (at.kind === 'try' && at.statement.kind === 'Try')) return at;
    if (at.kind === 'test' && !(at.truth && isMainTest(at.test))) return at;
  }
  return undefined;
}

/** True for a function or class that the top level always calls, directly or through functions that it always calls. */
export function runsAlways(program: Program, declaration: Declaration, seen = new Set<Declaration>()): boolean {
  if (seen.has(declaration)) return false;
  seen.add(declaration);
  return program.index.callsSpelled([declaration.name]).some((call) => {
    if (program.names.declarationOf(call.func) !== declaration) return false;
    if (testAround(conditionsOf(call))) return false;
    const home = program.names.functionOf(call);
    return home === undefined || runsAlways(program, home, seen);
  });
}
