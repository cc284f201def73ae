import { dirname, isAbsolute } from 'node:path';
import { shownPath, slashed } from '../files/paths.ts';
import { repositoryOf } from '../files/projectRoot.ts';

/** Paths as the services of a repository read them. */
export interface RepositoryPaths {
  /** The folder that paths are relative to. */
  readonly root: string;
  /** The path with slashes, relative to the root; absolute for what lies elsewhere. */
  pathOf(filename: string): string;
}

/**
 * Makes paths relative to the repository that the command is run in, else to the one that all files lie in, else to the
 * current folder: annotations and code scanning know a file by its path in the repository, wherever the command is started.
 */
export function repositoryPaths(filenames: readonly string[], here = process.cwd()): RepositoryPaths {
  const own = repositoryOf(here);
  const roots = new Set(filenames.filter(isAbsolute).map((filename) => repositoryOf(dirname(filename))));
  const [only = null] = roots.size === 1 ? roots : [];
  const root = own ?? only ?? here;
  return { root, pathOf: (filename) => slashed(shownPath(filename, root)) };
}
