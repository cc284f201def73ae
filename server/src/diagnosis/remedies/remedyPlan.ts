import { compareVersions } from '../../published/versions.ts';
import type { Verdict } from '../diagnosis.ts';
import type { Remedy } from '../remedy.ts';

/** One way to get rid of what is wrong: what to do, in order. */
export type Way = readonly Remedy[];

/** A part of the plan: the way that is recommended, and others that would do as well. */
export interface PlanStep {
  /** What has to be done, in order. */
  do: Way;
  /** Other ways to the same end. */
  or: readonly Way[];
  /** The verdicts that it removes, by their ids. */
  solves: readonly string[];
}

/**
 * What to do about all that is wrong, once and in order. The verdicts' remedies are worked out from one solution for the
 * whole machine (`torchFamily.ts` and its like), so that they agree; here each is said once, and of several ways that
 * which another verdict needs anyhow is taken.
 */
export function planOf(verdicts: readonly Verdict[]): PlanStep[] {
  const wrong = verdicts
    .filter(({ severity, remedies }) => severity !== 'information' && remedies.length > 0)
    .map(({ id, remedies }) => ({ id, ways: waysOf(remedies) }));
  const needed = new Set(wrong.flatMap(({ ways }) => (ways.length === 1 && ways[0] ? [keyOf(ways[0])] : [])));
  const steps = new Map<string, { do: Way; or: Way[]; solves: string[] }>();
  for (const { id, ways } of wrong) {
    const chosen = ways.find((way) => needed.has(keyOf(way))) ?? ways.find((way) => steps.has(keyOf(way))) ?? ways[0];
    if (chosen === undefined) continue;
    const key = keyOf(chosen);
    const others = ways.filter((way) => way !== chosen);
    const step = steps.get(key);
    if (step === undefined) steps.set(key, { do: chosen, or: others, solves: [id] });
    else {
      step.do = higher(step.do, chosen);
      // What would do for one verdict alone is no way out of all of them.
      step.or = step.or.filter((way) => others.some((other) => keyOf(other) === keyOf(way)));
      if (!step.solves.includes(id)) step.solves.push(id);
    }
  }
  return [...steps.values()];
}

/** Remedies one after the other are ways, but for those that go on with the one before. */
export function waysOf(remedies: readonly Remedy[]): Way[] {
  const ways: Remedy[][] = [];
  for (const remedy of remedies) {
    const last = ways.at(-1);
    if (remedy.continues && last !== undefined) last.push(remedy);
    else ways.push([remedy]);
  }
  return ways;
}

function keyOf(way: Way): string {
  return way.map(({ title, command, driver }) => (driver === undefined ? (command ?? title) : 'driver')).join('\n');
}

/** Of two updates of the driver that which is enough for both. */
function higher(one: Way, other: Way): Way {
  const [mine, its] = [one, other].map((way) => way.find(({ driver }) => driver !== undefined)?.driver);
  return mine !== undefined && its !== undefined && compareVersions(its, mine) > 0 ? other : one;
}
