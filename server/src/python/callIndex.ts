/** The calls of a program by what they are written to call, so that a rule looks at those it may be about. */
import { push } from './definitions.ts';
import { once } from './once.ts';
import { calledName } from './paths.ts';
import { bySourceOrder, type Call } from './syntax.ts';
import { type Alias, joined, perStretch, type Visited } from './visited.ts';

/** All lists are in source order, where nothing else is said. */
export interface CallIndex {
  /** Calls whose callee's last part is spelled like one of `names`: `load` of `torch.load(f)`. */
  spelled(names: Iterable<string>): readonly Call[];
  /** The same with those that may reach it under another name: an alias, an attribute, a partial. */
  reaching(names: Iterable<string>): readonly Call[];
  /** Those of a stretch that `reaching` would have, in any order. */
  reachingIn(stretch: Visited, names: ReadonlySet<string>): readonly Call[];
  /** Calls with an argument given by a keyword that is `wanted`. */
  withKeyword(wanted: (keyword: string) => boolean): readonly Call[];
}

type ByName = ReadonlyMap<string, readonly Call[]>;

const bySpelling = perStretch(({ calls }): ByName => {
  const found = new Map<string, Call[]>();
  for (const call of calls) push(found, calledName(call), call);
  return found;
});

const byKeyword = perStretch(({ calls }): ByName => {
  const found = new Map<string, Call[]>();
  for (const call of calls) for (const { name } of call.args) if (name !== undefined) push(found, name, call);
  return found;
});

/** Nothing is gathered before the first question. */
export function createCallIndex(stretches: readonly Visited[]): CallIndex {
  const spellings = once(() => together(stretches.map(bySpelling)));
  const keywords = once(() => together(stretches.map(byKeyword)));
  const otherNames = once(() => otherNamesIn(joined(stretches, 'aliases')));
  const spelled = (names: Iterable<string>) =>
    sorted([...new Set(names)].flatMap((name) => spellings().get(name) ?? []));
  return {
    spelled,
    // What is called without a name, as the result of another call is, is among them.
    reaching: (names) => spelled([...names, ...otherNames(), '']),
    reachingIn(stretch, names) {
      const found: Call[] = [];
      bySpelling(stretch).forEach((calls, name) => {
        if (names.has(name) || name === '' || otherNames().has(name)) found.push(...calls);
      });
      return found;
    },
    withKeyword: (wanted) =>
      inSourceOrder([...keywords()].flatMap(([keyword, lists]) => (wanted(keyword) ? lists : []))),
  };
}

/** The lists that each of the maps has for a name. */
function together(maps: readonly ByName[]): ReadonlyMap<string, readonly (readonly Call[])[]> {
  const found = new Map<string, (readonly Call[])[]>();
  for (const map of maps)
    map.forEach((calls, name) => {
      push(found, name, calls);
    });
  return found;
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

/** Each call of several lists once. */
export function inSourceOrder(lists: readonly (readonly Call[])[]): readonly Call[] {
  return sorted([[...new Set(lists.flat())]]);
}

/** One list of lists that have no call in common. */
function sorted(lists: readonly (readonly Call[])[]): readonly Call[] {
  return lists.flat().sort(bySourceOrder);
}
