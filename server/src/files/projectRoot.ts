import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { remembering } from '../published/remembering.ts';

/** Files in the root of a project, which is a repository or a package. A repository can contain several packages. */
const MARKS = [
  ['.git', '.hg'],
  ['pyproject.toml', 'setup.py', 'setup.cfg'],
] as const;

/**
 * Returns the root of the project that a folder belongs to; null if there is no sign of one. Results are cached by
 * folder.
 */
export const projectRoot = remembering(
  (folder) => MARKS.map((marks) => nearestWith(marks, folder)).find((root) => root !== undefined) ?? null,
);

/** Returns the root of the repository that a folder belongs to; null if there is none. */
export const repositoryOf = remembering((folder) => nearestWith(MARKS[0], folder) ?? null);

function nearestWith(marks: readonly string[], folder: string): string | undefined {
  if (marks.some((mark) => existsSync(join(folder, mark)))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestWith(marks, parent);
}
