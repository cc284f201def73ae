/** Is a name bound, and to what, where a fix wants to write it? */
import type { Program } from '../../guards/program.ts';
import type { Definition, Scope } from '../../python/semantic/scopes.ts';
import type { Node, Statement } from '../../python/syntax.ts';
import { isStatement } from '../../python/syntax.ts';
import { alwaysDoes, doneBefore, mayRunBefore, moduleBlock } from './blocks.ts';

/** The scopes whose names can be read at a node, from the inside out: those of classes only from their own body. */
export function visibleScopes(program: Program, node: Node): Scope[] {
  const own = program.names.scopeOf(node);
  const scopes: Scope[] = [];
  for (let scope: Scope | undefined = own; scope; scope = scope.parent) {
    if (scope === own || scope.kind !== 'class') scopes.push(scope);
  }
  return scopes;
}

/** The scope that a name is looked up in at a node: the innermost that binds it. */
export function scopeBinding(program: Program, node: Node, name: string): Scope | undefined {
  const scopes = visibleScopes(program, node);
  const declared = scopes[0]?.declared.get(name);
  if (declared === 'global') return program.index.module;
  return scopes.find((scope) => scope.definitions.has(name));
}

/**
 * The definitions that may be behind a name of a scope at a node, when it is bound on every way there; undefined
 * otherwise. Code in a function runs after the top level has run, unless the top level is seen to call it earlier.
 */
export function definitionsAt(
  program: Program,
  node: Node,
  name: string,
  scope: Scope,
): readonly Definition[] | undefined {
  if (isDeleted(program, name)) return undefined;
  const all = (scope.definitions.get(name) ?? []).filter((definition) => definition.kind !== 'unbound');
  const statements = new Set(all.flatMap((definition) => statementOf(definition) ?? []));
  const binds = (statement: Statement) => statements.has(statement);
  let from = doneBefore(program, node, binds, scope.node);
  if (!from && scope.kind === 'module' && program.names.functionOf(node)) {
    from = moduleBlock(program).find(
      (statement) => alwaysDoes(statement, binds) && !mayRunBefore(program, node, statement.span.end),
    );
  }
  if (from) {
    const { start } = from.span;
    return all.filter((definition) => (definition.node?.span.start ?? 0) >= start);
  }
  return all.some((definition) => definition.kind === 'parameter') ? all : undefined;
}

/** The statement that makes a definition. */
function statementOf({ node }: Definition): Statement | undefined {
  if (node?.kind === 'ImportedName') return node.parent?.kind === 'Import' ? node.parent : undefined;
  return node && isStatement(node) && !(node.kind === 'Assign' && node.operator !== undefined) && node.kind !== 'For'
    ? node
    : undefined;
}

function isDeleted(program: Program, name: string): boolean {
  return program.index.usesOf(name).some((use) => use.kind === 'Name' && use.parent?.kind === 'Delete');
}

/** True when the name can be bound at the top level without being mistaken for anything that the program means by it. */
export function isFreeAtTopLevel(program: Program, name: string, near: Node): boolean {
  const { module, scopes } = program.index;
  if (module.definitions.has(name)) return false;
  for (const scope of scopes.values()) if (scope.declared.has(name)) return false;
  if (scopeBinding(program, near, name)) return false;
  // Whoever reads the name must mean one of their own function's.
  return program.index
    .usesOf(name)
    .every((use) => use.kind !== 'Name' || scopeBinding(program, use, name) !== undefined);
}
