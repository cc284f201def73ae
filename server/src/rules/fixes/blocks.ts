/** Where statements stand, and which of them have certainly run before a place is reached. */

import type { Program } from '../../guards/program.ts';
import { isExit } from '../../python/semantic/binder.ts';
import type { ClassDef, FunctionDef, Node, Statement } from '../../python/syntax.ts';
import { blocksOf, isStatement } from '../../python/syntax.ts';

/** The innermost statement around a node, or the node itself. */
export function statementAround(node: Node): Statement | undefined {
  for (let at: Node | undefined = node; at; at = at.parent) if (isStatement(at)) return at;
  return undefined;
}

/** The statement of the module's own block that a node lies in. */
export function topStatementAround(node: Node): Statement | undefined {
  let at: Node = node;
  while (at.parent) at = at.parent;
  return isStatement(at) ? at : undefined;
}

const topStatements = new WeakMap<Program, readonly Statement[]>();

/** The statements of the module's own block, those of all cells in order. */
export function moduleBlock(program: Program): readonly Statement[] {
  let block = topStatements.get(program);
  if (!block) {
    block = program.cells.flat();
    topStatements.set(program, block);
  }
  return block;
}

/** The list of statements that a statement stands in. */
export function blockAround(program: Program, statement: Statement): readonly Statement[] {
  const around = statement.parent;
  return around ? (blocksOf(around).find((block) => block.includes(statement)) ?? []) : moduleBlock(program);
}

/** Whether a statement does something, such as binding a name, whenever it is run to its end. */
export type Does = (statement: Statement) => boolean;

/** True when every way through the statement does it. */
export function alwaysDoes(statement: Statement, does: Does): boolean {
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

/** True for a statement after which its block is not gone on with. */
export function leaves(statement: Statement): boolean {
  return (
    statement.kind === 'Return' ||
    statement.kind === 'Raise' ||
    statement.kind === 'Jump' ||
    (statement.kind === 'ExpressionStatement' && isExit(statement.value))
  );
}

/**
 * The last statement that has done it on every way to `node`, looking outwards up to, and not beyond, the body of
 * `within`; up to the module's block without it.
 */
export function doneBefore(program: Program, node: Node, does: Does, within?: Node): Statement | undefined {
  for (let at = statementAround(node); at && at !== within; ) {
    const block = blockAround(program, at);
    for (let index = block.indexOf(at) - 1; index >= 0; index--) {
      const before = block[index];
      if (before && alwaysDoes(before, does)) return before;
    }
    at = at.parent && statementAround(at.parent);
  }
  return undefined;
}

/**
 * True when code at the top level may run `node` before the top level has got to `offset`: the node stands there itself,
 * or in a function or class that is referred to earlier, by the top level or by what it refers to.
 */
export function mayRunBefore(program: Program, node: Node, offset: number): boolean {
  const seen = new Set<Node>();
  const reaches = (inner: Node): boolean => {
    const top = topStatementAround(inner);
    const declaration = declarationAround(inner);
    if (!top || !declaration) return inner.span.start < offset;
    if (seen.has(declaration)) return false;
    seen.add(declaration);
    if (declaration.span.start >= offset) return false;
    return program.index.usesOf(declaration.name).some((use) => !isWithin(use, declaration) && reaches(use));
  };
  return reaches(node);
}

/** The outermost function or class whose body the node stands in. */
function declarationAround(node: Node): FunctionDef | ClassDef | undefined {
  let found: FunctionDef | ClassDef | undefined;
  for (let inner: Node = node, at = node.parent; at; inner = at, at = at.parent) {
    if (at.kind === 'FunctionDef' && at.body.includes(inner as Statement)) found = at;
    // The body of a class runs where it stands; its methods run later.
    if (at.kind === 'ClassDef' && found) found = at;
  }
  return found;
}

function isWithin(node: Node, around: Node): boolean {
  for (let at: Node | undefined = node; at; at = at.parent) if (at === around) return true;
  return false;
}
