/** Scopes, definitions and environments: which names mean what, where. */

import type { ClassDef, Comprehension, Expression, FunctionDef, Lambda, Node } from '../syntax.ts';
import type { Facts } from './pathConditions.ts';

export interface Scope {
  readonly kind: 'module' | 'function' | 'class' | 'lambda' | 'comprehension';
  readonly node?: FunctionDef | ClassDef | Lambda | Comprehension;
  /** The scope around it; another one when the walk of an earlier version is taken over. */
  parent?: Scope;
  /** Every definition made in the scope, in source order. */
  readonly definitions: Map<string, Definition[]>;
  /** Names that the scope declares `global` or `nonlocal`. */
  readonly declared: Map<string, 'global' | 'nonlocal'>;
  /** What each name means at the end of the scope, where the end is reached. */
  atEnd?: Environment;
  /** What holds there. */
  factsAtEnd?: Facts;
  /** Modules of `from m import *`, in order. */
  readonly starImports: string[];
}

/** One place where a name, or a path such as `self.x` or `config["x"]`, gets a value. */
export interface Definition {
  readonly name: string;
  readonly kind:
    | 'value'
    | 'element'
    | 'import'
    | 'parameter'
    | 'function'
    | 'class'
    | 'unknown'
    | 'unbound'
    | 'carried';
  /** The statement, parameter, imported name or definition that binds it. */
  readonly node?: Node;
  /** The value for `value`; for `element`, what the name is an element of; for `parameter`, its default. */
  readonly value?: Expression;
  /** The dotted name of an `import`, such as `torch.load`. */
  readonly qualified?: string;
  /** Under which conditions the definition is made. */
  readonly facts: Facts;
  /** What more held on the ways from there to the use that this is the definition of. */
  readonly passed: readonly Facts[];
  readonly scope: Scope;
  /** For `carried`: what reaches the start of a loop from the end of an earlier turn. */
  readonly carried?: Definition[];
  /** Made in a function that declares the name `global` or `nonlocal`. */
  readonly isFromElsewhere: boolean;
}

export function createScope(kind: Scope['kind'], parent?: Scope, node?: Scope['node']): Scope {
  return {
    kind,
    ...(parent && { parent }),
    ...(node && { node }),
    definitions: new Map(),
    declared: new Map(),
    starImports: [],
  };
}

/** The innermost class around a scope, the scope's own included. */
export function enclosingClass(scope: Scope): ClassDef | undefined {
  for (let at: Scope | undefined = scope; at; at = at.parent) if (at.node?.kind === 'ClassDef') return at.node;
  return undefined;
}

/** The definitions that may have been made last, by name; branches are layers over the environment they start from. */
export class Environment {
  #own: Map<string, readonly Definition[]> | undefined;
  readonly #base: Environment | undefined;

  constructor(base?: Environment) {
    this.#base = base;
  }

  get(name: string): readonly Definition[] | undefined {
    for (let layer: Environment | undefined = this; layer; layer = layer.#base) {
      const found = layer.#own?.get(name);
      if (found) return found;
    }
    return undefined;
  }

  set(name: string, definitions: readonly Definition[]): void {
    this.#own ??= new Map();
    this.#own.set(name, definitions);
  }

  /** What was set in this layer and those below it down to, and without, `base`. */
  since(base: Environment): ReadonlyMap<string, readonly Definition[]> {
    if (this.#base === base) return this.#own ?? NOTHING;
    const found = new Map<string, readonly Definition[]>();
    for (let layer: Environment | undefined = this; layer && layer !== base; layer = layer.#base) {
      for (const [name, definitions] of layer.#own ?? NOTHING) if (!found.has(name)) found.set(name, definitions);
    }
    return found;
  }
}

const NOTHING: ReadonlyMap<string, readonly Definition[]> = new Map();
