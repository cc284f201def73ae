/** The files that the editor sends in a browser: the settings and environment files first, then the programs. */
import { basename } from 'node:path';
import type { Connection } from 'vscode-languageserver';
import { environmentKind } from '../environment/kinds.ts';
import { FILE_CHANGED, type HandedFile, LIST_FILES, READ_FILES } from '../protocol.ts';
import { CONFIGURATION_FILES } from '../settings/configuration.ts';
import { LINE_LENGTH_FILES } from '../settings/lineLength.ts';
import { REQUIREMENT_FILES } from '../settings/requirements.ts';
import { dropFile, holdFile } from './files.ts';

import { fileURLToPath } from './node/url.ts';

const SETTINGS: ReadonlySet<string> = new Set([
  ...CONFIGURATION_FILES,
  ...REQUIREMENT_FILES,
  ...LINE_LENGTH_FILES,
  // They mark environments and copies of other projects, and list what the project excludes.
  ...['pyvenv.cfg', 'setup.py', '.gitmodules', '.gitignore'],
]);

/** Baselines, and files that show whose code a folder contains. */
const MARKS = /baseline.*\.json$|^(?:licen[cs]e|copying|readme)/i;

const PROGRAM = /\.(?:py|pyw|ipynb)$/i;

/**
 * Maximum number of files that are read, since each is read over the network. If there are more programs than this, each
 * is checked without the others.
 */
const MOST_SETTINGS = 300;
const MOST_PROGRAMS = 500;

interface HandedFiles {
  /** Reads the files of the workspace, once the client has started. Resolves to the paths of the programs. */
  read(): Promise<readonly string[]>;
  /** Resolves when the settings and environment files have been read, or could not be read. */
  readonly areSettingsKnown: Promise<void>;
}

/** Keeps the workspace's files in memory. */
export function followHandedFiles(connection: Connection): HandedFiles {
  let settingsKnown = () => {};
  const areSettingsKnown = new Promise<void>((resolve) => {
    settingsKnown = resolve;
  });
  connection.onNotification(FILE_CHANGED, (file: HandedFile) => void take(file));

  const read = async (uris: readonly string[]): Promise<string[]> => {
    const files = await connection.sendRequest<HandedFile[]>(READ_FILES, { uris });
    return files.map(take);
  };
  return {
    areSettingsKnown,
    async read() {
      try {
        const all = await connection.sendRequest<string[]>(LIST_FILES);
        const settings = all.filter(isAboutOthers);
        await read(settings.slice(0, MOST_SETTINGS));
        settingsKnown();
        const programs = all.filter((uri) => PROGRAM.test(uri));
        if (programs.length <= MOST_PROGRAMS) return await read(programs);
        connection.console.warn(
          `Each of the ${programs.length} programs is checked on its own: there are too many to analyze together.`,
        );
      } catch (error) {
        connection.console.warn(`The files of the workspace could not be read: ${String(error)}`);
      } finally {
        settingsKnown();
      }
      return [];
    },
  };
}

/** True for a file that decides how others are checked. */
function isAboutOthers(uri: string): boolean {
  const path = fileURLToPath(uri);
  return SETTINGS.has(basename(path)) || MARKS.test(basename(path)) || environmentKind(path) !== undefined;
}

/** Stores a file. Returns its path. */
function take({ uri, content }: HandedFile): string {
  const path = fileURLToPath(uri);
  if (content === null) dropFile(path);
  else holdFile(path, content);
  return path;
}
