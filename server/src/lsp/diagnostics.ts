import { type Connection, type Diagnostic, DocumentDiagnosticReportKind } from 'vscode-languageserver';
import { isLinted } from '../files/findFiles.ts';
import type { Analysis } from './analysis.ts';
import { filePath } from './configurationFiles.ts';
import { diagnosticOf } from './diagnosticsIn.ts';
import type { DocumentsChange } from './documents.ts';
import type { Failures } from './failures.ts';
import { clientDocuments, hasCells, type Opened } from './opened.ts';
import type { Publish } from './publisher.ts';
import { areSame, type DocumentReport, NOTHING_FOUND, reportOf } from './reports.ts';
import { locationOf, type Session } from './session.ts';
import { provideWorkspaceDiagnostics, type ReportOn, type WorkspaceDiagnostics } from './workspaceDiagnostics.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

/** Returns the diagnostics of each text document of a program, including documents without any. */
function itemsOf(opened: Opened, analysis: Analysis | undefined, failures: Failures): Map<string, Diagnostic[]> {
  const failed = failures.shownIn(opened);
  const items = new Map<string, Diagnostic[]>(
    clientDocuments(opened).map(({ uri }) => [uri, (failed.get(uri) ?? []).map(({ diagnostic }) => diagnostic)]),
  );
  if (!analysis) return items;
  for (const finding of analysis.findings) {
    const { uri, range } = locationOf(analysis, finding.span);
    items.get(uri)?.push(diagnosticOf(analysis, finding, range));
  }
  return items;
}

interface DiagnosticsFeature {
  documentsChanged(change: DocumentsChange): void;
  /** Called when settings or facts have changed, so that all diagnostics may be outdated. */
  everythingChanged(): void;
}

/**
 * Provides diagnostics by pull, and by push for notebooks and for clients without pull. Clients pull a cell only while
 * it is visible and forget it afterwards, but a notebook is one program: its findings are published as a whole.
 */
export function provideDiagnostics(
  connection: Connection,
  session: Session,
  failures: Failures,
  workspace: WorkspaceFiles,
  publisher: () => Publish,
  offersWorkspace: boolean,
): DiagnosticsFeature & WorkspaceDiagnostics {
  const pulls = session.capabilities.textDocument?.diagnostic !== undefined;
  const pushes = pushDiagnostics(connection, session, failures, publisher(), pulls ? hasCells : () => true);
  const answers = pulls ? answerPulls(connection, session, failures, pushes, workspace) : undefined;
  const reportOn = offersWorkspace ? answers?.reportOn : undefined;
  const ofWorkspace = provideWorkspaceDiagnostics(connection, session, workspace, publisher(), reportOn);
  const features = answers ? [answers, pushes] : [pushes];
  return {
    documentsChanged(change) {
      for (const feature of features) feature.documentsChanged(change);
      if (change.isOpening || change.closed.length > 0) ofWorkspace.changed();
    },
    everythingChanged() {
      for (const feature of features) feature.everythingChanged();
    },
    changed: ofWorkspace.changed,
  };
}

interface Answers extends DiagnosticsFeature {
  readonly reportOn: ReportOn;
}

