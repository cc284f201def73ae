/** The calls of a program by what they are written to call, so that a rule looks at those it may be about. */
import { push } from './definitions.ts';
import { calledName } from './paths.ts';
import type { Call } from './syntax.ts';
import type { Alias } from './visited.ts';

/** All lists are in source order. */
export interface CallIndex {
  /** Calls whose callee's last part is spelled like one of `names`: `load` of `torch.load(f)`. */
  spelled(names: Iterable<string>): readonly Call[];
  /** The same with those that may reach it under another name: an alias, an attribute, a partial. */
  reaching(names: Iterable<string>): readonly Call[];
  /** Calls with an argument given by a keyword that is `wanted`. */
  withKeyword(wanted: (keyword: string) => boolean): readonly Call[];
}

/** Nothing is sorted before the first question. */
export function createCallIndex(calls: readonly Call[], aliases: readonly Alias[]): CallIndex {
  const bySpelling = once(() => {
    const found = new Map<string, Call[]>();
    for (const call of calls) push(found, calledName(call), call);
    return found;
  });
  const byKeyword = once(() => {
    const found = new Map<string, Call[]>();
    for (const call of calls) for (const { name } of call.args) if (name !== undefined) push(found, name, call);
    return found;
  });
  const otherNames = once(() => otherNamesIn(aliases));
  const spelled = (names: Iterable<string>) => sorted([...new Set(names)].map((name) => bySpelling().get(name) ?? []));
  return {
    spelled,
    // What is called without a name, as the result of another call is, is among them.
    reaching: (names) => spelled([...names, ...otherNames(), '']),
    withKeyword: (wanted) =>
      inSourceOrder([...byKeyword()].flatMap(([keyword, found]) => (wanted(keyword) ? [found] : []))),
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

/** Each call of several lists once. */
export function inSourceOrder(lists: readonly (readonly Call[])[]): readonly Call[] {
  return sorted([[...new Set(lists.flat())]]);
}

/** One list of lists that have no call in common. */
function sorted(lists: readonly (readonly Call[])[]): readonly Call[] {
  // Of two calls that start at one place, the outer one comes first.
  return lists.flat().sort((a, b) => a.start - b.start || b.end - a.end);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
