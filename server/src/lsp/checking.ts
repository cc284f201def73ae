/** Everything that checks code without information about a machine: it runs on Node and in a browser. */
import { dirname } from 'node:path';
import {
  type CodeAction,
  type Connection,
  Emitter,
  type Event,
  type InitializeParams,
  type InitializeResult,
  type Range,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import type { CheckpointCache } from '../checkpoint/checkpointCache.ts';
import type { Cache } from '../files/cache.ts';
import { isBelow } from '../files/paths.ts';
import type { Knowledge } from '../rules/engine/contract.ts';
import type { StackFacts } from '../stack/facts/facts.ts';
import { createAnalyses } from './analysis.ts';
import { provideCheckpointHints } from './checkpointHints.ts';
import { checksWorkspace } from './clientSettings.ts';
import { codeActionOptions, provideCodeActions } from './codeActions.ts';
import { provideCommands, SERVER_COMMANDS } from './commands.ts';
import { type Configuration, followConfiguration } from './configuration.ts';
import { filePath } from './configurationFiles.ts';
import { SOURCE } from './diagnosticSource.ts';
import { provideDiagnostics } from './diagnostics.ts';
import { type Documents, syncDocuments } from './documents.ts';
import type { Failures } from './failures.ts';
import { followFolders } from './folders.ts';
import { provideHover } from './hover.ts';
import { providePages } from './pages.ts';
import { followProjects } from './projects.ts';
import { createPublisher, type Publish } from './publisher.ts';
import { createSession, type Session } from './session.ts';
import { provideSettingsCompletion, registersCompletion, TRIGGERS } from './settingsHelp.ts';
import { followWorkspaceFiles, type StoredFindings } from './workspaceFiles.ts';

/** Services that differ between a server on a machine and one in a browser. */
export interface ServerServices {
  readonly checkpoints: CheckpointCache;
  /** Resolves when files beside the documents can be read. */
  whenFilesAreKnown(): Promise<unknown>;
  /** Opens the cache of findings for the folders of the workspace. */
  openCache(folders: readonly string[]): Promise<Cache<StoredFindings>>;
  /** Resolves when facts about the machine are known, or are not requested. */
  whenMachineIsKnown(): Promise<unknown>;
}

/** Information from programs that were run, on a machine that can run them. */
export interface Runs {
  readonly failures: Failures;
  readonly failureActions: (document: string, range: Range) => Promise<readonly CodeAction[]>;
  /** Returns the facts about the machine that are currently known. */
  readonly facts: () => StackFacts | undefined;
  /** Called when the client is ready for requests. */
  readonly initialized?: () => void;
}

/** The kind of a change: everything that files are checked with; files other than programs; any files; or reports on closed files. */
type Change = 'everything' | 'others' | 'files' | 'reports';

interface Checking {
  readonly session: Session;
  readonly documents: Documents;
  /** Returns a function that publishes diagnostics in addition to those for the code. */
  readonly publisher: () => Publish;
  /** When the recorded stack has changed on disk. */
  readonly onDidChangeRecord: Event<void>;
  /** Uses these facts about the machine for all further findings. */
  learn(known: Knowledge): void;
  /** Called when programs were changed, created or deleted outside the editor. */
  programsChanged(paths: readonly string[]): void;
  /** Starts answering the client's requests. */
  provide(runs: Runs): InitializeResult;
}

/** Follows documents, settings and projects; `provide` then answers with findings, fixes and hovers. */
export function createChecking(
  connection: Connection,
  params: InitializeParams,
  surroundings: ServerServices,
): Checking {
  const { capabilities, initializationOptions } = params;
  const changed = new Emitter<Change>();
  const recordChanged = new Emitter<void>();
  const documents = syncDocuments(connection);
  const publisher = createPublisher(connection);
  const folders = followFolders(connection, params);
  const othersChanged = () => changed.fire('others');
  const projects = followProjects(
    connection,
    capabilities.window?.workDoneProgress === true,
    documents,
    folders,
    othersChanged,
  );
  const analyses = createAnalyses((sentence) => connection.console.warn(sentence), projects);
  const configuration = followConfiguration(connection, capabilities, initializationOptions, folders, publisher(), {
    settingsChanged: () => changed.fire('everything'),
    othersChanged,
    recordChanged: () => recordChanged.fire(),
    programsChanged: projects.filesChanged,
    filesChanged: () => changed.fire('files'),
  });
  const whenKnown: Configuration = {
    ...configuration,
    of: async (uri) => {
      await surroundings.whenFilesAreKnown();
      return configuration.of(uri);
    },
  };
  const session = createSession(capabilities, documents, whenKnown, analyses, projects, {
    inSightOf: (uri) => surroundings.checkpoints.visibleFrom(foldersAround(uri, folders.all())),
    changed: othersChanged,
  });
  const workspace = followWorkspaceFiles({
    session,
    configuration,
    projects,
    folders,
    openCache: () => surroundings.openCache(folders.all()),
    whenMachineIsKnown: surroundings.whenMachineIsKnown,
    changed: () => changed.fire('reports'),
    failed: (error) => connection.console.error(`GPU Doctor could not check the workspace: ${String(error)}`),
  });

  folders.onDidChange(() => {
    configuration.foldersChanged();
    changed.fire('everything');
  });
  documents.onDidChange(({ uri, closed, isSaved }) => {
    if (isSaved) configuration.saved();
    else {
      configuration.documentChanged(uri, documents.text(uri));
      if (!documents.at(uri)) {
        analyses.forget(uri);
        configuration.forget(uri);
      }
      projects.documentChanged(uri);
    }
    // The file on disk applies again, or it has changed.
    if (isSaved || closed.length > 0) workspace.filesChanged();
  });
  changed.event((what) => {
    if (what === 'everything') workspace.everythingChanged();
    else if (what !== 'reports') workspace.filesChanged();
  });

  return {
    session,
    documents,
    publisher,
    onDidChangeRecord: recordChanged.event,
    learn(known) {
      if (session.learn(known)) changed.fire('everything');
    },
    programsChanged: projects.filesChanged,
    provide({ failures, failureActions, facts, initialized }) {
      // Other clients receive the findings of closed files, and so does ours, whose settings may change at any time.
      const offersWorkspace = checksWorkspace(initializationOptions);
      const diagnostics = provideDiagnostics(connection, session, failures, workspace, publisher, offersWorkspace);
      provideCodeActions(connection, session, folders, failureActions);
      provideHover(connection, session, facts);
      const settingsCompletion = provideSettingsCompletion(connection, session);
      providePages(connection);
      const checkpointHints = provideCheckpointHints(connection, session);
      provideCommands(connection, session, workspace);
      documents.onDidChange(diagnostics.documentsChanged);
      failures.onDidChange((uri) => {
        if (uri === undefined) diagnostics.everythingChanged();
        else diagnostics.documentsChanged({ uri, closed: [] });
      });
      changed.event((what) => {
        if (what === 'reports') diagnostics.changed();
        else if (what !== 'files') {
          diagnostics.everythingChanged();
          checkpointHints.refresh();
        }
      });
      connection.onInitialized(() => {
        configuration.initialized();
        settingsCompletion.initialized();
        workspace.filesChanged();
        initialized?.();
      });
      return { serverInfo: { name: SOURCE }, capabilities: serverCapabilities(session, offersWorkspace) };
    },
  };
}

function serverCapabilities(session: Session, offersWorkspace: boolean): InitializeResult['capabilities'] {
  const canPull = session.capabilities.textDocument?.diagnostic !== undefined;
  return {
    positionEncoding: 'utf-16',
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    notebookDocumentSync: {
      // All cells, because an editor may ask about any of them and Python cells are numbered among all cells.
      notebookSelector: ['jupyter-notebook', 'interactive'].map((notebook) => ({ notebook })),
      save: true,
    },
    diagnosticProvider: canPull
      ? {
          identifier: SOURCE,
          interFileDependencies: true,
          workspaceDiagnostics: offersWorkspace,
        }
      : undefined,
    codeActionProvider: codeActionOptions,
    hoverProvider: true,
    inlayHintProvider: true,
    completionProvider: registersCompletion(session) ? undefined : { triggerCharacters: TRIGGERS },
    executeCommandProvider: { commands: [...SERVER_COMMANDS] },
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  };
}

/**
 * Returns the folders that a program's relative paths may be relative to: its own, and the workspace folders that
 * contain it.
 */
function foldersAround(uri: string, workspace: readonly string[]): string[] {
  const path = filePath(uri);
  if (path === undefined) return [];
  return [dirname(path), ...workspace.filter((folder) => isBelow(path, folder))];
}
