/** What a walk meets, stretch by stretch: the raw material of `flow.ts`. */
import type { Definition, Scope } from './scopes.ts';
import type { Attribute, Call, ClassDef, FunctionDef, Name, Str } from './syntax.ts';

export type Use = Name | Attribute;

/** A body that the next walk may take over, or all that lies outside of those. All lists are in the order of the walk. */
export interface Visited {
  readonly calls: Call[];
  readonly strings: Str[];
  /** Uses of names, by name, and of attributes, by the attribute's name. */
  readonly uses: Map<string, Use[]>;
  readonly functions: FunctionDef[];
  readonly classes: ClassDef[];
  readonly scopes: Scope[];
  /** Definitions of attributes and items. */
  readonly paths: PathDefinition[];
  /** Names, attributes and items that may stand for something that has a name of its own. */
  readonly aliases: Alias[];
  /** What was found out about it, by the function that did. A weak map of all stretches would cost more than the rest. */
  readonly known: Map<object, object>;
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
  return {
    calls: [],
    strings: [],
    uses: new Map(),
    functions: [],
    classes: [],
    scopes: [],
    paths: [],
    aliases: [],
    known: new Map(),
  };
}

/** One list of the lists that each stretch of a walk has. */
export function joined<K extends Exclude<keyof Visited, 'uses' | 'known'>>(
  stretches: readonly Visited[],
  kind: K,
): Visited[K] {
  return ([] as unknown[]).concat(...stretches.map((stretch) => stretch[kind] as unknown[])) as Visited[K];
}

/** Remembers with each stretch what `find` says of it. */
export function perStretch<T extends object>(find: (stretch: Visited) => T): (stretch: Visited) => T {
  return (stretch) => {
    const before = stretch.known.get(find);
    if (before) return before as T;
    const found = find(stretch);
    stretch.known.set(find, found);
    return found;
  };
}

/** The same for questions that tell by a predicate what they are about; there is one object for each predicate. */
export function perStretchWhere<T extends object, W extends object>(
  find: (stretch: Visited, wanted: W) => T,
): (stretch: Visited, wanted: W) => T {
  const asked = new Map<W, (stretch: Visited) => T>();
  return (stretch, wanted) => {
    const ask = asked.get(wanted) ?? perStretch((each) => find(each, wanted));
    asked.set(wanted, ask);
    return ask(stretch);
  };
}
