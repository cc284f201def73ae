/** An index of a program's nodes by spelling. Rules start here and examine only the nodes that may concern them. */
import type { Attribute, Call, ClassDef, FunctionDef, Name } from '../syntax/nodes.ts';
import { type AccessPathIndex, createAccessPathIndex } from './accessPathIndex.ts';
import { calledName } from './accessPaths.ts';
import { scopeMadeBy } from './annotations.ts';
import { type StringLiteral, stringOf } from './literals.ts';
import { once } from './memoize.ts';
import { push } from './multimap.ts';
import type { Definition, Scope } from './scopes.ts';
import { bySourceOrder } from './sourceOrder.ts';

export type Use = Name | Attribute;

/** The nodes that the binder collects, in the order of its walk. */
export class CollectedNodes {
  readonly calls: Call[] = [];
  readonly strings: StringLiteral[] = [];
  /** Names and attributes, including assignment targets. */
  readonly uses: Use[] = [];
  readonly functions: FunctionDef[] = [];
  readonly classes: ClassDef[] = [];
  readonly scopes: Scope[] = [];
  /** Definitions of attributes and items. */
  readonly paths: PathDefinition[] = [];
  /** Names, attributes and items that may alias an object with a name of its own. */
  readonly aliases: Alias[] = [];
}

interface PathDefinition {
  readonly definition: Definition;
  /** `x` of `self.x`, `gpu` of `config["gpu"]` */
  readonly lastPart: string;
}

interface Alias {
  readonly name: string;
  /** The spelling of the callee in the call that produced the value, which must be a partial's. */
  readonly madeBy: string | undefined;
}

/** The index of a program. Lists are in source order unless stated otherwise. */
export interface ProgramIndex {
  readonly module: Scope;
  readonly calls: readonly Call[];
  /** Returns the calls whose callee ends in one of `names`: `load` in `torch.load(f)`. */
  callsSpelled(names: Iterable<string>): readonly Call[];
  /** Returns the calls that may reach one of the names, including through an alias, an attribute or a partial. */
  callsReaching(names: ReadonlySet<string>): readonly Call[];
  /** Other names under which an object may be called: aliases, partials, and `''` for the result of a call. */
  readonly aliases: ReadonlySet<string>;
  /** Returns the calls that pass the keyword. */
  callsWithKeyword(keyword: string): readonly Call[];
  /** Returns the string literals whose text is `value`. */
  stringsOf(value: string): readonly StringLiteral[];
  readonly strings: readonly StringLiteral[];
  /** Returns the uses of a name and of attributes with that name. */
  usesOf(name: string): readonly Use[];
  usesWhere(wanted: (name: string) => boolean): readonly Use[];
  /** In the order of the walk. */
  readonly functions: readonly FunctionDef[];
  /** All scopes, starting with the module's. */
  readonly scopes: readonly Scope[];
  readonly paths: AccessPathIndex;
  /**
   * Attributes and items that are assigned, such as `x` in `self.x` and `gpu` in `config["gpu"]`, and names in class
   * bodies.
   */
  readonly assignedParts: ReadonlySet<string>;
  /**
   * Returns the definitions of names for which `wanted` is true, in the order of the walk; excludes attributes and
   * items.
   */
  definitionsWhere(wanted: (name: string) => boolean): readonly Definition[];
}

export function createProgramIndex(module: Scope, collected: CollectedNodes): ProgramIndex {
  const calls = once(() => collected.calls.toSorted(bySourceOrder));
  const strings = once(() => collected.strings.toSorted(bySourceOrder));
  const callsByName = once(() => {
    const found = new Map<string, Call[]>();
    for (const call of calls()) push(found, calledName(call), call);
    return found;
  });
  const callsByKeyword = once(() => {
    const found = new Map<string, Call[]>();
    for (const call of calls()) for (const { arg } of call.keywords) if (arg !== undefined) push(found, arg, call);
    return found;
  });
  const stringsByText = once(() => {
    const found = new Map<string, StringLiteral[]>();
    for (const string of strings()) {
      const text = stringOf(string);
      if (text !== undefined) push(found, text, string);
    }
    return found;
  });
  const usesByName = once(() => {
    const found = new Map<string, Use[]>();
    for (const use of collected.uses.toSorted(bySourceOrder)) push(found, nameOf(use), use);
    return found;
  });
  const aliases = once(() => aliasesIn(collected.aliases));
  const paths = once(() => createAccessPathIndex(collected.paths.map(({ definition }) => definition)));
  const assignedParts = new Set<string>();
  for (const { lastPart } of collected.paths) assignedParts.add(lastPart);
  for (const node of collected.classes)
    for (const name of scopeMadeBy(node)?.definitions.keys() ?? []) assignedParts.add(name);
  const callsOf = (names: Iterable<string>): readonly Call[] => {
    const lists: Call[][] = [];
    for (const name of names) {
      const found = callsByName().get(name);
      if (found) lists.push(found);
    }
    return lists.length > 1 ? lists.flat().sort(bySourceOrder) : (lists[0] ?? NO_CALLS);
  };
  return {
    module,
    get calls() {
      return calls();
    },
    callsSpelled: callsOf,
    callsReaching: (names) => callsOf(new Set([...names, ...aliases()])),
    get aliases() {
      return aliases();
    },
    callsWithKeyword: (keyword) => callsByKeyword().get(keyword) ?? NO_CALLS,
    stringsOf: (value) => stringsByText().get(value) ?? NO_STRINGS,
    get strings() {
      return strings();
    },
    usesOf: (name) => usesByName().get(name) ?? NO_USES,
    usesWhere: (wanted) => collected.uses.filter((use) => wanted(nameOf(use))).sort(bySourceOrder),
    functions: collected.functions,
    scopes: collected.scopes,
    get paths() {
      return paths();
    },
    assignedParts,
    definitionsWhere(wanted) {
      const found: Definition[] = [];
      for (const { definitions } of collected.scopes)
        for (const [name, own] of definitions) if (wanted(name)) for (const definition of own) found.push(definition);
      return found;
    },
  };
}

const nameOf = (use: Use) => (use.kind === 'Name' ? use.id : use.attr);

const NO_CALLS: readonly Call[] = [];
const NO_STRINGS: readonly StringLiteral[] = [];
const NO_USES: readonly Use[] = [];

function aliasesIn(aliases: readonly Alias[]): ReadonlySet<string> {
  const found = new Set(['']);
  for (const { name, madeBy } of aliases) if (madeBy === undefined) found.add(name);
  // `functools.partial` itself may have an alias.
  const isPartial = (name: string) => name === 'partial' || found.has(name);
  const partials = aliases.filter(({ madeBy }) => madeBy !== undefined && isPartial(madeBy));
  for (const { name } of partials) found.add(name);
  return found;
}
