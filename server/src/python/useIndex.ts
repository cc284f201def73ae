import { perStretchWhere, type Use, type Visited } from './visited.ts';

/** The uses of names, and of attributes by the attribute's name. */
export interface UseIndex {
  of(name: string): readonly Use[];
  /** Uses of every name that is `wanted`: one of a few functions, since what each found is kept. */
  where(wanted: (name: string) => boolean): readonly Use[];
}

const usesWhere = perStretchWhere(({ uses }, wanted: (name: string) => boolean) => {
  const found: Use[] = [];
  uses.forEach((own, name) => {
    if (wanted(name)) found.push(...own);
  });
  return found;
});

/** `often` are names that many questions are about: their uses are gathered at the first one. */
export function createUseIndex(stretches: readonly Visited[], often: Iterable<string>): UseIndex {
  const known = new Map<string, Use[]>();
  const gather = () => {
    for (const name of often) known.set(name, []);
    // Taking a map's entries apart would make an array for each.
    for (const { uses } of stretches) {
      uses.forEach((found, name) => {
        known.get(name)?.push(...found);
      });
    }
  };
  return {
    of(name) {
      if (known.size === 0) gather();
      const found = known.get(name) ?? stretches.flatMap(({ uses }) => uses.get(name) ?? []);
      known.set(name, found);
      return found;
    },
    where: (wanted) => stretches.flatMap((stretch) => usesWhere(stretch, wanted)),
  };
}
