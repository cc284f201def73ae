/** The positions of statements, and which statements always run before a place. */

import type { Program } from '../../guards/program.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { isExit } from '../../python/semantic/exits.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { countBelow } from '../../python/syntax/ascending.ts';
import type { ClassDef, Expression, FunctionDef, Node, Statement } from '../../python/syntax/nodes.ts';
import { blocksOf, isStatement, startOf } from '../../python/syntax/walk.ts';

/** Returns the innermost statement around a node, or the node itself. */
export function statementAround(node: Node): Statement | undefined {
  for (let at: Node | undefined = node; at; at = at.parent) if (isStatement(at)) return at;
  return undefined;
}

/** Returns the statement of the module's block that contains a node. */
export function topStatementAround(node: Node): Statement | undefined {
  let at: Node = node;
  while (at.parent) at = at.parent;
  return isStatement(at) ? at : undefined;
}

/** Returns the statements of the module's block, from all cells in order. */
export const moduleBlock = memoize((program: Program): readonly Statement[] => program.cells.flat());

/** The position of a statement: the list that contains it, and its index in that list. */
interface StatementPosition {
  readonly block: readonly Statement[];
  readonly index: number;
}

/** A notebook's cells may be parts of several programs. */
const positionsIn = memoize((_: Program) => new Map<Statement, StatementPosition>());

export function positionOf(program: Program, statement: Statement): StatementPosition {
  const positions = positionsIn(program);
  const known = positions.get(statement);
  if (known) return known;
  const around = statement.parent;
  const block = around ? (blocksOf(around).find((each) => each.includes(statement)) ?? []) : moduleBlock(program);
  block.forEach((each, index) => {
    positions.set(each, { block, index });
  });
  return positions.get(statement) ?? { block, index: -1 };
}

/** Returns the list of statements that contains a statement. */
export const blockAround = (program: Program, statement: Statement): readonly Statement[] =>
  positionOf(program, statement).block;

/** True if a statement does something, such as binding a name, whenever it completes. */
type StatementTest = (statement: Statement) => boolean;

/** True if every path through the statement does this. */
export function alwaysDoes(statement: Statement, does: StatementTest): boolean {
  if (does(statement)) return true;
  const inBlock = (block: readonly Statement[]) => block.some((each) => leaves(each) || alwaysDoes(each, does));
  switch (statement.kind) {
    case 'If':
      return inBlock(statement.body) && inBlock(statement.orelse);
    case 'With':
      return inBlock(statement.body);
    case 'Try': {
      const { body, handlers, orelse, finalbody } = statement;
      return (
        inBlock(finalbody) || ((inBlock(body) || inBlock(orelse)) && handlers.every((handler) => inBlock(handler.body)))
      );
    }
    default:
      return false;
  }
}

/** True for a statement after which its block does not continue. */
export function leaves(statement: Statement): boolean {
  return (
    statement.kind === 'Return' ||
    statement.kind === 'Raise' ||
    statement.kind === 'Break' ||
    statement.kind === 'Continue' ||
    (statement.kind === 'Expr' && isExit(statement.value))
  );
}

/**
 * Returns the last statement that has done this on every path to `node`, looking outward up to the body of `within`, or
 * without `within`, up to the module's block.
 */
export function doneBefore(program: Program, node: Node, does: StatementTest, within?: Node): Statement | undefined {
  for (let at = statementAround(node); at && at !== within; ) {
    const { block, index: own } = positionOf(program, at);
    for (let index = own - 1; index >= 0; index--) {
      const before = block[index];
      if (before && alwaysDoes(before, does)) return before;
    }
    at = at.parent && statementAround(at.parent);
  }
  return undefined;
}

/** For each block, the indices of the statements in which every path leads through one of the wanted statements. */
export type Ways = ReadonlyMap<readonly Statement[], readonly number[]>;

/** Returns the paths through any of `wanted`, within `within` or the module's block. */
export function waysThrough(program: Program, wanted: ReadonlySet<Statement>, within?: Node): Ways {
  const met = new Map<readonly Statement[], Set<number>>();
  for (const statement of wanted) {
    for (let at: Statement | undefined = statement; at && at !== within; ) {
      const { block, index } = positionOf(program, at);
      const indices = met.get(block) ?? new Set();
      met.set(block, indices);
      if (indices.has(index)) break;
      indices.add(index);
      at = at.parent && statementAround(at.parent);
    }
  }
  const does = (statement: Statement) => wanted.has(statement);
  const always = ([block, indices]: [readonly Statement[], Set<number>]) => {
    const sure = [...indices].filter((index) => block[index] && alwaysDoes(block[index], does));
    return [block, sure.sort((a, b) => a - b)] as const;
  };
  return new Map([...met].map(always));
}

