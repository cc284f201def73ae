/** Scopes and definitions: which names mean what, where. */

import type {
  ClassDef,
  DictComp,
  Expression,
  FunctionDef,
  GeneratorExp,
  Lambda,
  ListComp,
  Node,
  SetComp,
} from '../syntax/nodes.ts';
import type { PathConditions } from './pathConditions.ts';

export type Comprehended = ListComp | SetComp | GeneratorExp | DictComp;

export interface Scope {
  readonly kind: 'module' | 'function' | 'class' | 'lambda' | 'comprehension';
  readonly node: FunctionDef | ClassDef | Lambda | Comprehended | undefined;
  /** The scope around it. */
  readonly parent: Scope | undefined;
  /** Every definition made in the scope, in source order. */
  readonly definitions: Map<string, Definition[]>;
  /** Names that the scope declares `global` or `nonlocal`. */
  readonly declared: Map<string, 'global' | 'nonlocal'>;
  /** What each name means at the end of the scope, where the end is reached. */
  atEnd: LastDefinitions | undefined;
  /** What holds there. */
  conditionsAtEnd: PathConditions;
  /** Modules of `from m import *`, in order. */
  readonly starImports: string[];
}

/** The definitions of each name that may have been made last at some point. */
export interface LastDefinitions {
  get(name: string): readonly Definition[] | undefined;
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
  readonly node: Node | undefined;
  /** The value for `value`; for `element`, what the name is an element of; for `parameter`, its default. */
  readonly value: Expression | undefined;
  /** The dotted name of an `import`, such as `torch.load`. */
  readonly qualified: string | undefined;
  /** Under which conditions the definition is made. */
  readonly conditions: PathConditions;
  /** What more held on the ways from there to the use that this is the definition of. */
  readonly passed: readonly PathConditions[];
  readonly scope: Scope;
  /** For `carried`: what reaches the start of a loop from the end of an earlier turn. */
  readonly carried: Definition[] | undefined;
  /** Made in a function that declares the name `global` or `nonlocal`. */
  readonly isFromElsewhere: boolean;
}

export function createScope(kind: Scope['kind'], parent?: Scope, node?: Scope['node']): Scope {
  return {
    kind,
    node,
    parent,
    definitions: new Map(),
    declared: new Map(),
    atEnd: undefined,
    conditionsAtEnd: undefined,
    starImports: [],
  };
}

/** The innermost class around a scope, the scope's own included. */
export function enclosingClass(scope: Scope): ClassDef | undefined {
  for (let at: Scope | undefined = scope; at; at = at.parent) if (at.node?.kind === 'ClassDef') return at.node;
  return undefined;
}

/** A definition with nothing but what is given. */
export function definitionOf(
  kind: Definition['kind'],
  name: string,
  scope: Scope,
  conditions: PathConditions,
  node?: Node,
  value?: Expression,
  qualified?: string,
  isFromElsewhere = false,
): Definition {
  return {
    name,
    kind,
    node,
    value,
    qualified,
    conditions,
    passed: NOWHERE,
    scope,
    carried: undefined,
    isFromElsewhere,
  };
}

const NOWHERE: readonly PathConditions[] = [];
