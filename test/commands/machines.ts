import path from 'node:path';
import { root } from '../../scripts/root.ts';
import type { StackFacts } from '../../server/src/stack/facts/facts.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { hasAnswers, loadRecording, recordedMachine } from '../stack/recordedMachine.ts';

/** The facts of a recorded machine, including its frameworks' answers. */
export async function factsOfMachine(name: string): Promise<StackFacts> {
  const folder = path.join(root, 'test', 'stack', 'machines', name);
  const recording = await loadRecording(folder);
  const { interpreter, folders = [] } = recording;
  const runtime = hasAnswers(recording) ? { refusal: () => undefined } : undefined;
  return readStack({ machine: recordedMachine(folder, recording), interpreter, folders, runtime });
}
