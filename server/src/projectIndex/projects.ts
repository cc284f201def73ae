/** The projects that files belong to. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, parse } from 'node:path';
import { isBelow } from '../files/paths.ts';
import { projectRoot } from '../files/projectRoot.ts';
import { NONE } from '../guards/evidence.ts';
import type { Program } from '../guards/program.ts';
import type { ProjectView } from '../guards/projectView.ts';
import { once } from '../python/semantic/memoize.ts';
import { homeFolder } from '../stack/machine/home.ts';
import { diskFiles } from './diskFiles.ts';
import { type Asked, createProjectIndex, type ProjectIndex } from './projectIndex.ts';

export interface Projects {
  /** The rest of the project of a program; undefined for a program that belongs to none. */
  projectOf(program: Program, asked?: Asked): ProjectView | undefined;
  /** The same for who only wants to know if there are questions: nothing is looked up, and nothing is ever found. */
  questionsOf(program: Program, asked: Asked): ProjectView | undefined;
  /** The root of the project of a path. */
  rootOf(path: string): string | undefined;
  /** Another text whenever a file of the project of a path was written, created or deleted. */
  stateOf(path: string): string;
}

/** Projects on disk. `folders` are those that were named as a whole. */
export function createProjects(folders: readonly string[]): Projects {
  const projects = new Map<string, { readonly index: ProjectIndex; readonly state: () => string }>();
  const projectAt = (root: string) => {
    const known = projects.get(root);
    if (known) return known;
    const files = diskFiles(root);
    const fresh = { index: createProjectIndex(files), state: once(() => stateOf(files.list())) };
    projects.set(root, fresh);
    return fresh;
  };
  return {
    projectOf(program, asked) {
      const root = rootAround(program.source.path, folders);
      return root === undefined ? undefined : projectAt(root).index.viewFor(program, asked);
    },
    questionsOf: (program, asked) =>
      rootAround(program.source.path, folders) === undefined ? undefined : unanswered(asked),
    rootOf: (path) => rootAround(path, folders),
    stateOf(path) {
      const root = rootAround(path, folders);
      return root === undefined ? '' : projectAt(root).state();
    },
  };
}

/** Takes note of each question, and answers that there is nothing. */
function unanswered({ importers, fileNames }: Asked): ProjectView {
  const noting = <T>(ask: () => void, answer: T) => {
    return () => {
      ask();
      return answer;
    };
  };
  return {
    atEveryUse: noting(importers, { evidence: NONE }),
    exported: noting(importers, undefined),
    saversOf: noting(() => fileNames(''), []),
    isBareModel: noting(importers, false),
    kerasLoadBefore: noting(importers, undefined),
    gpuUses: noting(importers, []),
    facts: noting(importers, []),
  };
}

/** Another text whenever one of the files was written, created or deleted. */
export function stateOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    const status = statSync(path, { throwIfNoEntry: false });
    hash.update(`${path}\0${status?.size} ${status?.mtimeMs}\0`);
  }
  return hash.digest('base64').slice(0, 24);
}

/**
 * The root of the project that a file is part of: marked by a repository or packaging files, else the nearest of `folders`,
 * which were opened or named as a whole. Undefined for a file by itself, and where all of a person's files would be a project.
 */
export function rootAround(path: string, folders: readonly string[]): string | undefined {
  const root =
    projectRoot(dirname(path)) ??
    folders.filter((folder) => isBelow(path, folder)).sort((one, other) => other.length - one.length)[0];
  return root === homeFolder() || root === parse(path).root ? undefined : root;
}
