import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import {
  type ClientCapabilities,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  WatchKind,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { CHECKPOINT_SUFFIXES } from '../checkpoint/names.ts';
import { RECORD_FILE } from '../diagnosis/record/recordFile.ts';
import { environmentKind } from '../environment/kinds.ts';
import type { ChoicesIn } from '../files/findFiles.ts';
import type { LintOptions } from '../lint/lint.ts';
import { ENVIRONMENT_FILES } from '../protocol.ts';
import { CONFIGURATION_FILES } from '../settings/configuration.ts';
import { findLineLengths, LINE_LENGTH_FILES } from '../settings/lineLength.ts';
import { findRequirements, REQUIREMENT_FILES } from '../settings/requirements.ts';
import { choiceOf, defaultSettings, isExcluded, optionsFor, override } from '../settings/settings.ts';
import { type BaselineFile, baselineFile } from './baselines.ts';
import { type CheckTrigger, type ClientChoices, followClientSettings, SECTION } from './clientSettings.ts';
import { configurationPath, filePath, followConfigurationFiles } from './configurationFiles.ts';
import type { Folders } from './folders.ts';
import type { Publish } from './publisher.ts';

const CHECKPOINT_FILE = new RegExp(
  `\\.(${CHECKPOINT_SUFFIXES.map((each) => each.replaceAll('.', '\\.')).join('|')})$`,
  'i',
);

/** Watched files, as glob patterns for their names. */
const WATCHED_FILES = [
  ...new Set([...CONFIGURATION_FILES, ...REQUIREMENT_FILES, ...LINE_LENGTH_FILES, RECORD_FILE]),
  `*.{${CHECKPOINT_SUFFIXES.join(',')}}`,
  '*.{py,pyw,ipynb}',
  '*baseline*.json',
  // Another branch was checked out.
  '.git/HEAD',
];

export interface FileConfiguration {
  readonly options: LintOptions;
  /** True for a file that is not checked: the project or the user excludes it, or it is not the user's own. */
  readonly excluded: boolean;
  /** True for a file that the project's settings include. */
  readonly included: boolean;
  readonly run: CheckTrigger;
  /** The findings that the project accepts, if it has a baseline. */
  readonly baseline?: BaselineFile | undefined;
  /** Words that make the file worth parsing, in addition to those of the rules. */
  readonly words: readonly string[];
  /**
   * Remains the same object if only the checkpoints that a program names differ; without it, the configuration itself
   * counts.
   */
  readonly basis?: object;
}

export interface Configuration {
  /** Returns the configuration of a file or notebook, which is the same object until it changes. */
  of(uri: string): Promise<FileConfiguration>;
  /** Returns the client's settings for a folder. */
  choicesIn(folder: string): Promise<ClientChoices>;
  /** Returns the choices about the entries of a folder, given its path. A folder's path ends with a separator. */
  choices: ChoicesIn;
  /** Called when the open folders have changed; they determine how files are checked. */
  foldersChanged(): void;
  /** Called when the client has started and accepts requests, such as to watch files. */
  initialized(): void;
  /** Called when a document was saved. If the client does not watch files, this is the time to check them. */
  saved(): void;
  /** Called when a text document was opened, edited or closed; it may be a configuration file. */
  documentChanged(uri: string, document: TextDocument | undefined): void;
  forget(uri: string): void;
}

/** Callbacks for changes of settings. All relevant files are watched together. */
interface ConfigurationListener {
  /** Files may have to be checked with different settings. */
  settingsChanged(): void;
  /** Files other than programs that findings may depend on have changed: checkpoints and lists of requirements. */
  othersChanged(): void;
  /** The recorded stack has changed. */
  recordChanged(): void;
  /** Programs were changed, created or deleted. */
  programsChanged(paths: readonly string[]): void;
  /** Any file was changed, created or deleted, or another branch was checked out. */
  filesChanged(): void;
}

/** Follows the project's files and the client's settings, which take precedence. */
export function followConfiguration(
  connection: Connection,
  capabilities: ClientCapabilities,
  initializationOptions: unknown,
  folders: Folders,
  send: Publish,
  listener: ConfigurationListener,
): Configuration {
  const byFile = new Map<string, Promise<FileConfiguration>>();
  const latest = new Map<string, FileConfiguration>();
  const project = followConfigurationFiles(connection, send, listener.settingsChanged);
  const scopeOf = (uri: string) => {
    const folder = folders.around(filePath(uri) ?? '');
    return folder === undefined ? uri : pathToFileURL(folder).href;
  };
  /** True for a path that the user's settings exclude, relative to the workspace folder. */
  const isLeftOut = ({ exclude }: ClientChoices, path: string): boolean => {
    const folder = folders.around(path);
    return folder !== undefined && isExcluded({ ...defaultSettings(folder), exclude }, path);
  };
  const requirements = findRequirements();
  const lineLengths = findLineLengths();
  const client = followClientSettings(connection, capabilities, initializationOptions, scopeOf, () => {
    byFile.clear();
    listener.settingsChanged();
  });
  const changedOnDisk = (paths?: readonly string[]) => {
    byFile.clear();
    requirements.forget();
    lineLengths.forget();
    project.changedOnDisk(paths);
  };

  const { didChangeConfiguration, didChangeWatchedFiles } = capabilities.workspace ?? {};
  const initialized = () => {
    if (didChangeConfiguration?.dynamicRegistration)
      void connection.client.register(DidChangeConfigurationNotification.type, { section: SECTION });
    if (!didChangeWatchedFiles?.dynamicRegistration) return;
    const watchers = [
      ...[...WATCHED_FILES.map((name) => `**/${name}`), ...ENVIRONMENT_FILES].map((globPattern) => ({ globPattern })),
      // When a folder is deleted, clients may not list the files in it.
      { globPattern: '**/*', kind: WatchKind.Delete },
    ];
    void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  };
  connection.onDidChangeWatchedFiles(({ changes }) => {
    const named = (uri: string, names: readonly string[]) => names.some((name) => uri.endsWith(`/${name}`));
    const paths = changes.flatMap(({ uri }) => configurationPath(uri) ?? []);
    const baselines = new Set([...latest.values()].map(({ baseline }) => baseline?.path));
    const areSettings =
      paths.length > 0 ||
      changes.some(
        ({ uri }) => named(uri, [...REQUIREMENT_FILES, ...LINE_LENGTH_FILES]) || baselines.has(filePath(uri) ?? ''),
      );
    if (areSettings) {
      changedOnDisk(paths);
      listener.settingsChanged();
    }
    if (changes.some(({ uri }) => named(uri, [RECORD_FILE]))) listener.recordChanged();
    const programs = changes.filter(({ uri }) => /\.(py|pyw|ipynb)$/.test(uri));
    if (programs.length > 0) listener.programsChanged(programs.flatMap(({ uri }) => filePath(uri) ?? []));
    const isOther = (uri: string) => CHECKPOINT_FILE.test(uri) || environmentKind(uri) !== undefined;
    if (!areSettings && changes.some(({ uri }) => isOther(uri))) listener.othersChanged();
    listener.filesChanged();
  });

  const read = async (uri: string): Promise<FileConfiguration> => {
    const path = filePath(uri);
    const [settings, own, required, lineLength] = await Promise.all([
      path === undefined ? defaultSettings('/') : project.settingsIn(dirname(path)),
      client.of(uri),
      path === undefined ? {} : requirements.of(dirname(path)),
      path === undefined ? undefined : lineLengths.of(dirname(path)),
    ]);
    const effective = override(settings, own);
    const fresh: FileConfiguration = {
      options: { ...optionsFor(effective, path ?? '/', folders.all()), known: { ...required, lineLength } },
      excluded: path !== undefined && (isExcluded(settings, path) || isLeftOut(own, path) || !folders.isOwn(path)),
      included: path !== undefined && choiceOf(settings, path) === 'included',
      run: own.run,
      baseline: baselineFile(settings.baseline),
      words: settings.loaders.map(({ name }) => name.slice(name.lastIndexOf('.') + 1)),
    };
    const before = latest.get(uri);
    const result = isDeepStrictEqual(before, fresh) ? (before ?? fresh) : fresh;
    latest.set(uri, result);
    return result;
  };
  return {
    initialized,
    of(uri) {
      const known = byFile.get(uri) ?? read(uri);
      byFile.set(uri, known);
      return known;
    },
    choicesIn: (folder) => client.of(`${pathToFileURL(folder)}/`),
    async choices(folder) {
      const [settings, own] = await Promise.all([project.settingsIn(folder), client.of(`${pathToFileURL(folder)}/`)]);
      return (path) => (isLeftOut(own, path) ? 'excluded' : choiceOf(settings, path));
    },
    foldersChanged() {
      byFile.clear();
      client.forget();
    },
    saved() {
      if (didChangeWatchedFiles?.dynamicRegistration) return;
      changedOnDisk();
      listener.settingsChanged();
      listener.recordChanged();
    },
    documentChanged(uri, document) {
      const path = configurationPath(uri);
      if (path === undefined) return;
      byFile.clear();
      project.edited(path, document && { uri: document.uri, version: document.version, text: document.getText() });
    },
    forget(uri) {
      byFile.delete(uri);
      latest.delete(uri);
    },
  };
}
