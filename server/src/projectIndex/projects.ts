/** The projects to which files belong. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, parse } from 'node:path';
import { isBelow } from '../files/paths.ts';
import { projectRoot } from '../files/projectRoot.ts';
import type { Program } from '../guards/program.ts';
import type { ProjectView } from '../guards/projectView.ts';
import { once } from '../python/semantic/memoize.ts';
import { homeFolder } from '../stack/machine/home.ts';
import { diskFiles } from './diskFiles.ts';
import { createProjectIndex, type DependencyRecorder, type ProjectIndex } from './projectIndex.ts';
import type { TextFacts } from './textFacts.ts';

export interface Projects {
  /** Returns the rest of the program's project; undefined for a program outside any project. */
  projectOf(program: Program, recorder?: DependencyRecorder): ProjectView | undefined;
  /** Returns the root of a path's project. */
  rootOf(path: string): string | undefined;
  /** Returns a string that changes whenever a file of the path's project is written, created or deleted. */
  stateOf(path: string): string;
}

/**
 * Creates the projects on disk. `folders` are the folders that were opened or specified as a whole; files in `facts` are
 * not read for theirs.
 */
export function createProjects(folders: readonly string[], facts: ReadonlyMap<string, TextFacts>): Projects {
  const projects = new Map<string, { readonly index: ProjectIndex; readonly state: () => string }>();
  const projectAt = (root: string) => {
    const known = projects.get(root);
    if (known) return known;
    const files = diskFiles(root, facts);
    const created = { index: createProjectIndex(files), state: once(() => stateOf(files.list())) };
    projects.set(root, created);
    return created;
  };
  return {
    projectOf(program, recorder) {
      const root = rootAround(program.source.path, folders);
      return root === undefined ? undefined : projectAt(root).index.viewFor(program, recorder);
    },
    rootOf: (path) => rootAround(path, folders),
    stateOf(path) {
      const root = rootAround(path, folders);
      return root === undefined ? '' : projectAt(root).state();
    },
  };
}

/** Returns a string that changes whenever one of the files is written, created or deleted. */
export function stateOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    const status = statSync(path, { throwIfNoEntry: false });
    hash.update(`${path}\0${status?.size} ${status?.mtimeMs}\0`);
  }
  return hash.digest('base64').slice(0, 24);
}

/**
 * Returns the root of a file's project: the folder with a repository or packaging files, or else the nearest of
 * `folders`, which were opened or specified as a whole. Undefined for a file outside of any project, and if the project
 * would be the home folder.
 */
export function rootAround(path: string, folders: readonly string[]): string | undefined {
  const root =
    projectRoot(dirname(path)) ??
    folders.filter((folder) => isBelow(path, folder)).sort((one, other) => other.length - one.length)[0];
  return root === homeFolder() || root === parse(path).root ? undefined : root;
}
