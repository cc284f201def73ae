/** A search for values that go together, and for the reason why none do. */

/** What may be chosen for one part of C, the preferred first. */
export interface Domain<C> {
  readonly part: keyof C;
  readonly values: readonly C[keyof C][];
}

/** What has to hold of one part, or between two. */
export interface Constraint<C> {
  /** What it is, as a phrase of a list: "code for the Tesla K80 (compute capability 3.7)". */
  readonly about: string;
  readonly parts: readonly [keyof C, (keyof C)?];
  holds(choice: C): boolean;
}

/**
 * Values that a search tries at most: with the tables of today, a project of eight pinned frameworks takes some hundreds. A
 * search that gives up has found nothing, and has shown nothing.
 */
const MOST_TRIED = 20_000;

/** Returns the first choice in the order of the domains that breaks no constraint; undefined if none is found. */
export function search<C extends object>(
  domains: readonly Domain<C>[],
  constraints: readonly Constraint<C>[],
): C | undefined {
  return searched(domains, constraints).choice;
}

/**
 * Returns a set of constraints that leaves no choice. Without any one of them there would be one, or the search for one gives
 * up. Call it only where a search has found none.
 */
export function conflict<C extends object>(
  domains: readonly Domain<C>[],
  constraints: readonly Constraint<C>[],
): readonly Constraint<C>[] {
  let needed = [...constraints];
  for (const constraint of constraints) {
    const without = needed.filter((each) => each !== constraint);
    if (searched(domains, without).isImpossible) needed = without;
  }
  return needed;
}

interface Searched<C> {
  readonly choice?: C;
  /** True if every choice was ruled out. */
  readonly isImpossible: boolean;
}

function searched<C extends object>(domains: readonly Domain<C>[], constraints: readonly Constraint<C>[]): Searched<C> {
  const pairs = constraints.flatMap(pairOf);
  const allowed = domains.map(({ part, values }) => {
    const own = constraints.filter(({ parts }) => parts.every((each) => each === part));
    return { part, values: values.filter((value) => own.every(({ holds }) => holds({ [part]: value } as C))) };
  });
  let tried = 0;
  const choose = (open: readonly Domain<C>[], choice: C): C | undefined => {
    const [domain, ...later] = open;
    if (domain === undefined) return choice;
    for (const value of domain.values) {
      if (++tried > MOST_TRIED) return undefined;
      const left = supported([{ part: domain.part, values: [value] }, ...later], pairs, [domain.part]);
      const found = left && choose(left.slice(1), { ...choice, [domain.part]: value });
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const isPossible = allowed.every(({ values }) => values.length > 0);
  const start = isPossible ? supported(allowed, pairs) : undefined;
  const choice = start && choose(start, {} as C);
  return choice === undefined ? { isImpossible: tried <= MOST_TRIED } : { choice, isImpossible: false };
}

/**
 * Returns the domains without values that nothing in another domain goes with; undefined if one of them has none left. It is
 * done after each choice: a search that meets such a value late tries all that lies between. `news`: the parts that have lost
 * values since it was done last.
 */
function supported<C extends object>(
  domains: readonly Domain<C>[],
  pairs: readonly Pair<C>[],
  news: readonly (keyof C)[] = domains.map(({ part }) => part),
): Domain<C>[] | undefined {
  const left = new Map(domains.map(({ part, values }) => [part, values]));
  const open = pairs.filter(({ parts }) => parts.every((part) => left.has(part)));
  let changed = new Set(news);
  while (changed.size > 0) {
    const before = changed;
    changed = new Set();
    for (const { parts, allows } of open) {
      if (!parts.some((part) => before.has(part))) continue;
      const [one, other] = parts;
      const [ones, others] = [left.get(one) ?? [], left.get(other) ?? []];
      const kept = ones.filter((value) => others.some((each) => allows(value, each)));
      const keptOthers = others.filter((each) => kept.some((value) => allows(value, each)));
      if (kept.length === 0 || keptOthers.length === 0) return undefined;
      if (kept.length < ones.length) changed.add(one);
      if (keptOthers.length < others.length) changed.add(other);
      left.set(one, kept);
      left.set(other, keptOthers);
    }
  }
  return domains.map(({ part }) => ({ part, values: left.get(part) ?? [] }));
}

/** A constraint between two parts. */
interface Pair<C> {
  readonly parts: readonly [keyof C, keyof C];
  allows(one: C[keyof C], other: C[keyof C]): boolean;
}

/** The answers of constraints, which many searches ask the same: a conflict takes a search for each constraint. */
const known = new WeakMap<object, unknown>();

function pairOf<C extends object>(constraint: Constraint<C>): readonly Pair<C>[] {
  const [one, other] = constraint.parts;
  if (other === undefined || other === one) return [];
  const before = known.get(constraint) as Pair<C> | undefined;
  if (before !== undefined) return [before];
  const answers = new Map<C[keyof C], Map<C[keyof C], boolean>>();
  const pair: Pair<C> = {
    parts: [one, other],
    allows(left, right) {
      const row = answers.get(left) ?? new Map<C[keyof C], boolean>();
      answers.set(left, row);
      const answer = row.get(right) ?? constraint.holds({ [one]: left, [other]: right } as C);
      row.set(right, answer);
      return answer;
    },
  };
  known.set(constraint, pair);
  return [pair];
}
