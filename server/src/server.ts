/** Entry: the language server, started by VS Code over Node's own channel and by every other editor with `--stdio`. */
import { dirname } from 'node:path';
import { createConnection, ProposedFeatures, TextDocumentSyncKind } from 'vscode-languageserver/node';
import { createKnownCheckpoints } from './checkpoint/knownCheckpoints.ts';
import { isBelow } from './files/paths.ts';
import { createAnalyses } from './lsp/analysis.ts';
import { provideCheckpoints } from './lsp/checkpoints.ts';
import { codeActionOptions, provideCodeActions } from './lsp/codeActions.ts';
import { followConfiguration } from './lsp/configuration.ts';
import { filePath } from './lsp/configurationFiles.ts';
import { SOURCE } from './lsp/diagnosticSource.ts';
import { type DiagnosticsFeature, provideDiagnostics } from './lsp/diagnostics.ts';
import { type DocumentsChange, syncDocuments } from './lsp/documents.ts';
import { provideEnvironmentPlans } from './lsp/environmentPlans.ts';
import { createExplainer, provideExplanations } from './lsp/explain.ts';
import { failureActions } from './lsp/failureActions.ts';
import { followFailures } from './lsp/failures.ts';
import { provideHover } from './lsp/hover.ts';
import { providePages } from './lsp/pages.ts';
import { followProjects } from './lsp/projects.ts';
import { createSession } from './lsp/session.ts';
import { provideSettingsCompletion, registersCompletion, TRIGGERS } from './lsp/settingsHelp.ts';
import { provideSmokeTest } from './lsp/smokeTest.ts';
import { followStack } from './lsp/stack.ts';
import { followStackRecords } from './lsp/stackRecords.ts';
import { provideStack } from './lsp/stackRequests.ts';

if (!process.argv.some((argument) => /^--(stdio|node-ipc|pipe|socket)/.test(argument))) {
  process.stderr.write('The GPU Doctor language server speaks to an editor: start it with --stdio.\n');
  process.exit(2);
}
// The library watches standard input and the client's process; the channel of a client that forked us is ours to watch.
process.once('disconnect', () => process.exit(1));

const connection = createConnection(ProposedFeatures.all);
let diagnostics: DiagnosticsFeature | undefined;

connection.onInitialize(async ({ capabilities, initializationOptions, workspaceFolders }) => {
  const folders = (workspaceFolders ?? []).flatMap(({ uri }) => filePath(uri) ?? []);
  const projects = followProjects(
    connection,
    capabilities.window?.workDoneProgress === true,
    () => documents,
    folders,
    () => diagnostics?.everythingChanged(),
  );
  const analyses = createAnalyses((sentence) => connection.console.warn(sentence), projects);
  const records = followStackRecords(connection, () => stack.tell());
  const configuration = followConfiguration(
    connection,
    capabilities,
    initializationOptions,
    () => diagnostics?.everythingChanged(),
    () => records.changedOnDisk(),
    projects.filesChanged,
  );
  const documents = syncDocuments(connection, (change: DocumentsChange) => {
    configuration.documentChanged(change.uri, documents.text(change.uri));
    records.documentChanged(change.uri, documents.text(change.uri));
    if (!documents.at(change.uri)) {
      analyses.forget(change.uri);
      configuration.forget(change.uri);
    }
    projects.documentChanged(change.uri);
    diagnostics?.documentsChanged(change);
  });
  const checkpoints = createKnownCheckpoints();
  const session = createSession(capabilities, documents, configuration, analyses, {
    inSightOf: (uri) => checkpoints.seenFrom(foldersAround(uri, folders)),
    changed: () => diagnostics?.everythingChanged(),
  });
  const stack = followStack(connection, records, (known) => {
    if (session.learn(known)) diagnostics?.everythingChanged();
  });
  const explainer = createExplainer(documents, stack);
  const failures = followFailures(connection, documents, explainer, (uri) => {
    if (uri === undefined) diagnostics?.everythingChanged();
    else diagnostics?.documentsChanged({ uri, closed: [] });
  });
  diagnostics = provideDiagnostics(connection, session, failures);
  provideCodeActions(connection, session, failureActions(session, explainer, failures));
  provideHover(connection, session, () => stack.latest());
  const settingsCompletion = provideSettingsCompletion(connection, session);
  providePages(connection);
  provideCheckpoints(connection, stack);
  provideExplanations(connection, session, explainer, failures);
  provideStack(connection, stack);
  provideSmokeTest(connection, stack);
  provideEnvironmentPlans(connection, stack);
  connection.onInitialized(() => {
    configuration.initialized();
    settingsCompletion.initialized();
  });

  return {
    serverInfo: { name: SOURCE },
    capabilities: {
      positionEncoding: 'utf-16',
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
      notebookDocumentSync: {
        // All cells: where there are others, an editor may ask by one of them, and Python's are numbered among them.
        notebookSelector: ['jupyter-notebook', 'interactive'].map((notebook) => ({ notebook })),
      },
      diagnosticProvider: { identifier: SOURCE, interFileDependencies: true, workspaceDiagnostics: false },
      codeActionProvider: codeActionOptions,
      hoverProvider: true,
      ...(!registersCompletion(session) && { completionProvider: { triggerCharacters: TRIGGERS } }),
    },
  };
});

connection.listen();

/** Where a program's relative paths may start: its own folder, and those of the workspace that it lies in. */
function foldersAround(uri: string, workspace: readonly string[]): string[] {
  const path = filePath(uri);
  if (path === undefined) return [];
  return [dirname(path), ...workspace.filter((folder) => isBelow(path, folder))];
}
