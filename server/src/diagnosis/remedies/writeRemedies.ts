import type { Action } from '../../commands/action.ts';
import { commandTargetOf } from '../../commands/commandTarget.ts';
import { objectionTo, placeAfterLine } from '../../commands/objections.ts';
import { type WrittenAction, writeAction } from '../../commands/writeAction.ts';
import type { StackFacts } from '../../stack/facts/facts.ts';
import type { Remedy } from '../remedy.ts';
import { type Way, waysOf } from './remedyPlan.ts';

/** Writes actions for the machine. Omits ways with a command that is known not to work there. */
export function writeRemedies(actions: readonly Action[], facts: StackFacts): Remedy[] {
  return waysOf(actions)
    .flatMap((way) => writeWay(way, facts))
    .filter((way) => objectionToWay(facts, way) === undefined)
    .flat();
}

/**
 * Writes a way once for each installer that can do all of its steps, the environment's own first. Empty if no installer
 * here can do a step.
 */
export function writeWay(way: readonly Action[], facts: StackFacts): Way[] {
  const steps = way.map((action) => writeAction(action, facts).map((written) => remedyOf(action, written)));
  const installers = Math.min(...steps.map(({ length }) => length));
  return Array.from({ length: installers }, (_, at) =>
    steps.flatMap((written, step) => {
      const remedy = written[at];
      return remedy === undefined ? [] : [step === 0 ? remedy : { ...remedy, continues: true as const }];
    }),
  );
}

function remedyOf(action: Action, { title, command }: WrittenAction): Remedy {
  return {
    title,
    command,
    ...(action.do === 'updateDriver' && { driver: action.to }),
  };
}

/** Returns the objection to a way, whose steps are run one after the other; undefined if none is known. */
export function objectionToWay(facts: StackFacts, way: Way): string | undefined {
  let place = commandTargetOf(facts);
  for (const { command, driver } of way) {
    if (driver !== undefined) place = { ...place, gpu: { ...place.gpu, driver } };
    const objection = command === undefined ? undefined : objectionTo(command, place);
    if (objection !== undefined) return objection;
    if (command !== undefined) place = placeAfterLine(command, place);
  }
  return undefined;
}
