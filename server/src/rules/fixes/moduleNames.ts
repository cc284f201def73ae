/** Finds the name that a library has at a place. */

import type { Program } from '../../guards/program.ts';
import { isNone } from '../../python/semantic/literals.ts';
import { memoizeBy } from '../../python/semantic/memoize.ts';
import type { Definition, Scope } from '../../python/semantic/scopes.ts';
import type { Node } from '../../python/syntax/nodes.ts';
import { definitionsAt, visibleScopes } from './bindings.ts';

/** A library that fixes call. */
export interface Library {
  /** The modules that may be imported for it, its own first. */
  readonly modules: readonly string[];
  /** The name under which a new import makes it available, and that import. */
  readonly alias: string;
  readonly importLine: string;
}

export const TORCH: Library = { modules: ['torch'], alias: 'torch', importLine: 'import torch' };
export const JAX: Library = { modules: ['jax'], alias: 'jax', importLine: 'import jax' };
export const TENSORFLOW: Library = {
  modules: ['tensorflow', 'tensorflow.compat.v1', 'tensorflow.compat.v2'],
  alias: 'tf',
  importLine: 'import tensorflow as tf',
};

interface ModuleName {
  readonly name: string;
  readonly scope: Scope;
  /**
   * False if the import may have failed, as in `try: import torch`; only code that needs the module gets here anyway.
   */
  readonly isCertain: boolean;
}

/** Returns the library's name at a node. */
export function moduleNameAt(program: Program, node: Node, { modules }: Library): ModuleName | undefined {
  const scopes = visibleScopes(program, node);
  for (const [index, scope] of scopes.entries()) {
    for (const [name, definitions] of importing(scope, modules)) {
      if (scopes.slice(0, index).some((inner) => inner.definitions.has(name))) continue;
      const reaching = definitionsAt(program, node, name, scope);
      if (reaching?.every((definition) => imports(definition, modules))) return { name, scope, isCertain: true };
      if (definitions.every((definition) => isTried(definition, modules))) return { name, scope, isCertain: false };
    }
  }
  return undefined;
}

type Named = readonly (readonly [name: string, definitions: readonly Definition[]])[];

/** Returns the names under which a scope imports any of the modules. */
const importing = memoizeBy(
  (scope: Scope, modules: readonly string[]): Named =>
    [...scope.definitions].filter(([, all]) => all.some((definition) => imports(definition, modules))),
);

const imports = ({ kind, qualified }: Definition, modules: readonly string[]) =>
  kind === 'import' && qualified !== undefined && modules.includes(qualified);

/** Returns the import in `try: import torch`, or the replacement in its handler. */
function isTried(definition: Definition, modules: readonly string[]): boolean {
  if (!imports(definition, modules) && !isNone(definition.value)) return false;
  for (let at = definition.node; at; at = at.parent) if (at.kind === 'Try') return true;
  return false;
}
