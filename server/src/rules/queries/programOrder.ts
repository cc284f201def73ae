/** Expressions that are always evaluated before a given place in the program. */

import type { Program } from '../../guards/program.ts';
import { argumentsOf } from '../../python/semantic/arguments.ts';
import { createCallers } from '../../python/semantic/callGraph.ts';
import { functionRun } from '../../python/semantic/functionBodies.ts';
import type { Call, Expression, FunctionDef, Node, Statement } from '../../python/syntax/nodes.ts';
import { forEachChild, someNode } from '../../python/syntax/walk.ts';
import { leaves, positionOf, statementAround } from './blocks.ts';

/** True if an expression, once evaluated, does what the caller is looking for. */
type ExpressionTest = (expression: Expression) => boolean;

/** Returns the expression that has done this on every path to a node. */
type Order = (node: Node) => Expression | undefined;

/**
 * Returns a function that finds an expression that has done this on every path to a node, the first one in the nearest
 * block that has any: what moves above a later one would still be too late. Undefined if there may be a path without
 * such an expression. It follows functions of the program, both called ones and those around the
 * node, and caches results.
 */
export function createOrder(program: Program, does: ExpressionTest): Order {
  const callers = createCallers(program.index, program.names);
  /** Functions whose calls are being searched, and functions that are being followed. */
  const asked = new Set<Node>();
  const followed = new Set<Node>();
  const ofCalls = new Map<FunctionDef, Expression | undefined>();
  /** For the statements of a block, and for its end, the first earlier expression. */
  const firsts = new Map<readonly Statement[], (Expression | undefined)[]>();

  const inBlockBefore = (block: readonly Statement[], index: number): Expression | undefined => {
    const known = firsts.get(block) ?? [undefined];
    firsts.set(block, known);
    for (let at = known.length - 1; at < index; at++) {
      const statement = block[at];
      const found = !known[at] && statement && runs(program, statement) ? inStatement(statement) : undefined;
      known[at + 1] = known[at] ?? found;
    }
    return known[index];
  };

  const before = (place: Node): Expression | undefined => {
    let home: FunctionDef | undefined;
    for (let at = statementAround(place); at; at = at.parent && statementAround(at.parent)) {
      const { block, index } = positionOf(program, at);
      const earlier = inBlockBefore(block, index);
      if (earlier) return earlier;
      const around = at.parent && statementAround(at.parent);
      const found = around && atEntrance(around, at);
      if (found) return found;
      if (around?.kind === 'FunctionDef') home ??= around;
    }
    return home && !asked.has(home) ? beforeEveryCall(home) : undefined;
  };

  const beforeEveryCall = (home: FunctionDef): Expression | undefined => {
    if (ofCalls.has(home)) return ofCalls.get(home);
    asked.add(home);
    const calls = callers.callsOf(home) ?? [];
    const found = calls.map(before);
    const answer = found.every((each) => each) ? found[0] : undefined;
    asked.delete(home);
    // Within a cycle of calls, the result depends on the caller, so it is not cached.
    if (asked.size === 0) ofCalls.set(home, answer);
    return answer;
  };

  /** Returns the expressions that a statement evaluates before the block that contains `inner`. */
  const atEntrance = (around: Statement, inner: Statement): Expression | undefined => {
    if (around.kind === 'Try') return around.orelse.includes(inner) ? inBlock(around.body) : undefined;
    return first(entranceOf(around), inExpression);
  };

  const inBlock = (block: readonly Statement[]): Expression | undefined => {
    for (const statement of block) {
      const found = inStatement(statement);
      if (found) return found;
      if (mayReturn(statement)) return undefined;
    }
    return undefined;
  };

  const inStatement = (statement: Statement): Expression | undefined => {
    const found = first(entranceOf(statement), inExpression);
    if (found) return found;
    switch (statement.kind) {
      case 'If':
        return inBlock(statement.orelse) && inBlock(statement.body);
      case 'With':
        return inBlock(statement.body);
      case 'Try': {
        const { body, handlers, orelse, finalbody } = statement;
        const done = inBlock(body) ?? inBlock(orelse);
        const isDone = done && handlers.every((handler) => handler.body.some(leaves) || inBlock(handler.body));
        return isDone ? done : inBlock(finalbody);
      }
      default:
        return undefined;
    }
  };

  const inExpression = (expression: Expression): Expression | undefined => {
    const found = first(evaluatedBy(expression), inExpression);
    if (found) return found;
    if (does(expression)) return expression;
    return expression.kind === 'Call' ? inCalled(expression) : undefined;
  };

  const inCalled = (call: Call): Expression | undefined => {
    const called = functionRun(program.names.declarationOf(call.func));
    if (!called || followed.has(called) || !runsWhenCalled(called)) return undefined;
    followed.add(called);
    const found = inBlock(called.body);
    followed.delete(called);
    return found;
  };

  return (node) => {
    const own = statementAround(node);
    // An assignment evaluates its value first.
    const value =
      own?.kind === 'Assign' || own?.kind === 'AugAssign' || own?.kind === 'AnnAssign' ? own.value : undefined;
    return (value && inExpression(value)) ?? before(node);
  };
}

function first<T>(items: readonly T[], find: (item: T) => Expression | undefined): Expression | undefined {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return undefined;
}

/** Cells with syntax errors do not run. */
function runs(program: Program, statement: Statement): boolean {
  return program.cells.length === 1 || program.modules[program.toCell(statement).cell]?.errors.length === 0;
}

/**
 * Returns the expressions that a statement always evaluates; for a compound statement, those that decide which of its
 * blocks run.
 */
function entranceOf(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case 'Expr':
      return [statement.value];
    case 'Assign':
      return [statement.value, ...statement.targets];
    case 'AugAssign':
      return [statement.value, statement.target];
    case 'AnnAssign':
      return [...(statement.value ? [statement.value] : []), statement.target];
    case 'Return':
      return statement.value ? [statement.value] : [];
    case 'Assert':
    case 'If':
    case 'While':
      return [statement.test];
    case 'For':
      return [statement.iter];
    case 'With':
      return statement.items.map(({ context_expr }) => context_expr);
    case 'Match':
      return [statement.subject];
    default:
      return [];
  }
}

/** Returns the parts of an expression that are evaluated whenever the expression is evaluated. */
function evaluatedBy(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'BoolOp':
      return expression.values.slice(0, 1);
    case 'IfExp':
      return [expression.test];
    case 'Lambda':
      return [];
    case 'ListComp':
    case 'SetComp':
    case 'GeneratorExp':
    case 'DictComp':
      return expression.generators.slice(0, 1).map(({ iter }) => iter);
    case 'Call':
      return [expression.func, ...argumentsOf(expression).map(({ value }) => value)];
    case 'Dict':
      return expression.values.flatMap((value, index) => [expression.keys[index] ?? [], value].flat());
    default: {
      const parts: Expression[] = [];
      forEachChild(expression, (child) => parts.push(child as Expression));
      return parts;
    }
  }
}

/** True for a statement after which the rest of its function may not run. */
function mayReturn(statement: Statement): boolean {
  if (statement.kind === 'FunctionDef' || statement.kind === 'ClassDef') return false;
  return leaves(statement) || someNode(statement, ({ kind }) => kind === 'Return');
}

/** False for generators and coroutines, whose body runs later, and for functions that a decorator may replace. */
function runsWhenCalled({ decorator_list, body, isAsync }: FunctionDef): boolean {
  if (decorator_list.length > 0 || isAsync) return false;
  return !body.some((statement) => someNode(statement, ({ kind }) => kind === 'Yield' || kind === 'YieldFrom'));
}
