import { compareVersions } from '../../published/versions.ts';
import type { Verdict } from '../diagnosis.ts';
import type { Remedy } from '../remedy.ts';

/** One way to remove a diagnosis: its steps, in order. */
export type Way = readonly Remedy[];

/** A part of the remedy plan: the recommended way, and others that are equally good. */
export interface PlanStep {
  /** The steps, in order. */
  do: Way;
  /** Other ways to the same result. */
  or: readonly Way[];
  /** The ids of the diagnoses that it removes. */
  solves: readonly string[];
}

/**
 * The remedy plan: the remedies of all diagnoses, each once and in order. They come from one solution for the whole
 * machine (`torchFamily.ts` and similar files), so they agree. Of several ways, the plan selects the one that another
 * diagnosis needs anyway.
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
      // A way that removes only one diagnosis is no alternative for all of them.
      step.or = step.or.filter((way) => others.some((other) => keyOf(other) === keyOf(way)));
      if (!step.solves.includes(id)) step.solves.push(id);
    }
  }
  return [...steps.values()];
}

/** Groups steps into ways: each step starts another way unless it continues the one before. */
export function waysOf<Step extends { readonly continues?: true }>(steps: readonly Step[]): Step[][] {
  const ways: Step[][] = [];
  for (const step of steps) {
    const last = ways.at(-1);
    if (step.continues && last !== undefined) last.push(step);
    else ways.push([step]);
  }
  return ways;
}

function keyOf(way: Way): string {
  return way.map(({ title, command, driver }) => (driver === undefined ? (command ?? title) : 'driver')).join('\n');
}

/** Returns the driver update that is sufficient for both. */
function higher(one: Way, other: Way): Way {
  const [mine, its] = [one, other].map((way) => way.find(({ driver }) => driver !== undefined)?.driver);
  return mine !== undefined && its !== undefined && compareVersions(its, mine) > 0 ? other : one;
}
