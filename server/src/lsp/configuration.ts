import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type ClientCapabilities,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type FileEvent,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { CHECKPOINT_SUFFIXES } from '../checkpoint/names.ts';
import { RECORD_FILE } from '../diagnosis/record/recordFile.ts';
import type { LintOptions } from '../lint/lint.ts';
import { CONFIGURATION_FILES } from '../settings/configuration.ts';
import { findLineLengths, LINE_LENGTH_FILES } from '../settings/lineLength.ts';
import { findRequirements, REQUIREMENT_FILES } from '../settings/requirements.ts';
import { defaultSettings, isExcluded, optionsFor, override } from '../settings/settings.ts';
import { followClientSettings, SECTION } from './clientSettings.ts';
import { configurationPath, filePath, followConfigurationFiles } from './configurationFiles.ts';

/** How one file is to be judged. */
export interface FileConfiguration {
  readonly options: LintOptions;
  /** True when the project leaves the file out. */
  readonly excluded: boolean;
  /** Words besides the rules' own that make the file worth parsing. */
  readonly words: readonly string[];
  /** The same object for as long as only the checkpoints that a program names differ; without it, the configuration itself. */
  readonly basis?: object;
}

export interface Configuration {
  /** The configuration of a file or notebook; the same object until it changes. */
  of(uri: string): Promise<FileConfiguration>;
  /** A text document was opened, edited or closed; it may be a configuration file. */
  documentChanged(uri: string, document: TextDocument | undefined): void;
  forget(uri: string): void;
  /** The client has started: it may be asked to watch files. */
  initialized(): void;
}

/**
 * Follows what the project's files and the client's settings say; the client's go before. `recordChanged` is told of the
 * recorded stack, and `programsChanged` of programs, whose files are watched with the others.
 */
export function followConfiguration(
  connection: Connection,
  capabilities: ClientCapabilities,
  initializationOptions: unknown,
  changed: () => void,
  recordChanged: () => void,
  programsChanged: (paths: readonly string[]) => void,
): Configuration {
  const byFile = new Map<string, Promise<FileConfiguration>>();
  const latest = new Map<string, FileConfiguration>();
  const project = followConfigurationFiles(connection, changed);
  const requirements = findRequirements();
  const lineLengths = findLineLengths();
  const client = followClientSettings(connection, capabilities, initializationOptions, () => {
    byFile.clear();
    changed();
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
    if (didChangeWatchedFiles?.dynamicRegistration) {
      const names = [
        ...new Set([...CONFIGURATION_FILES, ...REQUIREMENT_FILES, ...LINE_LENGTH_FILES, RECORD_FILE]),
        `*.{${CHECKPOINT_SUFFIXES.join(',')}}`,
        '*.{py,ipynb}',
      ];
      const watchers = names.map((name) => ({ globPattern: `**/${name}` }));
      void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
    }
  };
  connection.onDidChangeWatchedFiles(({ changes }) => {
    const paths = changes.flatMap(({ uri }) => configurationPath(uri) ?? []);
    const isRead = ({ uri }: FileEvent) =>
      [...REQUIREMENT_FILES, ...LINE_LENGTH_FILES].some((name) => uri.endsWith(`/${name}`));
    if (paths.length > 0 || changes.some(isRead)) changedOnDisk(paths);
    const records = changes.filter(({ uri }) => uri.endsWith(`/${RECORD_FILE}`));
    if (records.length > 0) recordChanged();
    const programs = changes.filter(({ uri }) => /\.(py|ipynb)$/.test(uri));
    if (programs.length > 0) programsChanged(programs.flatMap(({ uri }) => filePath(uri) ?? []));
    // The others are requirements and checkpoints, which what is shown may depend on.
    if (paths.length + records.length + programs.length < changes.length) changed();
  });
  // Where nobody watches the files, saving anything is the moment to look.
  connection.onDidSaveTextDocument(() => {
    if (didChangeWatchedFiles?.dynamicRegistration) return;
    changedOnDisk();
    changed();
    recordChanged();
  });

  const read = async (uri: string): Promise<FileConfiguration> => {
    const path = filePath(uri);
    const [settings, own, required, lineLength] = await Promise.all([
      path === undefined ? defaultSettings('/') : project.settingsIn(dirname(path)),
      client.of(uri),
      path === undefined ? {} : requirements.requirementsIn(dirname(path)),
      path === undefined ? undefined : lineLengths.lineLengthIn(dirname(path)),
    ]);
    const effective = override(settings, own);
    const fresh: FileConfiguration = {
      options: { ...optionsFor(effective, path ?? '/'), known: { ...required, lineLength } },
      excluded: path !== undefined && isExcluded(settings, path),
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
