/** Search for compatible values, and for the reason why there are none. */

/** The candidates for one part of C, by preference. */
export interface Domain<C> {
  readonly part: keyof C;
  readonly values: readonly C[keyof C][];
}

/** A constraint on one part, or between two. */
export interface Constraint<C> {
  /** A phrase for a list: "code for the Tesla K80 (compute capability 3.7)". */
  readonly about: string;
  readonly parts: readonly [keyof C, (keyof C)?];
  holds(choice: C): boolean;
  /** The package, or "python", whose pin in the project causes the constraint. */
  readonly pin?: string;
  /** True if a newer driver would change it. */
  readonly isOfDriver?: true;
}

/**
 * Maximum number of values that a search tries: with the current tables, a project with eight pinned frameworks needs
 * some hundreds. A search that gives up has found nothing, and has proved nothing.
 */
const MOST_TRIED = 20_000;

/** Returns the first choice in the order of the domains that violates no constraint; undefined if none is found. */
export function search<C extends object>(
  domains: readonly Domain<C>[],
  constraints: readonly Constraint<C>[],
): C | undefined {
  return searched(domains, constraints).choice;
}

/**
 * Returns a set of constraints that excludes every choice. Without any one of them there would be a choice, or the
 * search gives up. Call it only if a search found none.
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
  /** True if every choice was excluded. */
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
 * Removes values that are incompatible with every value of another domain; undefined if a domain becomes empty. Called
 * after each choice, because a search that encounters such a value late tries everything in between. `news`: the parts
 * that lost values since the last call.
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

/**
 * Cached results of constraints, because many searches evaluate the same ones: a conflict needs a search for each
 * constraint.
 */
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
