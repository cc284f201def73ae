/** Keras model loads across files: finds the one that runs first. */
import type { OtherPlace } from '../guards/reason.ts';
import type { CallerQuestions } from './callers.ts';
import type { DefinedName } from './imports.ts';
import type { FileSummary, OutsideUse, PlaceSummary, UseSummary } from './summary.ts';

interface LoadQuestions extends Omit<CallerQuestions, 'summaryOf'> {
  /** Returns the file and the name that define a dotted name. */
  definitionOf(path: string, dotted: string): DefinedName | undefined;
  summaryOf(path: string): Pick<FileSummary, 'uses' | 'outside' | 'kerasLoads'> | undefined;
}

/**
 * A load in another file that always runs before a function of this one: every call of the function in another file is
 * preceded, in the same calling function, by a load or by a call of a function that loads. Undefined if even one is
 * not.
 */
export function loadBefore(path: string, name: string, questions: LoadQuestions): OtherPlace | undefined {
  const { usersOf, summaryOf } = questions;
  // A caller in the function's own file may itself be an entry point.
  if ((summaryOf(path)?.uses[name] ?? []).length > 0) return undefined;
  const users = usersOf(path, name) ?? [];
  const uses = users.flatMap((user) => usesIn(user, path, name, questions).map((use) => ({ user, use })));
  const before = uses.map(({ user, use }) => loadAbove(user, use, path, questions));
  return before.every((load) => load !== undefined) ? before[0] : undefined;
}

const usesIn = (user: string, path: string, name: string, { usesOf }: LoadQuestions): OutsideUse[] =>
  usesOf(path, user).flatMap((defined) => (defined.name === name ? [defined.use] : []));

function loadAbove(
  user: string,
  use: OutsideUse,
  path: string,
  { summaryOf, definitionOf }: LoadQuestions,
): OtherPlace | undefined {
  const summary = summaryOf(user);
  if (use.as !== 'call' || !summary) return undefined;
  const isAbove = (other: Pick<UseSummary, 'inside' | 'place'>) =>
    other.inside.join() === use.inside.join() && isBefore(other.place, use.place);
  const own = summary.kerasLoads.find(isAbove);
  if (own) return { path: user, ...own.place };
  for (const call of summary.outside) {
    const definition = call.isCertain && isAbove(call) ? definitionOf(user, call.target) : undefined;
    if (!definition || definition.path === path) continue;
    const load = summaryOf(definition.path)?.kerasLoads.find(({ inside }) => inside.join() === definition.name);
    if (load) return { path: definition.path, ...load.place };
  }
  return undefined;
}

const isBefore = (a: PlaceSummary, b: PlaceSummary) =>
  ((a.cell ?? 0) - (b.cell ?? 0) || a.line - b.line || a.character - b.character) < 0;
