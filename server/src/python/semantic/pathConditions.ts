/** Facts: what is known to hold where an expression runs, as a list from the innermost condition outwards. */
import type { ClassDef, Expression, FunctionDef, Lambda, Try, With } from '../syntax.ts';

interface BaseFact {
  readonly outer: Facts;
  readonly depth: number;
}
export type Fact =
  /** `test` came out true, or false. */
  | (BaseFact & { readonly kind: 'test'; readonly test: Expression; readonly truth: boolean })
  /** Exceptions raised here are looked at by the statement's handlers. */
  | (BaseFact & { readonly kind: 'tried'; readonly by: Try | With })
  /** The body of a function or class starts here; `outer` is what held where it was defined. */
  | (BaseFact & { readonly kind: 'body'; readonly of: FunctionDef | Lambda | ClassDef })
  /** Nothing gets here. */
  | (BaseFact & { readonly kind: 'unreachable' });

export type Facts = Fact | undefined;

const depthOf = (facts: Facts) => facts?.depth ?? 0;

export const afterTest = (outer: Facts, test: Expression, truth: boolean): Fact => ({
  kind: 'test',
  test,
  truth,
  outer,
  depth: depthOf(outer) + 1,
});
export const insideTry = (outer: Facts, by: Try | With): Fact => ({
  kind: 'tried',
  by,
  outer,
  depth: depthOf(outer) + 1,
});
export const insideBody = (outer: Facts, of: FunctionDef | Lambda | ClassDef): Fact => ({
  kind: 'body',
  of,
  outer,
  depth: depthOf(outer) + 1,
});
export const unreachable = (outer: Facts): Fact => ({ kind: 'unreachable', outer, depth: depthOf(outer) + 1 });

/** What holds on both of two ways here: the part that they share. */
export function common(a: Facts, b: Facts): Facts {
  while (a !== b) {
    if (depthOf(a) >= depthOf(b)) a = a?.outer;
    else b = b?.outer;
  }
  return a;
}
