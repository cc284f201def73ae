import { factsOfText } from '../pasted/factsOfText.ts';
import { isSameMachine } from '../pasted/sameMachine.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import type { Paste } from './reading/paste.ts';

/**
 * The machine of a pasted error: the one described by output of `nvidia-smi`, `collect_env` and so on in the text, or
 * this machine if there is no such output. More is known about this machine than a text contains, so this machine is
 * used if the text describes it.
 */
export async function machineOf(
  { lines }: Paste,
  here: () => Promise<StackFacts | undefined>,
): Promise<StackFacts | undefined> {
  const reported = factsOfText(lines);
  const own = await here();
  return reported === undefined || (own !== undefined && isSameMachine(reported, own)) ? own : reported;
}
