/** Creates definitions at the binder's current position. */
import type { Expression, Import, ImportFrom, Node } from '../syntax/nodes.ts';
import type { ControlFlow } from './controlFlow.ts';
import { push } from './multimap.ts';
import { type Definition, definitionOf, type Scope } from './scopes.ts';

export class Definitions {
  /** The last parts of assigned attributes and items: `x` in `self.x`, `gpu` in `config["gpu"]`. */
  readonly assignedParts = new Set<string>();
  readonly #flow: ControlFlow;
  readonly #module: Scope;
  readonly #onDefinition: (definition: Definition, name: string) => void;

  /** Calls `made` for each definition, with the name or the last part of the path that it defines. */
  constructor(at: ControlFlow, module: Scope, onDefinition: (definition: Definition, name: string) => void) {
    this.#flow = at;
    this.#module = module;
    this.#onDefinition = onDefinition;
  }

  define(kind: Definition['kind'], name: string, node: Node, value?: Expression, qualified?: string): void {
    const { scope, conditions } = this.#flow;
    const declared = scope.declared.size === 0 ? undefined : scope.declared.get(name);
    const home = declared === 'global' ? this.#module : declared === 'nonlocal' ? this.#outerFunction() : scope;
    const definition = definitionOf(kind, name, home, conditions, node, value, qualified, home !== scope);
    push(home.definitions, name, definition);
    this.#onDefinition(definition, name);
    this.#flow.environment.set(name, [definition]);
  }

  #outerFunction(): Scope {
    let scope = this.#flow.scope.parent;
    while (scope?.kind === 'class') scope = scope.parent;
    return scope ?? this.#module;
  }

  definePath(path: string, lastPart: string, value: Expression | undefined, node: Node): Definition {
    const kind = value ? 'value' : 'unknown';
    const definition = definitionOf(kind, path, this.#flow.scope, this.#flow.conditions, node, value);
    this.assignedParts.add(lastPart);
    this.#onDefinition(definition, lastPart);
    this.#flow.environment.set(path, [definition]);
    return definition;
  }

  defineImport(node: Import): void {
    for (const alias of node.names) {
      const { name, asname } = alias;
      const top = asname === undefined ? (name.split('.')[0] ?? name) : name;
      this.define('import', asname ?? top, alias, undefined, top);
    }
  }

  defineImportFrom(node: ImportFrom): void {
    const module = '.'.repeat(node.level) + (node.module ?? '');
    for (const alias of node.names) {
      const { name, asname } = alias;
      if (name === '*') {
        this.#flow.scope.starImports.push(module);
        continue;
      }
      const qualified = module.endsWith('.') ? module + name : `${module}.${name}`;
      this.define('import', asname ?? name, alias, undefined, qualified);
    }
  }
}
