/** Under which name can an imported module be written at a place? */
import type { Program } from '../../python/program.ts';
import type { Definition, Scope } from '../../python/scopes.ts';
import type { Node } from '../../python/syntax.ts';
import { bindingAt, visibleScopes } from './bindings.ts';

export interface ModuleName {
  readonly name: string;
  readonly scope: Scope;
  /** False where the import may have failed, as in `try: import torch`, and only code that needs the module gets here. */
  readonly isCertain: boolean;
}

/** The name that one of the modules, such as `torch`, has at a node. */
export function moduleNameAt(program: Program, node: Node, ...modules: readonly string[]): ModuleName | undefined {
  const hidden = new Set<string>();
  for (const scope of visibleScopes(program, node)) {
    for (const [name, definitions] of scope.definitions) {
      if (hidden.has(name) || !definitions.some((definition) => imports(definition, modules))) continue;
      const binding = bindingAt(program, node, name, scope);
      if (binding?.definitions.every((definition) => imports(definition, modules)))
        return { name, scope, isCertain: true };
      if (definitions.every((definition) => isTried(definition, modules))) return { name, scope, isCertain: false };
    }
    for (const name of scope.definitions.keys()) hidden.add(name);
  }
  return undefined;
}

const imports = ({ kind, qualified }: Definition, modules: readonly string[]) =>
  kind === 'import' && qualified !== undefined && modules.includes(qualified);

/** The import of `try: import torch`, or what its handler puts in place of it. */
function isTried(definition: Definition, modules: readonly string[]): boolean {
  const isNone = definition.value?.kind === 'Constant' && definition.value.value === null;
  if (!imports(definition, modules) && !isNone) return false;
  for (let at = definition.node; at; at = at.parent) if (at.kind === 'Try') return true;
  return false;
}
