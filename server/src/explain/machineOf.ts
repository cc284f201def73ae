import { factsOfText } from '../pasted/factsOfText.ts';
import { systemPrinted } from '../pasted/printedSigns.ts';
import { isSameMachine } from '../pasted/sameMachine.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import type { Paste } from './reading/paste.ts';

/**
 * The machine of a pasted error: the one described by output of `nvidia-smi`, `collect_env` and so on in the text, or
 * this machine if there is no such output. More is known about this machine than a text contains, so this machine is
 * used if the text describes it. Undefined if the folders in the text belong to another system.
 */
export async function machineOf(
  { lines }: Paste,
  here: () => Promise<StackFacts | undefined>,
): Promise<StackFacts | undefined> {
  const reported = factsOfText(lines);
  const own = await here();
  if (reported !== undefined) return own !== undefined && isSameMachine(reported, own) ? own : reported;
  const printed = systemPrinted(lines);
  const family = own && knownValue(own.os)?.family;
  return printed === undefined || family === undefined || printed === family ? own : undefined;
}
