/** Which file of a project an import means. */
import { dirname, join } from 'node:path';
import { isBelow } from '../project/paths.ts';

/** Where modules are looked for. */
export interface ModuleFiles {
  readonly root: string;
  /** True for a file of the project. */
  has(path: string): boolean;
}

/**
 * The file of a module that a file of the project imports, such as `pkg.train` or `..utils`: found from the file's own folder
 * upwards, as scripts are started in any of them, from `src/`, and from `added`, which the program puts on `sys.path`.
 * Undefined for what is not the project's.
 */
export function findModule(
  from: string,
  module: string,
  { root, has }: ModuleFiles,
  added: readonly string[] = [],
): string | undefined {
  const level = /^\.*/.exec(module)?.[0].length ?? 0;
  const parts = module.slice(level).split('.').filter(Boolean);
  const starts = level > 0 ? [above(dirname(from), level - 1)] : [...foldersUpTo(root, dirname(from)), ...added];
  for (const start of starts) {
    const base = join(start, ...parts);
    const found = [`${base}.py`, join(base, '__init__.py')].find((path) => path !== from && has(path));
    if (found !== undefined && (parts.length > 0 || level > 0)) return found;
  }
  return undefined;
}

function above(folder: string, levels: number): string {
  let at = folder;
  for (let level = 0; level < levels; level++) at = dirname(at);
  return at;
}

/** A folder and those around it up to the root, then the root's `src`. */
function foldersUpTo(root: string, folder: string): string[] {
  const found: string[] = [];
  for (let at = folder; at === root || isBelow(at, root); at = dirname(at)) found.push(at);
  return [...found, join(root, 'src')];
}
