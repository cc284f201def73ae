import {
  type CancellationToken,
  type Connection,
  LSPErrorCodes,
  type PreviousResultId,
  ResponseError,
  type WorkspaceFullDocumentDiagnosticReport,
} from 'vscode-languageserver';
import { hasCells } from './opened.ts';
import type { Publish } from './publisher.ts';
import { type DocumentReport, NOTHING_FOUND } from './reports.ts';
import type { Session } from './session.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

export interface WorkspaceDiagnostics {
  /** Called when findings in closed files have changed, or other documents are open. */
  changed(): void;
}

/** Returns the report of `textDocument/diagnostic` for an open text document. */
export type ReportOn = (uri: string, token: CancellationToken) => Promise<DocumentReport>;

/**
 * Provides the findings of the workspace. A client that pulls them gets an answer when they are complete. A client that
 * accepts partial results waits for each further answer until findings differ from what it has, as the protocol
 * intends; others would wait in vain. To clients that do not pull, the findings of closed files are published.
 * `reportOn` is undefined if the client does not pull them.
 */
export function provideWorkspaceDiagnostics(
  connection: Connection,
  session: Session,
  workspace: WorkspaceFiles,
  publish: Publish,
  reportOn: ReportOn | undefined,
): WorkspaceDiagnostics {
  const waiting = new Set<() => void>();
  const pushed = new Map<string, DocumentReport>();
  let isAskedBy = false;

  const sync = () => {
    const wanted = isAskedBy ? new Map<string, DocumentReport>() : workspace.reports();
    for (const uri of [...pushed.keys()]) {
      if (wanted.has(uri)) continue;
      pushed.delete(uri);
      publish(uri, undefined, []);
    }
    for (const [uri, report] of wanted) {
      if (pushed.get(uri) === report) continue;
      pushed.set(uri, report);
      publish(uri, undefined, report.items);
    }
  };

  const newsFor = async (
    previous: readonly PreviousResultId[],
    token: CancellationToken,
  ): Promise<WorkspaceFullDocumentDiagnosticReport[]> => {
    const held = new Map(previous.map(({ uri, value }) => [uri, value]));
    const current = new Map<string, WorkspaceFullDocumentDiagnosticReport>();
    for (const [uri, report] of workspace.reports()) current.set(uri, { ...report, uri, version: null });
    for (const opened of reportOn ? session.documents.all() : []) {
      const document = session.documents.text(opened.uri);
      if (!document || !reportOn || hasCells(opened)) continue;
      const { uri, version } = document;
      current.set(uri, { ...(await reportOn(uri, token)), uri, version });
    }
    const gone = [...held].flatMap(([uri, id]) =>
      current.has(uri) || id === NOTHING_FOUND.resultId ? [] : [{ ...NOTHING_FOUND, uri, version: null }],
    );
    const isNews = ({ uri, resultId, items }: WorkspaceFullDocumentDiagnosticReport) =>
      held.get(uri) !== resultId && (items.length > 0 || held.has(uri));
    return [...[...current.values()].filter(isNews), ...gone];
  };

  let isFirst = true;
  if (reportOn)
    connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }, token, _, partialResults) => {
      if (!isAskedBy) {
        isAskedBy = true;
        sync();
      }
      const mayBeEmpty = isFirst || partialResults === undefined;
      isFirst = false;
      if (mayBeEmpty) await workspace.settled();
      for (;;) {
        const changed = nextChange(token);
        const items = await newsFor(previousResultIds, token);
        if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.');
        if (items.length > 0 || mayBeEmpty) return { items };
        await changed;
      }
    });

  /** Resolves when something changes, or the request is cancelled. */
  const nextChange = (token: CancellationToken): Promise<void> =>
    new Promise((resolve) => {
      const done = () => {
        waiting.delete(done);
        resolve();
      };
      waiting.add(done);
      token.onCancellationRequested(done);
    });

  return {
    changed() {
      sync();
      for (const done of [...waiting]) done();
    },
  };
}
