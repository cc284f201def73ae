import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { shownPath } from '../files/paths.ts';
import { describeSystemError } from '../files/trouble.ts';
import { readProjectFile, Unreadable } from '../projectFile.ts';
import { type ByFolder, cachedByFolder } from './byFolder.ts';
import type { ConfigurationProblem, ConfigurationReading } from './configurationReader.ts';
import { defaultSettings, type Settings } from './settings.ts';

/** Names of files with a project's settings. In each folder, the first one that exists counts. */
export const CONFIGURATION_FILES = ['.gpu-doctor.yaml', 'pyproject.toml'] as const;

/** Reads the text of a configuration file; its patterns are relative to `folder`. Parsers are loaded on demand. */
export async function readConfiguration(
  path: string,
  text: string,
  folder = dirname(path),
): Promise<ConfigurationReading> {
  if (path.endsWith('.toml') && !text.includes('gpu-doctor')) return { problems: [] };
  return (await import('./configurationReader.ts')).readConfigurationText(path, text, folder);
}

/** An unusable configuration file. The message names the file and each problem, one per line. */
export class ConfigurationError extends Error {
  readonly path: string;
  readonly problems: readonly ConfigurationProblem[];

  constructor(path: string, problems: readonly ConfigurationProblem[]) {
    const shown = shownPath(path);
    super(problems.map(({ line, column, message }) => `${shown}:${line}:${column}: ${message}`).join('\n'));
    this.path = path;
    this.problems = problems;
  }
}

/**
 * Finds and caches the settings of folders, from the nearest configuration file in each or above. `read` returns the
 * settings of one file in a folder; undefined if the file does not exist or has no settings for us. Throws a
 * `ConfigurationError`.
 */
export const findConfigurations = (
  read: (path: string) => Promise<Settings | undefined> = readSettings,
): ByFolder<Settings> =>
  cachedByFolder<Settings>(defaultSettings, async (folder, above) => {
    for (const name of CONFIGURATION_FILES) {
      const settings = await read(join(folder, name));
      if (settings) return settings;
    }
    return above();
  });

/** Returns the file with the settings of a folder; undefined if there is none. */
export async function configurationFileOf(folder: string): Promise<string | undefined> {
  for (const name of CONFIGURATION_FILES) {
    const path = join(folder, name);
    if (await readSettings(path)) return path;
  }
  const parent = dirname(folder);
  return parent === folder ? undefined : configurationFileOf(parent);
}

/** Returns the settings of a file that the user named; its patterns are relative to `folder`. */
export async function namedSettings(path: string, folder: string): Promise<Settings> {
  const { settings, problems } = await readConfigurationFile(path, { folder, isNamed: true });
  if (settings) return settings;
  throw new ConfigurationError(path, problems.length > 0 ? problems : [atStart('has no table `[tool.gpu-doctor]`')]);
}

/** Returns the settings in a file; undefined if it has none or is broken. */
export async function usableSettings(path: string): Promise<Settings | undefined> {
  return existsSync(path) ? (await readConfigurationFile(path)).settings : undefined;
}

async function readSettings(path: string): Promise<Settings | undefined> {
  // Most folders have none, and awaiting a read would take longer than everything else.
  if (!existsSync(path)) return undefined;
  const { settings, problems } = await readConfigurationFile(path);
  if (problems.length > 0) throw new ConfigurationError(path, problems);
  return settings;
}

export interface FileReading extends ConfigurationReading {
  /** The text that the spans of problems refer to; empty if the file does not exist or cannot be read. */
  readonly text: string;
}

interface FileOptions {
  /** The folder that patterns are relative to. Defaults to the folder of the file. */
  readonly folder?: string;
  /** True if the user named the file, which then must exist. */
  readonly isNamed?: boolean;
}

/** Reads a configuration file from disk. All mistakes and errors are among the problems. */
export async function readConfigurationFile(
  path: string,
  { folder = dirname(path), isNamed = false }: FileOptions = {},
): Promise<FileReading> {
  try {
    const text = readProjectFile(path, 'settings').toString('utf8');
    return { text, ...(await readConfiguration(path, text, folder)) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
    const isOptional = basename(path) === 'pyproject.toml' && !(error instanceof Unreadable);
    // A pyproject.toml that the system refuses to read may have no settings for GPU Doctor.
    if (!isNamed && (isAbsent || isOptional)) return { text: '', problems: [] };
    return { text: '', problems: [atStart(describeSystemError(error))] };
  }
}

function atStart(message: string): ConfigurationProblem {
  return { message, span: { start: 0, end: 0 }, line: 1, column: 1 };
}
