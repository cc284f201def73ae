/** The projects that files belong to. */
import { dirname } from 'node:path';
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

/**
 * Projects on disk. A file is part of the project whose root is marked, by a repository or packaging files; without marks, of
 * the nearest of `folders`, which were opened or named as a whole.
 */
export function createProjects(folders: readonly string[]): Projects {
  const indexes = new Map<string, ProjectIndex>();
  const rootOf = (path: string): string | undefined =>
    projectRoot(dirname(path)) ??
    folders.filter((folder) => isBelow(path, folder)).sort((a, b) => b.length - a.length)[0];
  return {
    projectOf(program, asked) {
      const root = rootOf(program.source.path);
      if (root === undefined) return undefined;
      const index = indexes.get(root) ?? createProjectIndex(diskFiles(root));
      indexes.set(root, index);
      return index.viewFor(program, asked);
    },
  };
}
