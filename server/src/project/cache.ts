/** What was found in files, kept between runs in a folder that may be deleted at any time. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder's name, at the root of a project. */
export const CACHE_FOLDER = '.gpu-doctor_cache';

/** Days after which what no run has asked for is forgotten. */
const LONGEST_UNUSED = 30;
const DAY = 24 * 60 * 60 * 1000;

/** What one kind of result is kept as. `T` is plain JSON. */
export interface Cache<T> {
  /** What was kept of a file under the same key. */
  get(path: string, key: string): T | undefined;
  put(path: string, key: string, value: T): void;
  /** Writes what is new. Never fails: without a cache everything is found out again. */
  save(): void;
}

/** File, key, result, and the day on which it was last asked for. */
type Entry<T> = readonly [key: string, day: number, value: T];

interface Stored<T> {
  /** Of the program that wrote it. Another one's results are none. */
  readonly writer: string;
  readonly files: Record<string, Entry<T>>;
}

/** Opens the cache of a project. One that is missing, broken or of another `writer` is empty. */
export function openCache<T>(project: string, writer: string, now = Date.now()): Cache<T> {
  const folder = join(project, CACHE_FOLDER);
  const file = join(folder, 'check.json');
  const today = Math.floor(now / DAY);
  const entries = new Map(Object.entries(read<T>(file, writer)));
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
      if (!isNew) return;
      const kept = [...entries].filter(([, [, day]]) => today - day <= LONGEST_UNUSED);
      try {
        write(folder, file, { writer, files: Object.fromEntries(kept) });
      } catch {
        // A folder that cannot be written to, or a full disk.
      }
    },
  };
}

/** A key that is another one whenever a file's content or what decides on its judgement is another one. */
export function cacheKey(circumstances: string, content: Buffer): string {
  return createHash('sha256').update(circumstances).update('\0').update(content).digest('base64').slice(0, 24);
}

/** Names a build of this program, by its version and by when its files were written. */
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

/** Replaces the file in one step, so that another run never reads half of it. */
function write(folder: string, file: string, stored: Stored<unknown>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.gitignore'), '# Written by GPU Doctor.\n*\n');
  // https://bford.info/cachedir/
  writeFileSync(join(folder, 'CACHEDIR.TAG'), 'Signature: 8a477f597d28d172789f06886806bc55\n');
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify(stored));
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
