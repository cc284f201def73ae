/** Scopes and definitions. */

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
  /** The enclosing scope. */
  readonly parent: Scope | undefined;
  /** Every definition made in the scope, in source order. */
  readonly definitions: Map<string, Definition[]>;
  /** Names that the scope declares `global` or `nonlocal`. */
  readonly declared: Map<string, 'global' | 'nonlocal'>;
  /** The definitions that each name may have at the end of the scope, if the end is reachable. */
  atEnd: LastDefinitions | undefined;
  /** The conditions at the end of the scope. */
  conditionsAtEnd: PathConditions;
  /** The modules in `from m import *`, in order. */
  readonly starImports: string[];
}

/** The definitions of each name that may be the latest at some point. */
export interface LastDefinitions {
  get(name: string): readonly Definition[] | undefined;
}

/** A place where a name, or a path such as `self.x` or `config["x"]`, gets a value. */
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
    | 'loop-carried';
  /** The statement, parameter, imported name or definition that binds it. */
  readonly node: Node | undefined;
  /** The value for `value`; the iterable for `element`; the default for `parameter`. */
  readonly value: Expression | undefined;
  /** The dotted name of an `import`, such as `torch.load`. */
  readonly qualified: string | undefined;
  /** The conditions under which the definition runs. */
  readonly conditions: PathConditions;
  /** Additional conditions on the paths from the definition to this use. */
  readonly laterConditions: readonly PathConditions[];
  readonly scope: Scope;
  /** For `loop-carried`: the definitions that reach the start of a loop from earlier iterations. */
  readonly loopCarried: Definition[] | undefined;
  /** True if made in a function that declares the name `global` or `nonlocal`. */
  readonly isFromOtherScope: boolean;
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

/** The innermost class that contains a scope, or the class that the scope belongs to. */
export function enclosingClass(scope: Scope): ClassDef | undefined {
  for (let at: Scope | undefined = scope; at; at = at.parent) if (at.node?.kind === 'ClassDef') return at.node;
  return undefined;
}

/** Creates a definition; fields without a parameter are empty. */
export function definitionOf(
  kind: Definition['kind'],
  name: string,
  scope: Scope,
  conditions: PathConditions,
  node?: Node,
  value?: Expression,
  qualified?: string,
  isFromOtherScope = false,
): Definition {
  return {
    name,
    kind,
    node,
    value,
    qualified,
    conditions,
    laterConditions: NOWHERE,
    scope,
    loopCarried: undefined,
    isFromOtherScope,
  };
}

const NOWHERE: readonly PathConditions[] = [];
