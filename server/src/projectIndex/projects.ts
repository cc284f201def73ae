/** The projects that files belong to. */
import { homedir } from 'node:os';
import { dirname, parse } from 'node:path';
import type { Program } from '../guards/program.ts';
import type { ProjectView } from '../guards/projectView.ts';
import { isBelow } from '../project/paths.ts';
import { projectRoot } from '../project/projectRoot.ts';
import { diskFiles } from './diskFiles.ts';
import { type Asked, createProjectIndex, type ProjectIndex } from './projectIndex.ts';

export interface Projects {
  /** The rest of the project of a program; undefined for a program that belongs to none. */
  projectOf(program: Program, asked?: Asked): ProjectView | undefined;
}

/** Projects on disk. `folders` are those that were named as a whole. */
export function createProjects(folders: readonly string[]): Projects {
  const indexes = new Map<string, ProjectIndex>();
  return {
    projectOf(program, asked) {
      const root = rootAround(program.source.path, folders);
      if (root === undefined) return undefined;
      const index = indexes.get(root) ?? createProjectIndex(diskFiles(root));
      indexes.set(root, index);
      return index.viewFor(program, asked);
    },
  };
}

/**
 * The root of the project that a file is part of: marked by a repository or packaging files, else the nearest of `folders`,
 * which were opened or named as a whole. Undefined for a file by itself, and where all of a person's files would be a project.
 */
export function rootAround(path: string, folders: readonly string[]): string | undefined {
  const root =
    projectRoot(dirname(path)) ??
    folders.filter((folder) => isBelow(path, folder)).sort((one, other) => other.length - one.length)[0];
  return root === homedir() || root === parse(path).root ? undefined : root;
}
