/** What was found out about a program. It stays true for as long as nothing that it rests on is edited. */
import type { Callee } from './callee.ts';
import type { Evidence } from './evidence.ts';
import type { Fact } from './facts.ts';
import type { BodyBefore } from './reparse.ts';
import type { Definition, Scope } from './scopes.ts';
import type { Call, Expression, FunctionDef, Node, Statement } from './syntax.ts';
import { walk } from './syntax.ts';

export interface Conclusions {
  /** Another one where all that was found out before is forgotten. */
  readonly era: object;
  /** The dotted names that an expression may stand for. */
  readonly qualified: Map<Expression, readonly string[]>;
  readonly callees: Map<Call, Callee>;
  /** What names mean in a scope that they come into from outside. */
  readonly fromOutside: Map<Scope, Map<string, readonly Definition[]>>;
  /** What a test says of GPUs when it comes out false, and true. */
  readonly outcomes: Map<Expression, [Evidence | undefined, Evidence | undefined]>;
  readonly evidence: Map<Fact, Evidence>;
  /** What holds at every call of a function; all functions are judged at once. */
  readonly callers: { of?: ReadonlyMap<FunctionDef, Evidence> };
  /** Functions whose returned values something rests on. */
  readonly asked: Set<FunctionDef>;
}

export function nothingConcluded(): Conclusions {
  return {
    era: {},
    qualified: new Map(),
    callees: new Map(),
    fromOutside: new Map(),
    outcomes: new Map(),
    evidence: new Map(),
    callers: {},
    asked: new Set(),
  };
}

/** Forgets what was found out about statements that are gone. */
export function forget({ qualified, callees, outcomes }: Conclusions, statements: readonly Statement[]): void {
  const drop = (node: Node) => {
    qualified.delete(node as Expression);
    callees.delete(node as Call);
    outcomes.delete(node as Expression);
  };
  for (const statement of statements) walk(statement, drop);
}

/** Forgets what was found out about the body that a function had, also about what of it is still there. */
export function forgetBody(conclusions: Conclusions, declaration: FunctionDef, { body, walked }: BodyBefore): void {
  forget(conclusions, body);
  const dropFacts = (node: Node) => {
    let fact = 'facts' in node ? node.facts : undefined;
    for (; fact; fact = fact.outer) {
      if (fact.kind === 'body' && fact.of === declaration) break;
      conclusions.evidence.delete(fact);
    }
  };
  for (const statement of body) walk(statement, dropFacts);
  for (const scope of walked?.visited.scopes ?? []) conclusions.fromOutside.delete(scope);
}
