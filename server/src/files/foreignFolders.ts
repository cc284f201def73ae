/** Folders with installed packages, caches and other people's code, regardless of a project's settings. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const NAMES = new Set(
  `.git .hg .svn node_modules .venv site-packages dist-packages __pycache__ .ipynb_checkpoints .tox .nox .eggs .mypy_cache
  .pytest_cache .ruff_cache .gpu-doctor_cache`.split(/\s+/),
);

/** Files in the root of a Python or conda environment. */
const ENVIRONMENT_MARKS = ['pyvenv.cfg', 'conda-meta'];

/** Python's standard library, and Debian's packages next to it. */
const STANDARD_LIBRARY = /[\\/]lib(?:64)?[\\/]python\d[\d.]*t?[\\/]/i;

/** True for a folder that contains nothing of the user's own. */
export function isForeignFolder(folder: string): boolean {
  return NAMES.has(basename(folder)) || ENVIRONMENT_MARKS.some((mark) => existsSync(join(folder, mark)));
}

/**
 * True for a file in such a folder. Only folders below `root`, which the user opened or named, count; without `root`,
 * the whole path counts.
 */
export function isForeignPath(path: string, root?: string): boolean {
  if (root === undefined && STANDARD_LIBRARY.test(path)) return true;
  for (let folder = dirname(path); folder !== root && folder !== dirname(folder); folder = dirname(folder))
    if (isForeignFolder(folder)) return true;
  return false;
}
