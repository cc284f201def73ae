/** Entry point of the language server. VS Code starts it over Node's IPC channel, every other editor with `--stdio`. */
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createConnection, ProposedFeatures, TextDocumentSyncKind } from 'vscode-languageserver/node';
import { createCheckpointCache } from './checkpoint/checkpointCache.ts';
import { isBelow } from './files/paths.ts';
import { provideAgentTools } from './lsp/agentTools.ts';
import { createAnalyses } from './lsp/analysis.ts';
import { type CheckpointHints, provideCheckpointHints } from './lsp/checkpointHints.ts';
import { provideCheckpoints } from './lsp/checkpoints.ts';
import { codeActionOptions, provideCodeActions } from './lsp/codeActions.ts';
import { COMMANDS, provideCommands } from './lsp/commands.ts';
import { followConfiguration } from './lsp/configuration.ts';
import { filePath } from './lsp/configurationFiles.ts';
import { SOURCE } from './lsp/diagnosticSource.ts';
import { provideDiagnostics } from './lsp/diagnostics.ts';
import { type DocumentsChange, syncDocuments } from './lsp/documents.ts';
import { provideEnvironmentPlans } from './lsp/environmentPlans.ts';
import { createExplainer, provideExplanations } from './lsp/explain.ts';
import { failureActions } from './lsp/failureActions.ts';
import { followFailures } from './lsp/failures.ts';
import { followFolders } from './lsp/folders.ts';
import { provideHover } from './lsp/hover.ts';
import { provideOverview } from './lsp/overview.ts';
import { ownClient } from './lsp/ownClient.ts';
import { providePages } from './lsp/pages.ts';
import { answerRefused, refuseBadParameters } from './lsp/parameters.ts';
import { followProjects } from './lsp/projects.ts';
import { createPublisher } from './lsp/publisher.ts';
import { createSession } from './lsp/session.ts';
import { provideSettingsCompletion, registersCompletion, TRIGGERS } from './lsp/settingsHelp.ts';
import { provideSmokeTest } from './lsp/smokeTest.ts';
import { followStack } from './lsp/stack.ts';
import { followStackRecords } from './lsp/stackRecords.ts';
import { provideStack } from './lsp/stackRequests.ts';
import { openWorkspaceCache } from './lsp/workspaceCache.ts';
import { followWorkspaceFiles } from './lsp/workspaceFiles.ts';

if (!process.argv.some((argument) => /^--(stdio|node-ipc|pipe|socket)/.test(argument))) {
  process.stderr.write('The GPU Doctor language server is started by an editor, with --stdio.\n');
  process.exit(2);
}
// The library watches standard input and the client's process; the IPC channel is watched here.
process.once('disconnect', () => process.exit(1));

const connection = createConnection(ProposedFeatures.all, { messageStrategy: refuseBadParameters });

