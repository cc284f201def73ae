/** The calls of a program by what they are written to call, so that a rule looks at those it may be about. */
import { type Answers, gather, madeOf, type Question, questionOf } from './gather.ts';
import type { Call } from './syntax.ts';
import type { Alias, Visited } from './visited.ts';

/** All lists are in source order, where nothing else is said. */
export interface CallIndex {
  /** Calls whose callee's last part is spelled like one of `names`, one of a few sets: `load` of `torch.load(f)`. */
  spelled(names: ReadonlySet<string>): readonly Call[];
  /**
   * Calls of a stretch that may reach what has one of the names, in any order: also under another one, as an alias, an
   * attribute and a partial have.
   */
  reachingIn(stretch: Visited, names: ReadonlySet<string>): readonly Call[];
  /** True for a name that may be another one's. */
  isOtherName(name: string): boolean;
  /** Calls with an argument given by that keyword. */
  withKeyword(keyword: string): readonly Call[];
}

const itself = (call: Call) => call;

const spelledIn = questionOf(
  ({ callsByName }, names: ReadonlySet<string>) => [...names].flatMap((name) => callsByName.get(name) ?? []),
  itself,
);

const withKeyword = questionOf(
  ({ calls }, keyword: string) => calls.filter(({ args }) => args.some(({ name }) => name === keyword)),
  itself,
);

const ALIASES: Question<Alias> = {
  find: ({ aliases }) => aliases,
  isSame: (one, other) => one.name === other.name && one.madeBy === other.madeBy,
};

export function createCallIndex(stretches: readonly Visited[], answers: Answers): CallIndex {
  const gathered = <T>(question: Question<T>) => gather(answers, stretches, question, undefined);
  const otherNames = () => otherNamesIn(gathered(ALIASES));
  return {
    spelled: (names) => gathered(spelledIn(names)),
    isOtherName: (name) => otherNames().has(name),
    reachingIn(stretch, names) {
      const others = otherNames();
      const found: Call[] = [];
      stretch.callsByName.forEach((calls, name) => {
        // What is called without a name, as the result of another call is, may be anything.
        if (names.has(name) || name === '' || others.has(name)) for (const call of calls) found.push(call);
      });
      return found;
    },
    withKeyword: (keyword) => gathered(withKeyword(keyword)),
  };
}

const otherNamesIn = madeOf((aliases: readonly Alias[]): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const { name, madeBy } of aliases) if (madeBy === undefined) found.add(name);
  // `functools.partial` itself may have another name.
  const isPartial = (name: string) => name === 'partial' || name === '' || found.has(name);
  const partials = aliases.filter(({ madeBy }) => madeBy !== undefined && isPartial(madeBy));
  for (const { name } of partials) found.add(name);
  return found;
});
