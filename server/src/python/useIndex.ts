import { type Answers, gather, questionOf } from './gather.ts';
import { once } from './once.ts';
import { bySourceOrder } from './syntax.ts';
import type { Use, Visited } from './visited.ts';

/** The uses of names, and of attributes by the attribute's name. */
export interface UseIndex {
  /** In source order. */
  of(name: string): readonly Use[];
  /** Uses of every name that is `wanted`: one of a few functions, since what each found is kept. */
  where(wanted: (name: string) => boolean): readonly Use[];
}

const usesWhere = questionOf(({ uses }, wanted: (name: string) => boolean) => {
  const found: Use[] = [];
  uses.forEach((own, name) => {
    if (wanted(name)) for (const use of own) found.push(use);
  });
  return found;
});

/** So many names are looked for by themselves. */
const FEW = 30;

/** `often` are names that many questions may be about: their uses are then gathered all at once. */
export function createUseIndex(stretches: readonly Visited[], often: ReadonlySet<string>, answers: Answers): UseIndex {
  const known = new Map<string, readonly Use[]>();
  const gathered = once(() => {
    const found = new Map<string, Use[]>();
    for (const name of often) found.set(name, []);
    // Taking a map's entries apart would make an array for each.
    for (const { uses } of stretches) {
      uses.forEach((own, name) => {
        const all = found.get(name);
        if (all) for (const use of own) all.push(use);
      });
    }
    return found;
  });
  return {
    of(name) {
      let found = known.get(name);
      if (!found) {
        const uses = known.size > FEW && often.has(name) ? gathered().get(name) : undefined;
        found = (uses ?? stretches.flatMap((stretch) => stretch.uses.get(name) ?? [])).sort(bySourceOrder);
        known.set(name, found);
      }
      return found;
    },
    where: (wanted) => gather(answers, stretches, usesWhere(wanted), undefined),
  };
}
