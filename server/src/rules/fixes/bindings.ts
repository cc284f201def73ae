/** Decides whether a name is bound, and to what, at a place where a fix would write it. */

import type { Program } from '../../guards/program.ts';
import { memoize, memoizeBy, memoizeByText } from '../../python/semantic/memoize.ts';
import type { Definition, Scope } from '../../python/semantic/scopes.ts';
import type { Node, Statement } from '../../python/syntax/nodes.ts';
import { isStatement } from '../../python/syntax/walk.ts';
import { mayRunBefore, moduleBlock, passedBefore, type Ways, waysThrough } from '../queries/blocks.ts';

/**
 * Returns the scopes whose names can be read at a node, innermost first. A class's scope can only be read in its own
 * body.
 */
export function visibleScopes(program: Program, node: Node): Scope[] {
  const own = program.names.scopeOf(node);
  const scopes: Scope[] = [];
  for (let scope: Scope | undefined = own; scope; scope = scope.parent) {
    if (scope === own || scope.kind !== 'class') scopes.push(scope);
  }
  return scopes;
}

/** Returns the innermost scope at a node that binds a name. */
export function scopeBinding(program: Program, node: Node, name: string): Scope | undefined {
  const scopes = visibleScopes(program, node);
  const declared = scopes[0]?.declared.get(name);
  if (declared === 'global') return program.index.module;
  return scopes.find((scope) => scope.definitions.has(name));
}

/**
 * Returns the possible definitions of a scope's name at a node, if it is bound on every path there; undefined
 * otherwise. Code in a function runs after the top level has run, unless the top level visibly calls it earlier.
 */
export function definitionsAt(
  program: Program,
  node: Node,
  name: string,
  scope: Scope,
): readonly Definition[] | undefined {
  if (isDeleted(program, name)) return undefined;
  const { all, ways } = boundIn(program, scope)(name);
  let from = passedBefore(program, node, ways, scope.node);
  if (!from && scope.kind === 'module' && program.names.functionOf(node)) {
    const block = moduleBlock(program);
    const first = block[ways.get(block)?.[0] ?? -1];
    if (first && !mayRunBefore(program, node, first.end)) from = first;
  }
  if (from) {
    const { start } = from;
    return all.filter((definition) => (definition.node?.start ?? 0) >= start);
  }
  return all.some((definition) => definition.kind === 'parameter') ? all : undefined;
}

interface Bound {
  readonly all: readonly Definition[];
  readonly ways: Ways;
}

/** The statements that bind a name of a scope, and the paths through them, by the scope. */
const boundIn = memoizeBy((program: Program, scope: Scope) =>
  memoizeByText((name): Bound => {
    const all = (scope.definitions.get(name) ?? []).filter((definition) => definition.kind !== 'unbound');
    const statements = new Set(all.flatMap((definition) => statementOf(definition) ?? []));
    return { all, ways: waysThrough(program, statements, scope.node) };
  }),
);

function statementOf({ node }: Definition): Statement | undefined {
  if (node?.kind === 'alias') return node.parent && isStatement(node.parent) ? node.parent : undefined;
  return node && isStatement(node) && node.kind !== 'AugAssign' && node.kind !== 'For' ? node : undefined;
}

const isDeleted = (program: Program, name: string): boolean => deletedIn(program).has(name);

const deletedIn = memoize(
  (program: Program) =>
    new Set(
      program.index
        .usesWhere(() => true)
        .flatMap((use) => (use.kind === 'Name' && use.parent?.kind === 'Delete' ? [use.id] : [])),
    ),
);

/** True if the name can be bound at the top level without changing the meaning of the program. */
export function isFreeAtTopLevel(program: Program, name: string, near: Node): boolean {
  return !scopeBinding(program, near, name) && !takenIn(program)(name);
}

/** True if a name is bound or declared at the top level, or read from there. */
const takenIn = memoize((program: Program) => {
  const { module, scopes } = program.index;
  const declared = new Set(scopes.flatMap((scope) => [...scope.declared.keys()]));
  const known = new Map<string, boolean>();
  return (name: string): boolean => {
    const isInUse =
      known.get(name) ??
      (module.definitions.has(name) ||
        declared.has(name) ||
        // Other reads of the name must refer to a local name of their function.
        program.index.usesOf(name).some((use) => use.kind === 'Name' && !scopeBinding(program, use, name)));
    known.set(name, isInUse);
    return isInUse;
  };
});
