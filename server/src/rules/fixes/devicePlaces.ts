/** Places that need a device without a guard. If there are several, defining a variable is worth a line. */

import { isCudaTensorType } from '../../guards/availability.ts';
import type { Program } from '../../guards/program.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { push } from '../../python/semantic/multimap.ts';
import type { Expression, FunctionDef, Node, Statement } from '../../python/syntax/nodes.ts';
import { matchesIn } from '../engine/dispatch.ts';
import { deviceUses } from '../queries/deviceUses.ts';

/** Returns the outermost function around a node; for a method, the outermost one inside its class. */
export function outermostFunction(node: Node): FunctionDef | undefined {
  let found: FunctionDef | undefined;
  for (let inner: Node = node, at = node.parent; at && at.kind !== 'ClassDef'; inner = at, at = at.parent)
    if (at.kind === 'FunctionDef' && at.body.includes(inner as Statement)) found = at;
  return found;
}

/** Returns the number of unguarded places in the function around a node, or at the top level. */
export const placesBeside = (program: Program, node: Node): number =>
  placesIn(program).get(outermostFunction(node))?.length ?? 0;

/**
 * Returns the statement in a function's block that contains the first unguarded place; never one after the statement
 * that contains `node`.
 */
export function firstInNeed(program: Program, home: FunctionDef, node: Node): Statement | undefined {
  const [first = node] = [...(placesIn(program).get(home) ?? []), node].toSorted((a, b) => a.start - b.start);
  return home.body.find(({ start, end }) => start <= first.start && first.end <= end);
}

/** Returns the number of functions with unguarded places, including the top level. */
export const functionsInNeed = (program: Program): number => placesIn(program).size;

const placesIn = memoize((program: Program): ReadonlyMap<FunctionDef | undefined, readonly Expression[]> => {
  const places = new Set<Expression>(program.index.callsSpelled(['cuda']));
  for (const use of program.index.usesWhere((name) => name.endsWith('Tensor')))
    if (program.names.qualify(use).some(isCudaTensorType)) places.add(use);
  for (const string of program.index.strings) if (isCudaTensorType(stringOf(string) ?? '')) places.add(string);
  for (const { literals } of matchesIn(program, deviceUses)) for (const { node } of literals) places.add(node);
  const found = new Map<FunctionDef | undefined, Expression[]>();
  for (const place of places)
    if (program.guards.evidenceAt(conditionsOf(place)).level === 'none') push(found, outermostFunction(place), place);
  return found;
});
