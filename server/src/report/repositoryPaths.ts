import { dirname, isAbsolute } from 'node:path';
import { nearestPath, slashed } from '../files/paths.ts';
import { repositoryOf } from '../files/projectRoot.ts';

/** Paths in the form that repository services expect. */
export interface RepositoryPaths {
  /** The folder to which paths are relative. */
  readonly root: string;
  /** The path with slashes, relative to the root; absolute for files elsewhere. */
  pathOf(filename: string): string;
}

/**
 * Makes paths relative to the repository of the current folder, otherwise to the one that contains all files, otherwise
 * to the current folder: annotations and code scanning identify a file by its path in the repository, regardless of the
 * current folder.
 */
export function repositoryPaths(filenames: readonly string[], here = process.cwd()): RepositoryPaths {
  const own = repositoryOf(here);
  const roots = new Set(filenames.filter(isAbsolute).map((filename) => repositoryOf(dirname(filename))));
  const [only = null] = roots.size === 1 ? roots : [];
  const root = own ?? only ?? here;
  return { root, pathOf: (filename) => slashed(nearestPath(filename, root)) };
}
