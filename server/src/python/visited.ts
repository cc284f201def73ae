/** What a walk meets: the raw material of `flow.ts`. */
import type { Definition, Scope } from './scopes.ts';
import type { Attribute, Call, FunctionDef, Name, Node, Str } from './syntax.ts';

export type Use = Name | Attribute;

/** All lists are in the order of the walk. */
export interface Visited {
  readonly calls: Call[];
  readonly strings: Str[];
  /** Uses of names, by name, and of attributes, by the attribute's name. */
  readonly uses: Map<string, Use[]>;
  readonly functions: FunctionDef[];
  readonly scopes: (readonly [Node, Scope])[];
  /** Definitions of attributes and items. */
  readonly paths: PathDefinition[];
  /** Names, attributes and items that may stand for something that has a name of its own. */
  readonly aliases: Alias[];
}

export interface PathDefinition {
  readonly definition: Definition;
  /** `x` of `self.x`, `gpu` of `config["gpu"]` */
  readonly lastPart: string;
}

export interface Alias {
  readonly name: string;
  /** The spelling of the call that it is the result of, which has to be a partial's. */
  readonly madeBy?: string;
}

export function nothingVisited(): Visited {
  return { calls: [], strings: [], uses: new Map(), functions: [], scopes: [], paths: [], aliases: [] };
}

/** One list of the lists that each stretch of a walk has. */
export function joined<K extends Exclude<keyof Visited, 'uses'>>(stretches: readonly Visited[], kind: K): Visited[K] {
  return ([] as unknown[]).concat(...stretches.map((stretch) => stretch[kind] as unknown[])) as Visited[K];
}
