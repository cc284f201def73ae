import type { Connection } from 'vscode-languageserver';
import { freeSpace } from '../files/freeSpace.ts';
import { APPLY_REMEDY, ERROR_LINE, EXPLAIN, type ExplainRequest, FIND_ERRORS } from '../protocol.ts';
import { knownValue } from '../stack/facts/facts.ts';
import { homeFolder } from '../stack/machine/home.ts';
import type { Documents } from './documents.ts';
import type { Explainer, ReadError } from './explainer.ts';
import type { Failures } from './failures.ts';
import { onRequest } from './messages.ts';
import { programAt } from './programFiles.ts';
import { remedyEditOf } from './remedyEdits.ts';
import type { Session } from './session.ts';
import type { Stack } from './stack.ts';

export function createExplainer(documents: Documents, stack: Stack): Explainer {
  const gathered = async ({ paste, folder = homeFolder(), cell }: ReadError, wantsFacts: boolean) => {
    const { gather, readCheckpoint, lineInCells, machineOf } = await load();
    const files = {
      // For open documents, the current text counts, whether saved or not.
      readText: async (path: string) => (await programAt(documents, path))?.document.getText(),
      readCheckpoint: (path: string) => readCheckpoint(path).catch(() => undefined),
      freeSpace,
      findInCells(frame: Parameters<typeof lineInCells>[0]) {
        const notebook = cell === undefined ? undefined : documents.containing(cell);
        if (!notebook) return undefined;
        const own = notebook.documents.findIndex(({ uri }) => uri === cell);
        const line = lineInCells(frame, notebook.source, own);
        return line && { source: notebook.source, line };
      },
    };
    // The output of a cell is about this machine, whatever it prints.
    const facts = () => (cell === undefined ? machineOf(paste, () => stack.whole()) : stack.whole());
    return gather(paste, wantsFacts ? await facts() : undefined, files, folder);
  };
  return {
    async explain(error) {
      const { explainErrors, mayLackPackages } = await load();
      if (error.paste.messages.length === 0 && !mayLackPackages(error.paste)) return [];
      return explainErrors(error.paste, { ...(await gathered(error, true)), answers: error.answers });
    },
    async suspect(error) {
      const { concernsGpus, unexplained } = await import('../explain/unknown.ts');
      return unexplained(error.paste, await gathered(error, concernsGpus(error.paste)));
    },
  };
}

/** Answers an editor's requests about errors that it sends as text or has reported. */
export function provideExplanations(
  connection: Connection,
  session: Session,
  explainer: Explainer,
  failures: Failures,
  stack: Stack,
): void {
  const read = async (request: ExplainRequest): Promise<ReadError | undefined> => {
    const { answers } = request;
    if ('failure' in request) {
      const error = failures.errorOf(request.failure);
      return error && { ...error, answers };
    }
    const { readPaste } = await load();
    return { paste: readPaste(request.text), folder: request.folder, answers };
  };

  onRequest(connection, EXPLAIN, async (request) => {
    const { explanationMarkdown, unexplainedText } = await load();
    const error = await read(request);
    // A reported failure may no longer be current.
    if (!error) return { unknown: { message: null, location: null, suspicions: [] } };
    const facts = error.cell === undefined ? undefined : await stack.whole();
    const python = facts && knownValue(facts.interpreter)?.path;
    const [explanation, ...rest] = await explainer.explain(error);
    if (!explanation) {
      const unknown = await explainer.suspect(error);
      return { unknown, document: unexplainedText(unknown), python };
    }
    const others = rest.map(({ title, url }) => ({ title, url }));
    const also = others.map(({ title, url }) => `- [${title}](${url})`);
    const more = also.length > 0 ? `\n### Also in the text\n\n${also.join('\n')}\n` : '';
    return { explanation, others, python, document: `${explanationMarkdown([explanation])}${more}` };
  });

  onRequest(connection, APPLY_REMEDY, async ({ error: request, remedy }) => {
    const error = await read(request);
    const [explanation] = error ? await explainer.explain(error) : [];
    const { edit } = explanation?.remedies.find(({ title }) => title === remedy) ?? {};
    const wanted = edit && (await remedyEditOf(session, edit, error?.cell));
    if (!wanted) return false;
    return (await connection.workspace.applyEdit({ label: remedy, edit: wanted })).applied;
  });

  onRequest(connection, ERROR_LINE, async (text) => {
    const { lineOf, readPaste, unknownError } = await import('../explain/reading/paste.ts');
    const paste = readPaste(text);
    const [first] = paste.messages;
    return (first ? lineOf(paste, first) : unknownError(paste)) ?? null;
  });

  onRequest(connection, FIND_ERRORS, async (line) => {
    const { readPaste } = await import('../explain/reading/paste.ts');
    const { text, messages } = readPaste(line);
    return messages
      .filter(({ message }) => message.rank !== 'harmless')
      .map(({ start, message: { title } }) => ({
        // From the program's words on, behind a file and the error's class. If the line was cleaned, all of it.
        start: text === line ? (/^.*: /.exec(line.slice(0, start))?.[0].length ?? 0) : 0,
        end: line.trimEnd().length,
        title,
      }));
  });
}

/** Loaded on demand: most sessions explain nothing. */
async function load() {
  const [paste, machine, cells, gather, explain, requirements, report, checkpoint] = await Promise.all([
    import('../explain/reading/paste.ts'),
    import('../explain/machineOf.ts'),
    import('../explain/reading/cells.ts'),
    import('../explain/gather.ts'),
    import('../explain/explain.ts'),
    import('../explain/requirements.ts'),
    import('../report/explanation.ts'),
    import('../checkpoint/read.ts'),
  ]);
  return { ...paste, ...machine, ...cells, ...gather, ...explain, ...requirements, ...report, ...checkpoint };
}
