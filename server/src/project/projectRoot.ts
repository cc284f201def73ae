import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What lies in the root of a project: a repository's, or else a package's, of which a repository can have several. */
const MARKS = [
  ['.git', '.hg'],
  ['pyproject.toml', 'setup.py', 'setup.cfg'],
] as const;

/**
 * The folder of the project that a folder is part of; undefined where nothing shows one. Kept for as long as the process
 * runs, since the files of one folder have the same.
 */
export function projectRoot(folder: string): string | undefined {
  const known = roots.get(folder);
  if (known !== undefined) return known.root;
  const root = MARKS.map((marks) => nearestWith(marks, folder)).find((found) => found !== undefined);
  roots.set(folder, { root });
  return root;
}

const roots = new Map<string, { readonly root: string | undefined }>();

function nearestWith(marks: readonly string[], folder: string): string | undefined {
  if (marks.some((mark) => existsSync(join(folder, mark)))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestWith(marks, parent);
}
