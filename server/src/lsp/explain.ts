import { readFile, stat } from 'node:fs/promises';
import type { Connection } from 'vscode-languageserver/node';
import { EXPLAIN, type ExplainAnswer, type ExplainRequest, FIND_ERRORS, type FoundError } from '../protocol.ts';
import { homeFolder } from '../stack/machine/home.ts';
import type { Documents } from './documents.ts';
import type { Stack } from './stack.ts';

/** Larger files are no programs that somebody has written. In bytes. */
const LARGEST_SOURCE = 4 * 2 ** 20;

/** Explains errors that an editor has the text of, with what is known of this machine, the code and the files. */
export function provideExplanations(connection: Connection, documents: Documents, stack: Stack): void {
  connection.onRequest(EXPLAIN, async ({ text, folder }: ExplainRequest): Promise<ExplainAnswer> => {
    const { readPaste, unknownError, gather, explain, explanationMarkdown, readCheckpoint } = await load();
    const paste = readPaste(text);
    if (paste.messages.length === 0) return { line: unknownError(paste) ?? null };
    const files = {
      // What is open counts as it is there, saved or not.
      readText: async (path: string) => documents.ofFile(path)?.getText() ?? (await sourceAt(path)),
      readCheckpoint: (path: string) => readCheckpoint(path).catch(() => undefined),
    };
    const known = await gather(paste, await stack.whole(), files, folder ?? homeFolder());
    const [first, ...others] = explain(paste, known);
    const also = others.map(({ title, url }) => `- [${title}](${url})`);
    const rest = also.length > 0 ? `\n### Also in the text\n\n${also.join('\n')}\n` : '';
    return { document: `${explanationMarkdown(first ? [first] : [])}${rest}` };
  });

  connection.onRequest(FIND_ERRORS, async (line: string): Promise<FoundError[]> => {
    const { readPaste } = await import('../explain/reading/paste.ts');
    const { text, messages } = readPaste(line);
    return messages
      .filter(({ message }) => message.rank !== 'harmless')
      .map(({ start, end, message: { title } }) =>
        // Where the line had to be cleaned, all of it stands for what is in it.
        text === line ? { start, end, title } : { start: 0, end: line.length, title },
      );
  });
}

async function sourceAt(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).size > LARGEST_SOURCE ? undefined : await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Loaded when first wanted: most sessions explain nothing. */
async function load() {
  const [paste, gather, explain, report, checkpoint] = await Promise.all([
    import('../explain/reading/paste.ts'),
    import('../explain/gather.ts'),
    import('../explain/explain.ts'),
    import('../report/explanation.ts'),
    import('../checkpoint/read.ts'),
  ]);
  return { ...paste, ...gather, ...explain, ...report, ...checkpoint };
}
