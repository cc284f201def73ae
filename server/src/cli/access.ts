/** The files that an agent may have read. It acts on texts of any origin, and reads no more than its user has shown it. */
import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isBelow, isSamePath } from '../files/paths.ts';

export interface Access {
  /** The folders that may be read. */
  readonly folders: readonly string[];
  /** True for a path in the folders, links followed. */
  mayRead(path: string): boolean;
  /** True for a Python: its environment has to lie in the folders, though its program may link to the system's. */
  mayLookAtPython(path: string): boolean;
}

/** Returns the access to some folders and what is below them. */
export function accessTo(folders: readonly string[]): Access {
  const named = folders.map((folder) => resolve(folder));
  const real = named.map(realPath);
  const isIn = (path: string, roots: readonly string[]) =>
    roots.some((root) => isSamePath(path, root) || isBelow(path, root));
  const mayRead = (path: string) => {
    const absolute = resolve(path);
    // Told by its name first: to follow a path on Windows may mean to log in to another machine.
    return isIn(absolute, [...named, ...real]) && isIn(realPath(absolute), real);
  };
  return {
    folders,
    mayRead,
    mayLookAtPython: (path) => isIn(resolve(path), [...named, ...real]) && (mayRead(path) || mayRead(dirname(path))),
  };
}

/** The path with its links followed; of a path that does not exist, as far as it does. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : resolve(realPath(parent), path.slice(parent.length).replace(/^[\\/]+/, ''));
  }
}
