/** Places of a program that are never both reached in one run. */

import { conditionsOf } from '../../python/semantic/annotations.ts';
import type { Expression } from '../../python/syntax/nodes.ts';

/** True if a test leads to one of the two nodes when it is true, and to the other when it is false. */
export function areExclusive(one: Expression, other: Expression): boolean {
  const outcomes = new Map<Expression, boolean>();
  for (let at = conditionsOf(one); at; at = at.outer) if (at.kind === 'test') outcomes.set(at.test, at.truth);
  for (let at = conditionsOf(other); at; at = at.outer)
    if (at.kind === 'test' && outcomes.get(at.test) === !at.truth) return true;
  return false;
}
