/** What a program means, and what of it still holds after an edit within a function. */

import { type Conclusions, forget, nothingConcluded } from './conclusions.ts';
import type { GuardNames } from './conditions.ts';
import { type Flow, flowAfter, flowOf } from './flow.ts';
import { createGuards, type Guards, SET_UP } from './guards.ts';
import { createNames, type Names } from './names.ts';
import { declaresOptions, optionsOf } from './options.ts';
import type { EditedFunction } from './reparse.ts';
import type { Statement } from './syntax.ts';
import { createValues, type Values } from './values.ts';
import type { Visited } from './visited.ts';

export interface Meaning {
  /** What happens in the program: its calls, strings, attributes and functions. */
  readonly flow: Flow;
  readonly names: Names;
  readonly values: Values;
  readonly guards: Guards;
  readonly conclusions: Conclusions;
}

export function meaningOf(cells: readonly (readonly Statement[])[], guardNames: GuardNames): Meaning {
  return drawn(flowOf(cells), guardNames, nothingConcluded());
}

/** The meaning of a program after an edit of one function; undefined where it has to be worked out anew. */
export function meaningAfter(
  { flow, conclusions }: Meaning,
  { declaration, before }: EditedFunction,
  guardNames: GuardNames,
): Meaning | undefined {
  if (!before.walked) return undefined;
  forget(conclusions, declaration, before);
  const after = flowAfter(flow, declaration, before.walked);
  const now = declaration.walked?.visited;
  if (!after || !now) return undefined;
  const isClosed =
    !SET_UP.has(declaration.name) &&
    !conclusions.asked.has(declaration) &&
    [before.walked.visited, now].every((visited) => keepsToItself(visited, flow));
  return drawn(after, guardNames, isClosed ? conclusions : nothingConcluded());
}

function drawn(flow: Flow, guardNames: GuardNames, conclusions: Conclusions): Meaning {
  const names = createNames(flow, conclusions);
  const values = createValues(names, optionsOf(flow));
  return { flow, names, values, guards: createGuards(flow, names, values, guardNames, conclusions), conclusions };
}

/** True for a body that makes no difference to what is found out about anything outside. */
function keepsToItself(visited: Visited, { declared }: Flow): boolean {
  if (visited.paths.length > 0 || visited.functions.length > 0 || declaresOptions(visited)) return false;
  for (const name of visited.uses.keys()) if (declared.has(name)) return false;
  return true;
}
