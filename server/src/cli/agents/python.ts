import { statSync } from 'node:fs';
import { isUnknown, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { factsHere } from '../explainHere.ts';
import type { Context } from './context.ts';
import { outside, Refusal } from './refusal.ts';

/**
 * Returns the requested Python, otherwise the current one. Throws a `Refusal` for a Python outside the folders that may
 * be read.
 */
export function pythonFor(requested: string | undefined, { access, python }: Context): string | undefined {
  if (requested !== undefined && requested !== python && !access.mayLookAtPython(requested))
    throw new Refusal(outside(requested));
  return requested ?? python;
}

/** Returns the facts about this machine with the requested Python. Throws a `Refusal` if that Python does not exist. */
export async function factsWith(requested: string | undefined, context: Context): Promise<StackFacts> {
  const facts = await factsHere(pythonFor(requested, context));
  if (requested === undefined) return facts;
  if (isUnknown(facts.interpreter)) throw new Refusal(`${requested} does not exist.`);
  const path = knownValue(facts.interpreter)?.path;
  if (path !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new Refusal(`${requested} is a folder without a Python.`);
  return facts;
}
