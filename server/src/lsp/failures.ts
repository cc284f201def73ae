import { dirname } from 'node:path';
import {
  type Connection,
  type Diagnostic,
  DiagnosticSeverity,
  Emitter,
  type Event,
  type Range,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Explanation } from '../explain/explanation.ts';
import type { Line } from '../explain/judgedLine.ts';
import { type FailureReport, type KnownFailure, REPORT_FAILURE } from '../protocol.ts';
import { filePath } from './configurationFiles.ts';
import { SOURCE } from './diagnosticSource.ts';
import type { Documents } from './documents.ts';
import type { Explainer, ReadError } from './explainer.ts';
import { onRequest } from './messages.ts';
import type { Opened } from './opened.ts';

/** Known failures of programs that ran in the editor. */
export interface Failures {
  errorOf(id: string): ReadError | undefined;
  /** Returns the failures of a script or notebook, by the address of the document with the failed line. */
  shownIn(opened: Opened): ReadonlyMap<string, readonly ShownFailure[]>;
  /** With the program whose failures changed, or undefined for any program. */
  readonly onDidChange: Event<string | undefined>;
}

interface ShownFailure {
  readonly id: string;
  readonly diagnostic: Diagnostic;
}

interface Failure extends KnownFailure {
  readonly error: ReadError;
  readonly explanation: Explanation;
  /** Returns the current position of the line that failed; undefined if it is gone. */
  lineIn(opened: Opened): Line | undefined;
}

/** Receives the client's reports. */
export function followFailures(connection: Connection, documents: Documents, explainer: Explainer): Failures {
  const changed = new Emitter<string | undefined>();
  const failures = new Map<string, Failure>();
  const latest = new Map<string, FailureReport>();

  const failureOf = async ({ failure }: FailureReport): Promise<Failure | undefined> => {
    const read = failure && ('outputs' in failure ? await readCell(documents, failure) : await readStop(failure));
    if (!read) return undefined;
    const [explanation] = await explainer.explain(read.error);
    return explanation && { ...read, title: explanation.title, explanation };
  };

  onRequest(connection, REPORT_FAILURE, async (report) => {
    const { id } = report;
    latest.set(id, report);
    const before = failures.get(id);
    const failure = await failureOf(report);
    // A newer report has arrived in the meantime.
    if (latest.get(id) !== report) return null;
    latest.delete(id);
    if (failure) failures.set(id, failure);
    else failures.delete(id);
    const cell = (failure ?? before)?.error.cell;
    if (failure || before) changed.fire(cell === undefined ? undefined : documents.containing(cell)?.uri);
    return failure ? { title: failure.title, failed: failure.failed } : null;
  });

  return {
    onDidChange: changed.event,
    errorOf: (id) => failures.get(id)?.error,
    shownIn(opened) {
      const shown = new Map<string, ShownFailure[]>();
      if (opened.json) return shown;
      for (const [id, failure] of failures) {
        const line = failure.lineIn(opened);
        const document = line && opened.documents[line.cell];
        if (!document) continue;
        const diagnostic = diagnosticOf(failure, rangeOf(document, line.line - 1));
        shown.set(document.uri, [...(shown.get(document.uri) ?? []), { id, diagnostic }]);
      }
      return shown;
    },
  };
}

type Read = Pick<Failure, 'error' | 'failed' | 'lineIn'>;

async function readCell(
  documents: Documents,
  { document: cell, outputs }: Extract<FailureReport['failure'], { outputs: unknown }>,
): Promise<Read | undefined> {
  const [{ failureIn }, { failingLine }] = await load();
  const found = failureIn(outputs, documents.text(cell)?.getText() ?? '');
  if (!found) return undefined;
  const { paste, failed } = found;
  const notebook = documents.containing(cell);
  const path = notebook && filePath(notebook.uri);
  return {
    failed,
    error: { paste, cell, folder: path && dirname(path) },
    lineIn(opened) {
      const own = opened.documents.findIndex(({ uri }) => uri === cell);
      return own < 0 ? undefined : failingLine(paste, opened.source, own);
    },
  };
}

async function readStop({
  exception,
  folder,
}: Extract<FailureReport['failure'], { exception: unknown }>): Promise<Read | undefined> {
  const [, , { tracebackOf }, { readPaste, frameOf }] = await load();
  const paste = readPaste(tracebackOf(exception));
  const [message] = paste.messages;
  if (!message || message.message.rank === 'harmless') return undefined;
  const frame = frameOf(paste, message);
  return {
    failed: true,
    error: { paste, folder },
    lineIn({ uri, source }) {
      if (frame?.line === undefined || filePath(uri) !== frame.file) return undefined;
      const text = source.cells[0]?.text.split(/\r\n?|\n/)[frame.line - 1]?.trim();
      // Code that has been edited since then is not the code that failed.
      return frame.code === undefined || frame.code === text ? { cell: 0, line: frame.line } : undefined;
    },
  };
}

/** Returns the range of the text on a line, counted from 0. */
function rangeOf(document: TextDocument, line: number): Range {
  const text = document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
  const written = text.trimEnd();
  return {
    start: { line, character: written.length - written.trimStart().length },
    end: { line, character: written.length },
  };
}

function diagnosticOf({ explanation, failed }: Failure, range: Range): Diagnostic {
  const { id, title, meaning, causes, remedies, url } = explanation;
  const confirmed = causes.filter(({ standing }) => standing === 'confirmed');
  const here = confirmed.map(({ text, evidence }) => [text, ...evidence].join(' '));
  const first = remedies[0] && `What to do: ${remedies[0].title}.`;
  return {
    range,
    severity: failed ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code: id,
    codeDescription: { href: url },
    source: SOURCE,
    message: [`${title}. ${meaning}`, ...here, ...(first ? [first] : [])].join('\n'),
  };
}

/** Loaded on demand: in most sessions nothing fails. */
function load() {
  return Promise.all([
    import('../explain/reading/outputs.ts'),
    import('../explain/reading/cells.ts'),
    import('../explain/reading/debugger.ts'),
    import('../explain/reading/paste.ts'),
  ]);
}