function answerPulls(
  connection: Connection,
  session: Session,
  failures: Failures,
  pushes: Pushes,
  workspace: WorkspaceFiles,
): Answers {
  const takesRefresh = session.capabilities.workspace?.diagnostics?.refreshSupport === true;
  /** The last report for each document, as the client has it. */
  const held = new Map<string, DocumentReport>();

  const reportOn: ReportOn = async (uri, token) => {
    const opened = session.documents.containing(uri);
    if (!opened) return session.documents.text(uri) ? NOTHING_FOUND : reportOnFile(uri);
    if (hasCells(opened)) {
      // On a repeated request, for example when the window receives the focus, files on disk may have changed.
      await pushes.push(opened.uri);
      return NOTHING_FOUND;
    }
    const before = held.get(uri);
    if (before && session.documents.isUnsaved(uri) && (await session.configurationOf(uri)).run === 'onSave')
      return before;
    const analysis = await session.analysisOf(uri, token);
    const report = reportOf(itemsOf(analysis?.opened ?? opened, analysis, failures).get(uri) ?? [], before);
    if (session.documents.text(uri)) held.set(uri, report);
    return report;
  };
  /** Reports on a path that is not open and may not be a file. */
  const reportOnFile = async (uri: string): Promise<DocumentReport> => {
    const path = filePath(uri);
    if (path === undefined) return NOTHING_FOUND;
    const isChecked = isLinted(path) || (await session.configurationOf(uri)).included;
    return isChecked ? workspace.reportOn(path) : NOTHING_FOUND;
  };
  connection.languages.diagnostics.on(async ({ textDocument: { uri }, previousResultId }, token) => {
    const report = await reportOn(uri, token);
    return report.resultId === previousResultId
      ? { kind: DocumentDiagnosticReportKind.Unchanged, resultId: report.resultId }
      : report;
  });
  const refresh = () => {
    // A client that disconnects in the meantime does not answer, which is not an error.
    if (takesRefresh) connection.languages.diagnostics.refresh().catch(() => {});
  };

  return {
    reportOn,
    documentsChanged({ uri, closed, isSaved }) {
      for (const each of closed) held.delete(each);
      if (!isSaved || !held.has(uri)) return;
      void session.configurationOf(uri).then(({ run }) => run === 'onSave' && refresh());
    },
    everythingChanged: refresh,
  };
}

/** The last publication for a text document. */
interface Publication {
  readonly version: number;
  readonly items: readonly Diagnostic[];
}

interface Pushes extends DiagnosticsFeature {
  /** Checks an open program and publishes its findings if they have changed; resolves when done. */
  push(uri: string): Promise<void>;
}

function pushDiagnostics(
  connection: Connection,
  session: Session,
  failures: Failures,
  send: Publish,
  isWanted: (opened: Opened) => boolean,
): Pushes {
  const pending = new Map<string, Promise<void>>();
  /** Programs that have changed since the check in progress began. */
  const outdated = new Set<string>();
  /** The last publications for each program, by document. */
  const held = new Map<string, ReadonlyMap<string, Publication>>();
  const never = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };

  const publish = async (uri: string): Promise<void> => {
    do {
      outdated.delete(uri);
      const isKept = held.has(uri) && session.documents.isUnsaved(uri);
      if (isKept && (await session.configurationOf(uri)).run === 'onSave') continue;
      const analysis = await session.analysisOf(uri, never);
      const opened = session.documents.at(uri);
      if (!opened || !analysis || analysis.opened === opened) sendChanges(uri, opened, analysis);
    } while (outdated.has(uri));
  };
  /** Publishes what changed in a program's documents, and clears the documents that are gone. */
  const sendChanges = (uri: string, opened?: Opened, analysis?: Analysis): void => {
    const before = held.get(uri);
    const now = new Map<string, Publication>();
    const itemsIn = opened ? itemsOf(opened, analysis, failures) : new Map();
    for (const { uri: document, version } of opened ? clientDocuments(opened) : []) {
      const known = before?.get(document);
      const items = itemsIn.get(document) ?? [];
      now.set(document, { version, items });
      if (known?.version !== version || !areSame(known.items, items)) send(document, version, items);
    }
    for (const document of before?.keys() ?? []) if (!now.has(document)) send(document, undefined, []);
    if (now.size > 0) held.set(uri, now);
    else held.delete(uri);
  };
  const push = (uri: string): Promise<void> => {
    outdated.add(uri);
    const under = pending.get(uri);
    if (under) return under;
    const publication = publish(uri)
      .catch((error) => connection.console.error(`${uri}: ${String(error)}`))
      .finally(() => pending.delete(uri));
    pending.set(uri, publication);
    return publication;
  };

  return {
    push,
    documentsChanged({ uri }) {
      const opened = session.documents.at(uri);
      if (!opened) sendChanges(uri);
      else if (isWanted(opened)) void push(uri);
    },
    everythingChanged() {
      for (const opened of session.documents.all()) if (isWanted(opened)) void push(opened.uri);
    },
  };
}
