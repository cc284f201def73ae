/** What a walk meets, stretch by stretch: the raw material of `flow.ts`. */
import type { Definition, Scope } from './scopes.ts';
import type { Attribute, Call, ClassDef, FunctionDef, Name, Str } from './syntax.ts';

export type Use = Name | Attribute;

/** A body that the next walk may take over, or all that lies outside of those. All lists are in the order of the walk. */
export interface Visited {
  readonly calls: Call[];
  /** The same by what they are written to call, as `calledName` has it. */
  readonly callsByName: Map<string, Call[]>;
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
    callsByName: new Map(),
    strings: [],
    uses: new Map(),
    functions: [],
    classes: [],
    scopes: [],
    paths: [],
    aliases: [],
  };
}
