import type { Expression, Import, Node } from '../syntax.ts';
import type { Execution } from './controlFlow.ts';
import type { Definition, Scope } from './scopes.ts';

/** Makes definitions where the walk through a program stands. */
export class Definitions {
  /** The last parts of the paths of attributes and items: `x` of `self.x`, `gpu` of `config["gpu"]`. */
  readonly assignedParts = new Set<string>();
  readonly #at: Execution;
  readonly #module: Scope;
  readonly #made: (definition: Definition, name: string) => void;

  /** `made` is told of each definition, with the name or the last part of the path that it defines. */
  constructor(at: Execution, module: Scope, made: (definition: Definition, name: string) => void) {
    this.#at = at;
    this.#module = module;
    this.#made = made;
  }

  define(name: string, given: Omit<Definition, 'name' | 'facts' | 'passed' | 'scope' | 'isFromElsewhere'>): void {
    const declared = this.#at.scope.declared.get(name);
    const home =
      declared === 'global' ? this.#module : declared === 'nonlocal' ? this.#outerFunction() : this.#at.scope;
    const isFromElsewhere = declared !== undefined && home !== this.#at.scope;
    const definition: Definition = { name, facts: this.#at.facts, passed: [], scope: home, isFromElsewhere, ...given };
    push(home.definitions, name, definition);
    this.#made(definition, name);
    this.#at.environment.set(name, [definition]);
  }

  #outerFunction(): Scope {
    let scope = this.#at.scope.parent;
    while (scope?.kind === 'class') scope = scope.parent;
    return scope ?? this.#module;
  }

  definePath(path: string, lastPart: string, value: Expression | undefined, node: Node): Definition {
    const definition: Definition = {
      name: path,
      kind: value ? 'value' : 'unknown',
      node,
      ...(value && { value }),
      facts: this.#at.facts,
      passed: [],
      scope: this.#at.scope,
      isFromElsewhere: false,
    };
    this.assignedParts.add(lastPart);
    this.#made(definition, lastPart);
    this.#at.environment.set(path, [definition]);
    return definition;
  }

  defineImport(node: Import): void {
    if (node.isStar) {
      if (node.module) this.#at.scope.starImports.push(node.module);
      return;
    }
    for (const imported of node.names) {
      if (node.module !== undefined) {
        const separator = node.module.endsWith('.') ? '' : '.';
        const qualified = `${node.module}${separator}${imported.name}`;
        this.define(imported.asName ?? imported.name, { kind: 'import', node: imported, qualified });
      } else if (imported.asName)
        this.define(imported.asName, { kind: 'import', node: imported, qualified: imported.name });
      else {
        const top = imported.name.split('.')[0] ?? imported.name;
        this.define(top, { kind: 'import', node: imported, qualified: top });
      }
    }
  }
}

export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
