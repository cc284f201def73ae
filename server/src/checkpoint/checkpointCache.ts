import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import type { CheckpointSummary } from './summary.ts';

/** A cache of checkpoint summaries; an entry is valid until its file changes. */
export interface CheckpointCache {
  /**
   * Returns the checkpoints visible to a program whose relative paths may start at any of these folders; the program's
   * own folder comes first. Without folders, it sees none.
   */
  visibleFrom(folders: readonly string[]): VisibleCheckpoints;
}

/** A path that a program mentions. */
export interface MentionedPath {
  readonly text: string;
  /** The base of a relative path: only the program's own folder, or any folder. */
  readonly from: 'program' | 'anywhere';
}

/** A checkpoint and the absolute path at which it was found. */
export interface FoundCheckpoint {
  readonly path: string;
  readonly summary: CheckpointSummary;
}

/** The checkpoints that one program may refer to. */
export interface VisibleCheckpoints {
  /**
   * Returns the checkpoints that a path may refer to, one per folder. Empty if there is none or if one has not been
   * read yet.
   */
  checkpointsAt(path: MentionedPath): readonly FoundCheckpoint[];
  /** Checks the files that the paths may refer to and reads new or changed ones. Never fails. */
  read(paths: readonly MentionedPath[]): Promise<void>;
  /** True if no file or folder exists now at any of the paths. */
  areAbsent(paths: readonly MentionedPath[]): boolean;
}

/** Maximum number of paths followed per program. */
const MOST_PATHS = 64;

/** Maximum number of files remembered, including missing ones. */
const MOST_FILES = 1024;

interface CacheEntry {
  /** Undefined if the file could not be opened. */
  readonly stamp: string | undefined;
  /** Undefined when it could not be opened. */
  readonly summary: CheckpointSummary | undefined;
}

type Answer = readonly FoundCheckpoint[];

/** Creates the cache. A path for which `mayRead` is false is treated as missing. */
export function createCheckpointCache(mayRead: (path: string) => boolean = () => true): CheckpointCache {
  const files = new Map<string, CacheEntry>();
  const reading = new Map<string, Promise<void>>();

  const keep = (path: string, known: CacheEntry) => {
    files.delete(path);
    files.set(path, known);
    for (const oldest of files.keys()) {
      if (files.size <= MOST_FILES) break;
      files.delete(oldest);
    }
  };
  const readNow = async (path: string): Promise<void> => {
    const stamp = await stampOf(path);
    const known = files.get(path);
    if (known && known.stamp === stamp) return keep(path, known);
    keep(path, { stamp, summary: stamp === undefined ? undefined : await summaryOf(path) });
  };
  // One at a time, since each may use as much memory as a whole inspection.
  let last: Promise<void> = Promise.resolve();
  const readOnce = (path: string): Promise<void> => {
    const inTurn = () => {
      last = last.then(() => readNow(path)).finally(() => reading.delete(path));
      return last;
    };
    const under = reading.get(path) ?? inTurn();
    reading.set(path, under);
    return under;
  };
  const answer = (candidates: readonly string[]): Answer => {
    const known = candidates.map((path) => ({ path, file: files.get(path) }));
    if (known.some(({ file }) => !file || (file.stamp !== undefined && !file.summary))) return [];
    return known.flatMap(({ path, file }) => (file?.summary ? [{ path, summary: file.summary }] : []));
  };

  return {
    visibleFrom(folders) {
      const candidatesOf = ({ text, from }: MentionedPath) => {
        const starts = from === 'program' ? folders.slice(0, 1) : folders;
        return starts.length > 0 && isOnThisMachine(text) ? placesOf(text, starts).filter(mayRead) : [];
      };
      return {
        checkpointsAt: (path) => answer(candidatesOf(path)),
        async read(paths) {
          const wanted = new Set(paths.slice(0, MOST_PATHS).flatMap(candidatesOf));
          await Promise.all([...wanted].map(readOnce));
        },
        areAbsent: (paths) => !paths.flatMap(candidatesOf).some(existsSync),
      };
    },
  };
}

function placesOf(path: string, folders: readonly string[]): string[] {
  return isAbsolute(path) ? [path] : [...new Set(folders.map((folder) => resolve(folder, path)))];
}

/**
 * True unless the path names a server: even checking whether such a file exists would reveal the user to that server.
 */
function isOnThisMachine(path: string): boolean {
  return path !== '' && !path.includes('\0') && !/^[\\/]{2}/.test(path);
}

/**
 * Returns undefined if nothing exists there or if it does not allow random access. A folder's stamp is that of its
 * listing.
 */
async function stampOf(path: string): Promise<string | undefined> {
  try {
    const entry = await stat(path);
    return entry.isFile() || entry.isDirectory() ? `${entry.mtimeMs} ${entry.size} ${entry.ino}` : undefined;
  } catch {
    return undefined;
  }
}

async function summaryOf(path: string): Promise<CheckpointSummary | undefined> {
  try {
    const [{ readCheckpoint }, { summarizeCheckpoint }] = await Promise.all([
      import('./read.ts'),
      import('./summary.ts'),
    ]);
    return summarizeCheckpoint(await readCheckpoint(path));
  } catch {
    return undefined;
  }
}