/** Like `doneBefore`, with known paths: does not visit other statements. */
export function passedBefore(program: Program, node: Node, ways: Ways, within?: Node): Statement | undefined {
  for (let at = statementAround(node); at && at !== within; at = at.parent && statementAround(at.parent)) {
    const { block, index } = positionOf(program, at);
    const sure = ways.get(block) ?? [];
    const before = sure[countBelow(sure, index, (each) => each) - 1];
    if (before !== undefined) return block[before];
  }
  return undefined;
}

/**
 * True if top-level code may run `node` before the top level reaches `offset`: the node is at the top level, or in a
 * function or class that is referred to earlier, by the top level or by code that it refers to.
 */
export function mayRunBefore(program: Program, node: Node, offset: number): boolean {
  const top = topStatementAround(node);
  const declaration = declarationAround(node);
  if (!top || !declaration) return node.start < offset;
  return (firstRunsIn(program).get(declaration) ?? Number.POSITIVE_INFINITY) < offset;
}

type Declaration = FunctionDef | ClassDef;

/**
 * Returns, for each outermost function or class, the offset that the top level must pass before the body may run: it
 * must be declared, and referred to by the top level or by code that may already run by then.
 */
const firstRunsIn = memoize((program: Program): ReadonlyMap<Declaration, number> => {
  const byName = new Map<string, Set<Declaration>>();
  for (const { body } of program.index.functions) {
    const declaration = body[0] && declarationAround(body[0]);
    if (!declaration) continue;
    const named = byName.get(declaration.name) ?? new Set();
    byName.set(declaration.name, named.add(declaration));
  }
  const referred = new Map<Declaration, Set<string>>();
  const started: [name: string, offset: number][] = [];
  for (const [name, declarations] of byName) {
    const [only] = declarations.size === 1 ? declarations : [];
    for (const use of program.index.usesOf(name)) {
      if (only && isWithin(use, only)) continue;
      const around = declarationAround(use);
      if (around) referred.set(around, (referred.get(around) ?? new Set()).add(name));
      else started.push([name, use.start]);
    }
  }
  const first = new Map<Declaration, number>();
  for (const start of started.sort((a, b) => a[1] - b[1])) {
    for (const left = [start]; left.length > 0; ) {
      const [name, offset] = left.pop() ?? start;
      for (const declaration of byName.get(name) ?? []) {
        const reached = Math.max(offset, startOf(declaration));
        if (reached >= (first.get(declaration) ?? Number.POSITIVE_INFINITY)) continue;
        first.set(declaration, reached);
        for (const next of referred.get(declaration) ?? []) left.push([next, reached]);
      }
    }
  }
  return first;
});

/** Returns the outermost function or class whose body contains the node. */
function declarationAround(node: Node): Declaration | undefined {
  let found: Declaration | undefined;
  for (let inner: Node = node, at = node.parent; at; inner = at, at = at.parent) {
    if (at.kind === 'FunctionDef' && at.body.includes(inner as Statement)) found = at;
    // The body of a class runs at its definition; its methods run later.
    if (at.kind === 'ClassDef' && found) found = at;
  }
  return found;
}

function isWithin(node: Node, around: Node): boolean {
  for (let at: Node | undefined = node; at; at = at.parent) if (at === around) return true;
  return false;
}

/** True for a program whose top level, or its `if __name__ == "__main__":`, calls something. */
export const runsSomething = memoize((program: Program): boolean =>
  program.index.calls.some(
    (call) => !program.names.functionOf(call) && statementAround(call)?.kind === 'Expr' && call.parent?.kind === 'Expr',
  ),
);

/** `__name__ == "__main__"` */
export const isMainTest = (test: Expression): boolean =>
  test.kind === 'Compare' &&
  [test.left, ...test.comparators].some((operand) => operand.kind === 'Name' && operand.id === '__name__');

/** Returns the test of `if __name__ == "__main__":` around code that runs only below it. */
export function mainTestAround(node: Expression): Expression | undefined {
  for (let at = conditionsOf(node); at && at.kind !== 'body'; at = at.outer)
    if (at.kind === 'test' && at.truth && isMainTest(at.test)) return at.test;
  return undefined;
}
