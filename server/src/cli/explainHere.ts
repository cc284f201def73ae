/** Explanations with this machine's files and facts. */

import { readCheckpoint } from '../checkpoint/read.ts';
import type { ErrorEvidence } from '../explain/conditions/condition.ts';
import { explainErrors } from '../explain/explain.ts';
import type { Explanation, Unexplained } from '../explain/explanation.ts';
import { gather } from '../explain/gather.ts';
import type { Paste } from '../explain/reading/paste.ts';
import { mayLackPackages } from '../explain/requirements.ts';
import { concernsGpus, unexplained } from '../explain/unknown.ts';
import { freeSpace } from '../files/freeSpace.ts';
import { projectText } from '../projectFile.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import type { Machine } from '../stack/machine/machine.ts';

/**
 * Explains a text with the files that it names, if they exist here and `mayRead` allows it; reports possible causes if
 * the error is unknown. `facts` are only read if the text is about GPUs. `ask` may answer what nothing decides.
 */
export async function explainHere(
  paste: Paste,
  facts: () => Promise<StackFacts | undefined>,
  mayRead: (path: string) => boolean = () => true,
  ask?: (explanation: Explanation) => Promise<ErrorEvidence['answers']>,
): Promise<ExplainedHere> {
  const wantsFacts = paste.messages.length > 0 || concernsGpus(paste) || mayLackPackages(paste);
  const files = {
    readText: async (path: string) => (mayRead(path) ? projectText(path, 'importedProgram') : undefined),
    readCheckpoint: async (path: string) => (mayRead(path) ? readCheckpoint(path).catch(() => undefined) : undefined),
    freeSpace,
  };
  const known = await gather(paste, wantsFacts ? await facts() : undefined, files, process.cwd());
  const undecided = explainErrors(paste, known);
  const [first] = undecided;
  const answers = first && (await ask?.(first));
  const explanations = answers === undefined ? undecided : explainErrors(paste, { ...known, answers });
  return explanations.length > 0 ? { explanations } : { explanations, unknown: unexplained(paste, known) };
}

type ExplainedHere = { readonly explanations: readonly Explanation[]; readonly unknown?: Unexplained };

/** The facts about this machine, without importing any framework. `interpreter` is the Python that matters. */
export async function factsHere(interpreter?: string, variables?: Machine['env']): Promise<StackFacts> {
  const [{ readStack }, { thisMachine }] = await Promise.all([
    import('../stack/readStack.ts'),
    import('../stack/machine/machine.ts'),
  ]);
  return readStack({ machine: thisMachine(variables), folders: [process.cwd()], ...(interpreter && { interpreter }) });
}