connection.onInitialize(async (params) => {
  const { capabilities, initializationOptions } = params;
  let diagnostics: ReturnType<typeof provideDiagnostics> | undefined;
  let checkpointHints: CheckpointHints | undefined;
  const othersChanged = () => {
    diagnostics?.everythingChanged();
    checkpointHints?.refresh();
    workspace.filesChanged();
  };
  const everythingChanged = () => {
    diagnostics?.everythingChanged();
    checkpointHints?.refresh();
    workspace.everythingChanged();
  };
  const publisher = createPublisher(connection);
  const folders = followFolders(connection, params, () => {
    configuration.foldersChanged();
    everythingChanged();
  });
  const projects = followProjects(
    connection,
    capabilities.window?.workDoneProgress === true,
    () => documents,
    folders,
    othersChanged,
  );
  const analyses = createAnalyses((sentence) => connection.console.warn(sentence), projects);
  const records = followStackRecords(connection, publisher(), () => stack.tell());
  const configuration = followConfiguration(connection, capabilities, initializationOptions, folders, publisher(), {
    settingsChanged: everythingChanged,
    othersChanged,
    recordChanged: () => records.changedOnDisk(),
    programsChanged: projects.filesChanged,
    filesChanged: () => workspace.filesChanged(),
  });
  const documents = syncDocuments(connection, (change: DocumentsChange) => {
    if (change.isSaved) configuration.saved();
    else {
      configuration.documentChanged(change.uri, documents.text(change.uri));
      records.documentChanged(change.uri, documents.text(change.uri));
      if (!documents.at(change.uri)) {
        analyses.forget(change.uri);
        configuration.forget(change.uri);
      }
      projects.documentChanged(change.uri);
    }
    diagnostics?.documentsChanged(change);
    // The file on disk applies again, or is another one.
    if (change.isSaved || change.closed.length > 0) workspace.filesChanged();
  });
  const checkpoints = createCheckpointCache();
  const session = createSession(capabilities, documents, configuration, analyses, {
    inSightOf: (uri) => checkpoints.visibleFrom(foldersAround(uri, folders.all())),
    changed: othersChanged,
  });
  const machine = createKnown();
  const stack = followStack(connection, records, (known) => {
    if (session.learn(known)) everythingChanged();
    machine.isKnown();
  });
  const workspace = followWorkspaceFiles({
    session,
    configuration,
    projects,
    folders,
    openCache: () => openWorkspaceCache(folders.all()),
    // Our own client always needs the stack; others may not.
    whenMachineIsKnown: async () => void (ownClient(capabilities) && (await machine.orTooLate)),
    changed: () => diagnostics?.changed(),
    failed: (error) => connection.console.error(`GPU Doctor could not check the workspace: ${String(error)}`),
  });
  const explainer = createExplainer(documents, stack);
  const failures = followFailures(connection, documents, explainer, (uri) => {
    if (uri === undefined) diagnostics?.everythingChanged();
    else diagnostics?.documentsChanged({ uri, closed: [] });
  });
  diagnostics = provideDiagnostics(connection, session, failures, () => workspace, publisher);
  provideCodeActions(connection, session, folders, failureActions(session, explainer, failures));
  provideHover(connection, session, () => stack.latest());
  const settingsCompletion = provideSettingsCompletion(connection, session);
  providePages(connection);
  provideCheckpoints(connection, stack);
  provideOverview(connection, stack, checkpoints);
  checkpointHints = provideCheckpointHints(connection, session);
  provideExplanations(connection, session, explainer, failures);
  provideStack(connection, stack);
  provideSmokeTest(connection, stack);
  provideEnvironmentPlans(connection, stack);
  provideAgentTools(connection, stack);
  provideCommands(connection, session, workspace);
  answerRefused(connection);
  connection.onInitialized(() => {
    configuration.initialized();
    settingsCompletion.initialized();
    workspace.filesChanged();
  });

  const canPull = capabilities.textDocument?.diagnostic !== undefined;
  return {
    serverInfo: { name: SOURCE },
    capabilities: {
      positionEncoding: 'utf-16',
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
      notebookDocumentSync: {
        // All cells, because an editor may ask about any of them and Python cells are numbered among all cells.
        notebookSelector: ['jupyter-notebook', 'interactive'].map((notebook) => ({ notebook })),
        save: true,
      },
      ...(canPull && {
        diagnosticProvider: { identifier: SOURCE, interFileDependencies: true, workspaceDiagnostics: true },
      }),
      codeActionProvider: codeActionOptions,
      hoverProvider: true,
      inlayHintProvider: true,
      ...(!registersCompletion(session) && { completionProvider: { triggerCharacters: TRIGGERS } }),
      executeCommandProvider: { commands: [...COMMANDS] },
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    },
  };
});

connection.listen();

/** Folders from which a program's relative paths may start: its own, and the workspace folders that contain it. */
function foldersAround(uri: string, workspace: readonly string[]): string[] {
  const path = filePath(uri);
  if (path === undefined) return [];
  return [dirname(path), ...workspace.filter((folder) => isBelow(path, folder))];
}

/** Maximum time in milliseconds that findings of files wait for facts about the machine, which may change them. */
const MAX_WAIT_MS = 5000;

/** A promise that resolves once. `orTooLate` also resolves after a timeout that starts with the first caller. */
function createKnown() {
  let isKnown = () => {};
  const known = new Promise<void>((resolve) => {
    isKnown = resolve;
  });
  let late: Promise<void> | undefined;
  return {
    isKnown,
    get orTooLate() {
      late ??= setTimeout(MAX_WAIT_MS, undefined, { ref: false });
      return Promise.race([known, late]);
    },
  };
}
