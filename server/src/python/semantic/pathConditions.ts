/** Path conditions: the conditions that hold where an expression runs, as a list from the innermost outward. */
import type { ClassDef, Expression, FunctionDef, Lambda, Try, With } from '../syntax/nodes.ts';

/** A node with a body of its own, which runs when it is called or defined. */
export type BodyOwner = FunctionDef | Lambda | ClassDef;

interface BaseCondition {
  readonly outer: PathConditions;
  readonly depth: number;
}
export type PathCondition =
  /** `test` evaluated to true or false. */
  | (BaseCondition & { readonly kind: 'test'; readonly test: Expression; readonly truth: boolean })
  /** The statement's handlers catch exceptions raised here. */
  | (BaseCondition & { readonly kind: 'try'; readonly statement: Try | With })
  /** The body of a function or class starts here; `outer` holds the conditions at its definition. */
  | (BaseCondition & { readonly kind: 'body'; readonly owner: BodyOwner })
  /** This code never runs. */
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
export const insideTry = (outer: PathConditions, statement: Try | With): PathCondition => ({
  kind: 'try',
  statement,
  outer,
  depth: depthOf(outer) + 1,
});
export const insideBody = (outer: PathConditions, owner: BodyOwner): PathCondition => ({
  kind: 'body',
  owner,
  outer,
  depth: depthOf(outer) + 1,
});
export const unreachable = (outer: PathConditions): PathCondition => ({
  kind: 'unreachable',
  outer,
  depth: depthOf(outer) + 1,
});

/** The conditions that two paths share. */
export function joinedConditions(a: PathConditions, b: PathConditions): PathConditions {
  while (a !== b) {
    if (depthOf(a) >= depthOf(b)) a = a?.outer;
    else b = b?.outer;
  }
  return a;
}

/** The conditions without `gone`; inner conditions are copied. */
export function without(conditions: PathConditions, removed: PathConditions): PathConditions {
  if (!conditions || conditions === removed) return removed?.outer;
  if (conditions.depth <= (removed?.depth ?? 0)) return conditions;
  const outer = without(conditions.outer, removed);
  return { ...conditions, outer, depth: depthOf(outer) + 1 };
}
