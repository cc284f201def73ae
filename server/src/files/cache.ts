/**
 * Results for files, kept between runs in the user's cache folder. The project itself is neither read nor written for
 * this: a repository could contain a cache that hides findings, or a link to one of the user's files in its place.
 */
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path, { join } from 'node:path';
import { cacheFolder } from '../stack/machine/cacheFolder.ts';
import { homeFolder } from '../stack/machine/home.ts';
import { isBelow, isSamePath } from './paths.ts';

/** Days after which unused results are removed. */
const LONGEST_UNUSED = 30;
const DAY = 24 * 60 * 60 * 1000;

/** The program whose results are kept: the command line or the language server. */
type CacheKind = 'check' | 'server';

/** The kept results of one kind. `T` is plain JSON. */
export interface Cache<T> {
  /** Returns the result that was kept for a file under the same key. */
  get(path: string, key: string): T | undefined;
  put(path: string, key: string, value: T): void;
  /** Writes new results. Never fails: without a cache everything is simply computed again. */
  save(): void;
}

/** Key and result for a file, and the day of its last use. */
type Entry<T> = readonly [key: string, day: number, value: T];

interface Stored<T> {
  /** The version of the program that wrote it. Results from other versions do not count. */
  readonly writer: string;
  readonly files: Record<string, Entry<T>>;
}

/**
 * Opens the cache of a project. A cache that is missing, broken or from another `writer` counts as empty. Nothing is
 * kept if the user's cache folder is inside the project, as on some CI services: anyone who can write to the project
 * could forge the cache.
 */
export function openCache<T>(
  project: string,
  writer: string,
  { now = Date.now(), kind = 'check' }: { readonly now?: number; readonly kind?: CacheKind } = {},
): Cache<T> {
  const file = cacheFile(project, kind);
  const today = Math.floor(now / DAY);
  const entries = new Map(Object.entries(file === undefined ? {} : read<T>(file, writer)));
  let isNew = false;
  return {
    get(path, key) {
      const entry = entries.get(path);
      if (entry?.[0] !== key) return undefined;
      if (entry[1] !== today) {
        entries.set(path, [key, today, entry[2]]);
        isNew = true;
      }
      return entry[2];
    },
    put(path, key, value) {
      entries.set(path, [key, today, value]);
      isNew = true;
    },
    save() {
      if (!isNew || file === undefined) return;
      const kept = [...entries].filter(([, [, day]]) => today - day <= LONGEST_UNUSED);
      try {
        write(file, { writer, files: Object.fromEntries(kept) });
      } catch {
        // The folder is not writable, or the disk is full.
      }
    },
  };
}

/** Identifies a build of this program by its version and the times of its files. */
export function writerOf(version: string, files: readonly string[]): string {
  return [version, ...files.map((file) => `${statSync(file).mtimeMs}`).sort()].join(' ');
}

function read<T>(file: string, writer: string): Stored<T>['files'] {
  try {
    const stored: Stored<T> = JSON.parse(readFileSync(file, 'utf8'));
    const isSound = stored.writer === writer && Object.values(stored.files).every(isEntry);
    return isSound ? stored.files : {};
  } catch {
    return {};
  }
}

const isEntry = (entry: unknown) =>
  Array.isArray(entry) && entry.length === 3 && typeof entry[0] === 'string' && typeof entry[1] === 'number';

/** Returns the file with a project's results; undefined if no location is safe. */
function cacheFile(project: string, kind: CacheKind = 'check'): string | undefined {
  try {
    const home = homeFolder();
    const place = cacheFolder({ platform: process.platform, home, path, env: process.env });
    const [root, user] = [realpathSync(project), resolved(place)];
    if (isSamePath(user, root) || isBelow(user, root)) return undefined;
    return join(user, 'gpu-doctor', kind, `${createHash('sha256').update(root).digest('hex').slice(0, 32)}.json`);
  } catch {
    return undefined;
  }
}

/** Resolves links in a path, even if its last folders do not exist yet. */
function resolved(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if (parent === folder) throw error;
    return join(resolved(parent), path.basename(folder));
  }
}

/**
 * Replaces the file atomically, so that no other run reads an incomplete file, and removes files that other projects
 * left behind.
 */
function write(file: string, stored: Stored<unknown>): void {
  const folder = path.dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify(stored), { flag: 'wx', mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  const oldest = Date.now() - LONGEST_UNUSED * DAY;
  for (const name of readdirSync(folder)) {
    const other = join(folder, name);
    if (statSync(other).mtimeMs < oldest) rmSync(other, { force: true });
  }
}
