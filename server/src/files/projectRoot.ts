import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { remembering } from '../published/remembering.ts';

/** Returns the root of the repository that a folder belongs to; null if there is none. Results are cached by folder. */
export const repositoryOf = nearestWith(['.git', '.hg']);

/** Returns the root of the package that a folder belongs to. A repository can contain several packages. */
const packageOf = nearestWith(['pyproject.toml', 'setup.py', 'setup.cfg']);

/** Returns the root of the project that a folder belongs to, a repository or a package; null if there is no sign of one. */
export const projectRoot = (folder: string): string | null => repositoryOf(folder) ?? packageOf(folder);

function nearestWith(marks: readonly string[]): (folder: string) => string | null {
  const nearest = remembering((folder): string | null => {
    if (marks.some((mark) => existsSync(join(folder, mark)))) return folder;
    const parent = dirname(folder);
    return parent === folder ? null : nearest(parent);
  });
  return nearest;
}
