import { basename, dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type Connection, DiagnosticSeverity } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  CONFIGURATION_FILES,
  ConfigurationError,
  type FileReading,
  findConfigurations,
  readConfiguration,
  readConfigurationFile,
} from '../settings/configuration.ts';
import { defaultSettings, type Settings } from '../settings/settings.ts';
import { SOURCE } from './diagnosticSource.ts';
import type { MeantName } from './meantNames.ts';
import type { Publish } from './publisher.ts';

/** A configuration file as it is open in an editor, whether saved or not. */
interface OpenFile {
  readonly uri: string;
  readonly version: number;
  readonly text: string;
}

interface ConfigurationFiles {
  /**
   * Returns the settings for a folder, from the nearest configuration file; while that file is broken, its last valid
   * settings.
   */
  settingsIn(folder: string): Promise<Settings>;
  /**
   * Called when a file was opened, edited or closed. After closing, `file` is undefined and the file on disk counts.
   */
  edited(path: string, file: OpenFile | undefined): void;
  /** Called when these files, or any files if none are named, may have changed on disk. */
  changedOnDisk(paths?: readonly string[]): void;
}

/**
 * Follows the project's configuration files, whether open or not. Mistakes in them are published as diagnostics, even
 * to a client that pulls the diagnostics of programs. Calls `changed` when the settings in a file have changed.
 */
export function followConfigurationFiles(
  connection: Connection,
  send: Publish,
  changed: () => void,
): ConfigurationFiles {
  const open = new Map<string, OpenFile>();
  const readings = new Map<string, Promise<Settings | undefined>>();
  const inForce = new Map<string, Settings | undefined>();
  /** The addresses under which mistakes are published, by path. */
  const shown = new Map<string, string>();

  const publish = (path: string, file: OpenFile | undefined, { text, problems }: FileReading) => {
    const uri = file?.uri ?? pathToFileURL(path).href;
    const before = shown.get(path);
    if (before !== undefined && before !== uri) send(before, undefined, []);
    if (before === undefined && problems.length === 0) return;
    if (problems.length > 0) shown.set(path, uri);
    else shown.delete(path);
    const document = TextDocument.create(uri, '', 0, text);
    const diagnostics = problems.map(({ message, span, meant }) => ({
      range: { start: document.positionAt(span.start), end: document.positionAt(span.end) },
      severity: DiagnosticSeverity.Error,
      source: SOURCE,
      message: sentence(message),
      data: meant === undefined ? undefined : ({ meant } satisfies MeantName),
    }));
    send(uri, file?.version, diagnostics);
  };
  const read = async (path: string): Promise<Settings | undefined> => {
    const file = open.get(path);
    const reading = file
      ? { text: file.text, ...(await readConfiguration(path, file.text)) }
      : await readConfigurationFile(path);
    publish(path, file, reading);
    const { settings, problems } = reading;
    if (problems.length > 0 && !file)
      connection.console.error(
        `${new ConfigurationError(path, problems).message}\nThe last valid settings apply until this is fixed.`,
      );
    const now = problems.length === 0 ? settings : (inForce.get(path) ?? defaultSettings(dirname(path)));
    inForce.set(path, now);
    return now;
  };
  const folders = findConfigurations((path) => {
    const reading = readings.get(path) ?? read(path);
    readings.set(path, reading);
    return reading;
  });
  /** Reads one after another, so that the last result is for the last text. */
  const readAgain = (path: string) => {
    const previous = readings.get(path) ?? Promise.resolve();
    const reading = previous.then(async () => {
      const before = inForce.get(path);
      const now = await read(path);
      if (!isDeepStrictEqual(before, now)) changed();
      return now;
    });
    readings.set(path, reading);
  };
  return {
    settingsIn: folders.of,
    edited(path, file) {
      if (file) open.set(path, file);
      else open.delete(path);
      folders.forget();
      readAgain(path);
    },
    changedOnDisk(paths = [...readings.keys()]) {
      folders.forget();
      for (const path of paths) if (!open.has(path)) readAgain(path);
    },
  };
}

/** Returns the path of a configuration file on this machine; undefined for other documents. */
export function configurationPath(uri: string): string | undefined {
  const path = filePath(uri);
  return path !== undefined && CONFIGURATION_FILES.some((name) => name === basename(path)) ? path : undefined;
}

/** Returns the path of a file on this machine; undefined for documents that are not on disk. */
export function filePath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** Turns a problem's clause into a sentence. */
function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}${/[.?!]$/.test(clause) ? '' : '.'}`;
}
