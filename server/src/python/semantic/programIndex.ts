/** What a program consists of, by how it is spelled: rules begin here and look at what they may be about, not at every node. */

import type { Attribute, Call, ClassDef, FunctionDef, Name, Str } from '../syntax.ts';
import { bySourceOrder } from '../syntax.ts';
import { createPathIndex, type PathIndex } from './accessPathIndex.ts';
import { once } from './once.ts';
import type { Definition, Scope } from './scopes.ts';

export type Use = Name | Attribute;

/** What the walk through a program meets. All lists are in the order of the walk. */
export interface Met {
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

export const nothingMet = (): Met => ({
  calls: [],
  callsByName: new Map(),
  strings: [],
  uses: new Map(),
  functions: [],
  classes: [],
  scopes: [],
  paths: [],
  aliases: [],
});

/** All lists are in source order, where nothing else is said. */
export interface ProgramIndex {
  /** The scope of the top level. */
  readonly module: Scope;
  readonly calls: readonly Call[];
  /** Calls whose callee's last part is spelled like one of `names`: `load` of `torch.load(f)`. */
  callsSpelled(names: ReadonlySet<string>): readonly Call[];
  /** Calls that may reach what has one of the names: also under another one, as an alias, an attribute and a partial have. */
  callsReaching(names: ReadonlySet<string>): readonly Call[];
  /** Calls with an argument given by that keyword. */
  callsWithKeyword(keyword: string): readonly Call[];
  /** String literals whose text is `value`. */
  stringsOf(value: string): readonly Str[];
  readonly strings: readonly Str[];
  /** The uses of a name, and of attributes of that name. */
  usesOf(name: string): readonly Use[];
  /** Uses of every name that is `wanted`. */
  usesWhere(wanted: (name: string) => boolean): readonly Use[];
  /** In the order of the walk. */
  readonly functions: readonly FunctionDef[];
  /** All scopes, the module's first. */
  readonly scopes: readonly Scope[];
  readonly paths: PathIndex;
  /** Attributes and items that anything is assigned to, `x` of `self.x` and `gpu` of `config["gpu"]`, and names in class bodies. */
  readonly assignedParts: ReadonlySet<string>;
  /** Definitions of names that are `wanted`, in the order of the walk; not those of attributes and items. */
  definitionsWhere(wanted: (name: string) => boolean): readonly Definition[];
}

export function createProgramIndex(module: Scope, met: Met): ProgramIndex {
  const calls = once(() => met.calls.toSorted(bySourceOrder));
  const strings = once(() => met.strings.toSorted(bySourceOrder));
  const uses = new Map<string, readonly Use[]>();
  const otherNames = once(() => otherNamesIn(met.aliases));
  const assignedParts = new Set(met.paths.map(({ lastPart }) => lastPart));
  for (const { inner } of met.classes) for (const name of inner?.definitions.keys() ?? []) assignedParts.add(name);
  const callsOf = (names: Iterable<string>) => {
    const found: Call[] = [];
    for (const name of names) for (const call of met.callsByName.get(name) ?? []) found.push(call);
    return found.sort(bySourceOrder);
  };
  return {
    module,
    get calls() {
      return calls();
    },
    callsSpelled: callsOf,
    // What is called without a name, as the result of another call is, may be anything.
    callsReaching: (names) => callsOf(new Set([...names, '', ...otherNames()])),
    callsWithKeyword: (keyword) => calls().filter(({ args }) => args.some(({ name }) => name === keyword)),
    stringsOf: (value) => strings().filter((string) => string.value === value),
    get strings() {
      return strings();
    },
    usesOf(name) {
      const found = uses.get(name) ?? met.uses.get(name)?.toSorted(bySourceOrder) ?? [];
      uses.set(name, found);
      return found;
    },
    usesWhere(wanted) {
      const found: Use[] = [];
      for (const [name, uses] of met.uses) if (wanted(name)) for (const use of uses) found.push(use);
      return found.sort(bySourceOrder);
    },
    functions: met.functions,
    scopes: met.scopes,
    paths: createPathIndex(met.paths.map(({ definition }) => definition)),
    assignedParts,
    definitionsWhere(wanted) {
      const found: Definition[] = [];
      for (const { definitions } of met.scopes)
        for (const [name, own] of definitions) if (wanted(name)) for (const definition of own) found.push(definition);
      return found;
    },
  };
}

function otherNamesIn(aliases: readonly Alias[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { name, madeBy } of aliases) if (madeBy === undefined) found.add(name);
  // `functools.partial` itself may have another name.
  const isPartial = (name: string) => name === 'partial' || name === '' || found.has(name);
  const partials = aliases.filter(({ madeBy }) => madeBy !== undefined && isPartial(madeBy));
  for (const { name } of partials) found.add(name);
  return found;
}
