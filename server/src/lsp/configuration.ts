import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ClientCapabilities,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
} from 'vscode-languageserver/node';
import { CONFIGURATION_FILES, findConfigurations } from '../project/configuration.ts';
import type { LintOptions } from '../project/lint.ts';
import { defaultSettings, isExcluded, optionsFor, type Settings } from '../project/settings.ts';
import type { Selection } from '../rules/check.ts';
import { followClientSettings, SECTION } from './clientSettings.ts';

/** How one file is to be judged. */
export interface FileConfiguration {
  readonly options: LintOptions;
  /** True when the project leaves the file out. */
  readonly excluded: boolean;
  /** Words besides the rules' own that make the file worth parsing. */
  readonly words: readonly string[];
}

export interface Configuration {
  /** The configuration of a file or notebook; the same object until it changes. */
  of(uri: string): Promise<FileConfiguration>;
  forget(uri: string): void;
}

/** Follows what the project's files and the client's settings say; the client's go before. */
export function followConfiguration(
  connection: Connection,
  capabilities: ClientCapabilities,
  initializationOptions: unknown,
  changed: () => void,
): Configuration {
  const byFile = new Map<string, Promise<FileConfiguration>>();
  const projects = findConfigurations();
  const everythingChanged = () => {
    byFile.clear();
    projects.forget();
    told.clear();
    changed();
  };
  const client = followClientSettings(connection, capabilities, initializationOptions, everythingChanged);

  const { didChangeConfiguration, didChangeWatchedFiles } = capabilities.workspace ?? {};
  connection.onInitialized(() => {
    if (didChangeConfiguration?.dynamicRegistration)
      void connection.client.register(DidChangeConfigurationNotification.type, { section: SECTION });
    if (didChangeWatchedFiles?.dynamicRegistration) {
      const watchers = CONFIGURATION_FILES.map((name) => ({ globPattern: `**/${name}` }));
      void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
    }
  });
  connection.onDidChangeWatchedFiles(everythingChanged);

  const told = new Set<string>();
  const projectOf = async (folder: string): Promise<Settings> => {
    try {
      return await projects.settingsIn(folder);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (!told.has(message)) connection.console.error(`${message}\nThe file is ignored until that is mended.`);
      told.add(message);
      return defaultSettings(folder);
    }
  };
  const read = async (uri: string): Promise<FileConfiguration> => {
    const path = filePath(uri);
    const folder = path === undefined ? '/' : dirname(path);
    const [project, settings] = await Promise.all([
      path === undefined ? defaultSettings(folder) : projectOf(folder),
      client.of(uri),
    ]);
    return {
      options: override(path === undefined ? project : optionsFor(project, path), settings),
      excluded: path !== undefined && isExcluded(project, path),
      words: project.loaders.map(({ name }) => name.slice(name.lastIndexOf('.') + 1)),
    };
  };
  return {
    of(uri) {
      const known = byFile.get(uri) ?? read(uri);
      byFile.set(uri, known);
      return known;
    },
    forget: (uri) => byFile.delete(uri),
  };
}

/** The path of a file on this machine; undefined for what is nowhere on disk. */
function filePath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

function override(options: LintOptions, { select, ignore, severity }: Selection): LintOptions {
  return {
    ...options,
    ...(select && { select }),
    ...(ignore && { ignore }),
    severity: { ...options.severity, ...severity },
  };
}
