/** Path conditions: what is known to hold where an expression runs, as a list from the innermost condition outwards. */
import type { ClassDef, Expression, FunctionDef, Lambda, Try, With } from '../syntax/nodes.ts';

/** What has a body of its own, which runs when it is called or defined. */
export type WithBody = FunctionDef | Lambda | ClassDef;

interface BaseCondition {
  readonly outer: PathConditions;
  readonly depth: number;
}
export type PathCondition =
  /** `test` came out true, or false. */
  | (BaseCondition & { readonly kind: 'test'; readonly test: Expression; readonly truth: boolean })
  /** Exceptions raised here are looked at by the statement's handlers. */
  | (BaseCondition & { readonly kind: 'tried'; readonly by: Try | With })
  /** The body of a function or class starts here; `outer` is what held where it was defined. */
  | (BaseCondition & { readonly kind: 'body'; readonly of: WithBody })
  /** Nothing gets here. */
  | (BaseCondition & { readonly kind: 'unreachable' });

export type PathConditions = PathCondition | undefined;

const depthOf = (conditions: PathConditions) => (conditions === undefined ? 0 : conditions.depth);

export const afterTest = (outer: PathConditions, test: Expression, truth: boolean): PathCondition => ({
  kind: 'test',
  test,
  truth,
  outer,
  depth: depthOf(outer) + 1,
});
export const insideTry = (outer: PathConditions, by: Try | With): PathCondition => ({
  kind: 'tried',
  by,
  outer,
  depth: depthOf(outer) + 1,
});
export const insideBody = (outer: PathConditions, of: WithBody): PathCondition => ({
  kind: 'body',
  of,
  outer,
  depth: depthOf(outer) + 1,
});
export const unreachable = (outer: PathConditions): PathCondition => ({
  kind: 'unreachable',
  outer,
  depth: depthOf(outer) + 1,
});

/** What holds on both of two ways here: the part that they share. */
export function join(a: PathConditions, b: PathConditions): PathConditions {
  while (a !== b) {
    if (depthOf(a) >= depthOf(b)) a = a?.outer;
    else b = b?.outer;
  }
  return a;
}

/** The conditions without one of them, the inner ones built anew. */
export function without(conditions: PathConditions, gone: PathConditions): PathConditions {
  if (!conditions || conditions === gone) return gone?.outer;
  if (conditions.depth <= (gone?.depth ?? 0)) return conditions;
  const outer = without(conditions.outer, gone);
  return { ...conditions, outer, depth: depthOf(outer) + 1 };
}
