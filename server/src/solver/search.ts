/** A search for values that go together, and for the reason why none do. */

/** What may be chosen for one part of C, the preferred first. */
export interface Domain<C> {
  readonly part: keyof C;
  readonly values: readonly C[keyof C][];
}

/** What has to hold between parts. */
export interface Constraint<C> {
  /** What it is, as a phrase of a list: "code for the Tesla K80 (compute capability 3.7)". */
  readonly about: string;
  readonly parts: readonly (keyof C)[];
  holds(choice: C): boolean;
}

/** The first choice in the order of the domains that breaks no constraint; undefined where there is none. */
export function search<C extends object>(
  domains: readonly Domain<C>[],
  constraints: readonly Constraint<C>[],
): C | undefined {
  const filtered = domains.map(({ part, values }) => {
    const own = constraints.filter(({ parts }) => parts.every((each) => each === part));
    return { part, values: values.filter((value) => own.every(({ holds }) => holds({ [part]: value } as C))) };
  });
  const places = new Map(domains.map(({ part }, at) => [part, at]));
  // Each is asked as soon as the last of its parts is chosen.
  const due = domains.map(({ part }, at) =>
    constraints.filter(
      ({ parts }) =>
        parts.length > 1 &&
        parts.includes(part) &&
        parts.every((each) => (places.get(each) ?? Number.POSITIVE_INFINITY) <= at),
    ),
  );
  const choice = {} as C;
  const choose = (at: number): boolean => {
    const domain = filtered[at];
    if (domain === undefined) return true;
    for (const value of domain.values) {
      choice[domain.part] = value;
      if (due[at]?.every(({ holds }) => holds(choice)) && choose(at + 1)) return true;
    }
    delete choice[domain.part];
    return false;
  };
  return choose(0) ? choice : undefined;
}

/** A smallest set of constraints that leaves no choice: without any one of them there would be one. */
export function conflict<C extends object>(
  domains: readonly Domain<C>[],
  constraints: readonly Constraint<C>[],
): readonly Constraint<C>[] {
  let needed = [...constraints];
  for (const constraint of constraints) {
    const without = needed.filter((each) => each !== constraint);
    if (search(domains, without) === undefined) needed = without;
  }
  return needed;
}
