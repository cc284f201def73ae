import type { Explanation, Explanations, Unexplained } from '../../explain/explanation.ts';
import { machineOf } from '../../explain/machineOf.ts';
import { asUtf8, decodeText } from '../../explain/reading/decode.ts';
import { readPaste } from '../../explain/reading/paste.ts';
import { explanationMarkdown, suspicionsText } from '../../report/explanation.ts';
import { condensed } from '../explain.ts';
import { explainHere } from '../explainHere.ts';
import type { Answered, Context } from './context.ts';
import { factsWith } from './python.ts';
import type { InputOf } from './tools.ts';

/** Explains an error with the facts of this machine, or of the machine that the text describes. */
export async function explainError(
  { text, otherMachine = false, answers, python }: InputOf<'explain_error'>,
  context: Context,
): Promise<Answered<'explain_error'>> {
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  const paste = readPaste(decodeText(await condensed(asUtf8(bytes))));
  const here = async () => (otherMachine ? undefined : factsWith(python, context));
  const mayRead = otherMachine ? () => false : context.access.mayRead;
  const { explanations, unknown } = await explainHere(
    paste,
    () => machineOf(paste, here),
    mayRead,
    async () => answers,
  );
  const structured: Explanations = { version: 1, explanations: [...explanations], unknown };
  const explained = `${explanationMarkdown(explanations)}${questionText(explanations[0])}`;
  return { text: unknown ? unknownText(unknown) : explained, structured };
}

/** The ids with which the agent answers; empty if a cause is confirmed. */
function questionText(explanation: Explanation | undefined): string {
  const open = explanation?.causes.filter(({ standing }) => standing === 'possible') ?? [];
  if (open.length === 0) return '';
  const ids = open.map(({ id, text }) => `- \`${id}\`: ${text}`);
  return `\nNothing decides between these causes yet. Make one of the checks, then call explain_error again with \`answers\`:\n\n${ids.join('\n')}\n`;
}

function unknownText({ message, suspicions }: Unexplained): string {
  if (message === null) return 'The text is empty: pass the traceback or log as it was printed.';
  const first = `No explanation is known for this error:\n\n    ${message}`;
  return suspicions.length > 0 ? `${first}\n\n${suspicionsText(suspicions)}` : first;
}
