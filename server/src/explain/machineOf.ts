import { factsOfText } from '../pasted/factsOfText.ts';
import { isSameMachine } from '../pasted/sameMachine.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import type { Paste } from './reading/paste.ts';

/**
 * The machine of a pasted error: the one in the text's output of `nvidia-smi`, `collect_env` and so on, and this one
 * without any such output. More is known about this machine than a text contains, so it is used if the text describes
 * it.
 */
export async function machineOf(
  { lines }: Paste,
  here: () => Promise<StackFacts | undefined>,
): Promise<StackFacts | undefined> {
  const reported = factsOfText(lines);
  const own = await here();
  return reported === undefined || (own !== undefined && isSameMachine(reported, own)) ? own : reported;
}
