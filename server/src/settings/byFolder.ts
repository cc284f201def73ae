import { dirname } from 'node:path';

/** Answers for folders, each found once until files change. */
export interface ByFolder<T> {
  of(folder: string): Promise<T>;
  /** Clears the cache, because files changed. */
  forget(): void;
}

/** Finds and caches answers. `find` gets a folder and the answer for the one above, which `aboveRoot` gives at the root. */
export function cachedByFolder<T>(
  aboveRoot: (root: string) => T,
  find: (folder: string, above: () => Promise<T>) => Promise<T>,
): ByFolder<T> {
  const known = new Map<string, Promise<T>>();
  const of = (folder: string): Promise<T> => {
    const parent = dirname(folder);
    const found = known.get(folder) ?? find(folder, async () => (parent === folder ? aboveRoot(folder) : of(parent)));
    known.set(folder, found);
    return found;
  };
  return { of, forget: () => known.clear() };
}
