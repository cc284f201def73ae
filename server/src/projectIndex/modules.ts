/** Resolves imports to files of a project. */
import { dirname, join } from 'node:path';
import { isBelow } from '../files/paths.ts';
import { memoizeByText } from '../python/semantic/memoize.ts';

/** The files in which modules are searched. */
interface ModuleFiles {
  readonly root: string;
  /** True if the folder contains a file or folder of that name. */
  has(folder: string, name: string): boolean;
  /** Returns the folders that a file adds to `sys.path`. */
  addedFolders(path: string): readonly string[];
}

export interface Modules {
  /**
   * Returns the file of a module that a file imports, such as `pkg.train` or `..utils`. Searches the file's own folder
   * and its parents, because scripts may be started in any of them, then the root's `src` and the folders that the file
   * adds to `sys.path`. Undefined for modules outside the project.
   */
  find(from: string, module: string): string | undefined;
  /** False for a dotted name that cannot belong to the project, such as `torch.load`. */
  mayContain(from: string, dotted: string): boolean;
}

/** Resolves the imports of a file, or of all files in a folder. */
interface Home {
  /** The folders in which absolute imports are searched. */
  readonly folders: readonly string[];
  mayContain(dotted: string): boolean;
  find(module: string): string | undefined;
}

/** Creates the resolution of modules; results are cached. */
export function createModules({ root, has, addedFolders }: ModuleFiles): Modules {
  const homeIn = (folder: string, folders: readonly string[]): Home => {
    const contains = memoizeByText((top) => folders.some((start) => has(start, `${top}.py`) || has(start, top)));
    const mayContain = (dotted: string): boolean => {
      const end = dotted.indexOf('.');
      return end === 0 || contains(end < 0 ? dotted : dotted.slice(0, end));
    };
    const look = (module: string): string | undefined => {
      if (!mayContain(module)) return undefined;
      const level = relativeLevel(module);
      const parts = module.slice(level).split('.').filter(Boolean);
      if (parts.length === 0 && level === 0) return undefined;
      for (const start of level > 0 ? [above(folder, level - 1)] : folders) {
        const path = lookBelow(start, parts);
        if (path !== undefined) return path;
      }
      return undefined;
    };
    return { folders, mayContain, find: memoizeByText(look) };
  };
  const homeOfFolder = memoizeByText((folder) => homeIn(folder, [...foldersUpTo(root, folder), join(root, 'src')]));
  const homeOf = memoizeByText((file) => {
    const folder = dirname(file);
    const home = homeOfFolder(folder);
    const added = addedFolders(file);
    return added.length === 0 ? home : homeIn(folder, [...home.folders, ...added]);
  });

  /**
   * The file of a module below a folder, or the folder's own module if only dots are given. Skips folders that do not
   * exist.
   */
  const lookBelow = (start: string, parts: readonly string[]): string | undefined => {
    let at = start;
    for (const [index, part] of parts.entries()) {
      if (index === parts.length - 1 && has(at, `${part}.py`)) return join(at, `${part}.py`);
      if (!has(at, part)) return undefined;
      at = join(at, part);
    }
    return has(at, '__init__.py') ? join(at, '__init__.py') : undefined;
  };

  return {
    mayContain: (from, dotted) => homeOf(from).mayContain(dotted),
    find(from, module) {
      const path = homeOf(from).find(module);
      return path === from ? undefined : path;
    },
  };
}

/** The number of leading dots of a relative name. */
export function relativeLevel(dotted: string): number {
  let level = 0;
  while (dotted[level] === '.') level++;
  return level;
}

/** The dotted name of a member of a module: `pkg.train`, `.train`. */
export const within = (module: string, name: string): string =>
  module.endsWith('.') ? `${module}${name}` : `${module}.${name}`;

function above(folder: string, levels: number): string {
  let at = folder;
  for (let level = 0; level < levels; level++) at = dirname(at);
  return at;
}

function foldersUpTo(root: string, folder: string): string[] {
  const found: string[] = [];
  for (let at = folder; at === root || isBelow(at, root); at = dirname(at)) found.push(at);
  return found;
}
