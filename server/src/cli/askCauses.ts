import { createInterface } from 'node:readline/promises';
import type { Explanation } from '../explain/explanation.ts';
import { printable } from '../printable.ts';

/**
 * Asks in the terminal which of the possible causes applies, until one does. Nothing is run: the command that would
 * decide is shown beside its cause.
 */
export async function askCauses({ causes, questions }: Explanation): Promise<Record<string, boolean> | undefined> {
  if (causes[0]?.standing !== 'possible') return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answers: Record<string, boolean> = {};
  for (const { id, text } of causes) {
    const question = questions.find(({ cause }) => cause === id);
    const way = question?.command ?? question?.code;
    if (question) process.stderr.write(`${printable(question.title)}\n${way ? `    ${printable(way)}\n` : ''}`);
    const answer = await terminal.question(`${text} Is that so? [y/n, Enter if unknown] `);
    if (/^y/i.test(answer)) answers[id] = true;
    if (/^n/i.test(answer)) answers[id] = false;
    if (answers[id]) break;
  }
  terminal.close();
  return answers;
}
