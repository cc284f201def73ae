/** What was found out about a program. It stays true for as long as nothing that it rests on is edited. */
import type { Callee } from './callee.ts';
import type { CallSite } from './callerEvidence.ts';
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
  /** What was found out about GPUs, by all that is known. */
  readonly withCallers: Judged;
  /** The same, the callers of functions left aside. */
  readonly withoutCallers: Judged;
  readonly callers: {
    readonly sites: Map<FunctionDef, readonly CallSite[]>;
    /** What holds at every call of a function; all functions are judged at once. */
    evidence?: ReadonlyMap<FunctionDef, Evidence>;
  };
  /** Functions whose returned values something rests on. */
  readonly asked: Set<FunctionDef>;
  /** Attributes, by their name, whose definitions something may rest on. */
  readonly followed: Set<string>;
}

export interface Judged {
  /** What a test says of GPUs when it comes out false, and true. */
  readonly outcomes: Map<Expression, [Evidence | undefined, Evidence | undefined]>;
  readonly evidence: Map<Fact, Evidence>;
}

const nothingJudged = (): Judged => ({ outcomes: new Map(), evidence: new Map() });

export function nothingConcluded(): Conclusions {
  return {
    era: {},
    qualified: new Map(),
    callees: new Map(),
    fromOutside: new Map(),
    withCallers: nothingJudged(),
    withoutCallers: nothingJudged(),
    callers: { sites: new Map() },
    asked: new Set(),
    followed: new Set(),
  };
}

/** Forgets what was found out about statements that are gone. */
export function forget(conclusions: Conclusions, statements: readonly Statement[]): void {
  const drop = (node: Node) => {
    conclusions.qualified.delete(node as Expression);
    conclusions.callees.delete(node as Call);
    conclusions.withCallers.outcomes.delete(node as Expression);
    conclusions.withoutCallers.outcomes.delete(node as Expression);
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
      conclusions.withCallers.evidence.delete(fact);
      conclusions.withoutCallers.evidence.delete(fact);
    }
  };
  for (const statement of body) walk(statement, dropFacts);
  for (const scope of walked?.visited.scopes ?? []) conclusions.fromOutside.delete(scope);
}
