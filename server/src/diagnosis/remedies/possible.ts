import { objectionTo, placeAfterLine } from '../../commands/objections.ts';
import { placeOf } from '../../commands/place.ts';
import type { StackFacts } from '../../stack/facts/facts.ts';
import type { Remedy } from '../remedy.ts';
import { type Way, waysOf } from './remedyPlan.ts';

/** The remedies without the ways of which one command is known not to work on that machine. */
export function possible(facts: StackFacts, remedies: readonly Remedy[]): Remedy[] {
  if (!remedies.some(({ command }) => command !== undefined)) return [...remedies];
  return waysOf(remedies)
    .filter((way) => objectionToWay(facts, way) === undefined)
    .flat();
}

/** What is known against a way, whose steps are done one after the other; undefined where nothing is. */
export function objectionToWay(facts: StackFacts, way: Way): string | undefined {
  let place = placeOf(facts);
  for (const { command, driver } of way) {
    if (driver !== undefined) place = { ...place, driver };
    const objection = command === undefined ? undefined : objectionTo(command, place);
    if (objection !== undefined) return objection;
    if (command !== undefined) place = placeAfterLine(command, place);
  }
  return undefined;
}
