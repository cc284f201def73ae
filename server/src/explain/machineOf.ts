import { factsOfText } from '../pasted/factsOfText.ts';
import { isSameMachine } from '../pasted/sameMachine.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import type { Paste } from './reading/paste.ts';

/**
 * The machine that a pasted error is held against: the one that the text tells of in the output of `nvidia-smi`,
 * `collect_env` and the like, and without any such output this one. Of this one more is known than a text tells, so it
 * counts where the text tells of it.
 */
export async function machineOf(
  { lines }: Paste,
  here: () => Promise<StackFacts | undefined>,
): Promise<StackFacts | undefined> {
  const told = factsOfText(lines);
  const own = await here();
  return told === undefined || (own !== undefined && isSameMachine(told, own)) ? own : told;
}
