/** Checks again whenever a file changes. */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isLinted } from '../files/findFiles.ts';
import { repositoryOf } from '../files/projectRoot.ts';
import { describeSystemError } from '../files/trouble.ts';
import { CONFIGURATION_FILES, ConfigurationError } from '../settings/configuration.ts';
import { writeError } from './standardError.ts';
import { UsageError } from './usage.ts';

/** Milliseconds to wait without further changes before files are checked: editors write a file in several steps. */
const QUIET_TIME = 100;

/** Files that are not checked, but affect the result. */
const DECIDING: ReadonlySet<string> = new Set([...CONFIGURATION_FILES, '.gitignore']);

/**
 * Runs a check, and runs it again after each change in the folders that it visited, until the process ends. Each folder
 * is watched separately: every system supports this, and folders that are not walked stay excluded.
 */
export async function repeatOnChange(
  { paths, isQuiet }: { readonly paths: readonly string[]; readonly isQuiet: boolean },
  run: () => Promise<readonly string[]>,
): Promise<never> {
  const watched = watchFolders();
  for (;;) {
    if (process.stdout.isTTY) process.stdout.write('\u001b[2J\u001b[3J\u001b[H');
    watched.follow([...(await foldersOf(paths, run)), ...foldersAbove(process.cwd())]);
    if (!isQuiet) writeError('Watching for changes.\n');
    await watched.change();
  }
}

/**
 * The folders visited by a run; after a failure, the folders of its paths, so that fixing the mistake starts a new run.
 */
async function foldersOf(paths: readonly string[], run: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ConfigurationError)) throw error;
    writeError(error instanceof UsageError ? `gpu-doctor: ${error.message}\n` : `${error.message}\n`);
    return paths.map((path) => resolve(path)).map((path) => (isFolder(path) ? path : dirname(path)));
  }
}

/** The folder and its parents, which may contain settings, up to the root of the repository. */
function foldersAbove(folder: string): string[] {
  const root = repositoryOf(folder) ?? folder;
  return folder === root || dirname(folder) === folder ? [folder] : [folder, ...foldersAbove(dirname(folder))];
}

interface WatchedFolders {
  /** Watches exactly these folders and no others. */
  follow(folders: readonly string[]): void;
  /** Resolves after the last of a series of changes. */
  change(): Promise<void>;
}

function watchFolders(): WatchedFolders {
  const watchers = new Map<string, FSWatcher>();
  let changes = 0;
  let wake = () => {};
  const changed = () => {
    changes++;
    wake();
  };
  const forget = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const start = (folder: string) => {
    try {
      const watcher = watch(folder, (event, name) => {
        if (name === null || matters(join(folder, name), event)) changed();
      });
      // The folder no longer exists.
      watcher.on('error', () => {
        forget(folder);
        changed();
      });
      watchers.set(folder, watcher);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return;
      const why =
        code === 'ENOSPC' || code === 'EMFILE'
          ? 'the system cannot watch any more folders'
          : describeSystemError(error);
      throw new UsageError(`the folder ${folder} cannot be watched: ${why}`);
    }
  };
  /** True for a file that is checked or affects the result, and for a folder that was created or removed. */
  const matters = (path: string, event: string) =>
    isLinted(path) || DECIDING.has(basename(path)) || (event === 'rename' && (watchers.has(path) || isFolder(path)));
  return {
    follow(folders) {
      const wanted = new Set(folders);
      for (const folder of watchers.keys()) if (!wanted.has(folder)) forget(folder);
      for (const folder of wanted) if (!watchers.has(folder)) start(folder);
    },
    async change() {
      // Changes made during a check also count.
      if (changes === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      while (changes > 0) {
        changes = 0;
        await setTimeout(QUIET_TIME);
      }
    },
  };
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
