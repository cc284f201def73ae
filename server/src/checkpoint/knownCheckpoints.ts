import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import type { CheckpointSummary } from './summary.ts';

/** Remembers of each checkpoint what is in it, for as long as the file stays as it is. */
export interface KnownCheckpoints {
  /**
   * What a program can know whose relative paths may start at any of these folders, its own first; without folders,
   * nothing.
   */
  seenFrom(folders: readonly string[]): CheckpointsInSight;
}

/** A path in a program. */
export interface AskedPath {
  readonly text: string;
  /** Where a relative path starts: in the program's own folder only, or in any. */
  readonly from: 'program' | 'anywhere';
}

/** A checkpoint, and the absolute path under which it was found. */
export interface FoundCheckpoint {
  readonly path: string;
  readonly summary: CheckpointSummary;
}

/** The checkpoints that one program may mean. */
export interface CheckpointsInSight {
  /** The checkpoints that a path may mean, one for each folder. Empty when there is none, or one of them was not read yet. */
  checkpointsAt(path: AskedPath): readonly FoundCheckpoint[];
  /** Looks at the files that the paths may mean, and reads those that are new or changed. Never fails. */
  read(paths: readonly AskedPath[]): Promise<void>;
  /** True if there is now nothing under any of the paths. */
  areAbsent(paths: readonly AskedPath[]): boolean;
}

/** Paths of one program that are followed. */
const MOST_PATHS = 64;

/** Files of which it is remembered what is in them, or that they are not there. */
const MOST_FILES = 1024;

interface Known {
  /** Changes when the file does; undefined when there is none. */
  readonly stamp: string | undefined;
  /** Undefined when it could not be opened. */
  readonly summary: CheckpointSummary | undefined;
}

type Answer = readonly FoundCheckpoint[];

/** Returns what remembers checkpoints; a path for which `mayRead` is false counts as absent. */
export function createKnownCheckpoints(mayRead: (path: string) => boolean = () => true): KnownCheckpoints {
  const files = new Map<string, Known>();
  const reading = new Map<string, Promise<void>>();

  const keep = (path: string, known: Known) => {
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
  // One after the other: each may take the memory of a whole inspection.
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
    seenFrom(folders) {
      const candidatesOf = ({ text, from }: AskedPath) => {
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

/** A path that names a server is not followed: only to look at it would tell that server who looks. */
function isOnThisMachine(path: string): boolean {
  return path !== '' && !path.includes('\0') && !/^[\\/]{2}/.test(path);
}

/** Undefined when there is nothing, or nothing that can be read at random. A folder's stamp is that of its own list. */
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
    const [{ readCheckpoint }, { summarize }] = await Promise.all([import('./read.ts'), import('./summary.ts')]);
    return summarize(await readCheckpoint(path));
  } catch {
    return undefined;
  }
}
