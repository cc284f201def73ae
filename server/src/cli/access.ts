/**
 * The files that an agent may have read. An agent acts on texts of any origin, so it only reads files that its user has
 * allowed.
 */
import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isBelow, isSamePath } from '../files/paths.ts';

export interface Access {
  /** The folders that may be read. */
  readonly folders: readonly string[];
  /** True for a path in the folders, after its links are followed. */
  mayRead(path: string): boolean;
  /** True for a Python whose environment is in the folders, even if its program is a link to the system's Python. */
  mayLookAtPython(path: string): boolean;
}

/** Returns the access to some folders and their contents. */
export function accessTo(folders: readonly string[]): Access {
  const named = folders.map((folder) => resolve(folder));
  const real = named.map(realPath);
  const isIn = (path: string, roots: readonly string[]) =>
    roots.some((root) => isSamePath(path, root) || isBelow(path, root));
  const mayRead = (path: string) => {
    const absolute = resolve(path);
    // Checks the name first: following a path on Windows may log in to another machine.
    return isIn(absolute, [...named, ...real]) && isIn(realPath(absolute), real);
  };
  return {
    folders,
    mayRead,
    mayLookAtPython: (path) => isIn(resolve(path), [...named, ...real]) && (mayRead(path) || mayRead(dirname(path))),
  };
}

/** The path with its links followed; if the path does not exist, only those in the part that does. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : resolve(realPath(parent), path.slice(parent.length).replace(/^[\\/]+/, ''));
  }
}
