/** Which file of a project an import means. */
import { dirname, join } from 'node:path';
import { isBelow } from '../files/paths.ts';

/** Where modules are looked for. */
export interface ModuleFiles {
  readonly root: string;
  /** True for a file or folder of the project, by the folder that it lies in and its own name. */
  has(folder: string, name: string): boolean;
  /** The folders that a file puts on `sys.path`. */
  addedBy(path: string): readonly string[];
}

export interface Modules {
  /**
   * The file of a module that a file of the project imports, such as `pkg.train` or `..utils`: found from the file's own folder
   * upwards, as scripts are started in any of them, then in the root's `src` and in what the file puts on `sys.path`. Undefined
   * for what is not the project's.
   */
  find(from: string, module: string): string | undefined;
  /** False for a dotted name that certainly stands for nothing of the project, such as `torch.load`. */
  mayHave(from: string, dotted: string): boolean;
}

/** Finds modules; what was found is kept. */
export function createModules({ root, has, addedBy }: ModuleFiles): Modules {
  const found = new Map<string, string | undefined>();
  const tops = new Map<string, boolean>();
  const starts = new Map<string, readonly string[]>();

  /** Where the absolute imports of a file are looked for; the same list for the files of a folder, unless one adds to it. */
  const startsOf = (file: string) => {
    const folder = dirname(file);
    const known = starts.get(folder) ?? [...foldersUpTo(root, folder), join(root, 'src')];
    starts.set(folder, known);
    const added = addedBy(file);
    return added.length === 0 ? { key: folder, folders: known } : { key: file, folders: [...known, ...added] };
  };

  const mayHave = (from: string, dotted: string): boolean => {
    const end = dotted.indexOf('.');
    if (end === 0) return true;
    const top = end < 0 ? dotted : dotted.slice(0, end);
    const { key: home, folders } = startsOf(from);
    const key = `${home}\0${top}`;
    let known = tops.get(key);
    if (known === undefined) {
      known = folders.some((start) => has(start, `${top}.py`) || has(start, top));
      tops.set(key, known);
    }
    return known;
  };

  const look = (from: string, module: string): string | undefined => {
    const level = levelOf(module);
    const parts = module.slice(level).split('.').filter(Boolean);
    if (parts.length === 0 && level === 0) return undefined;
    for (const start of level > 0 ? [above(dirname(from), level - 1)] : startsOf(from).folders) {
      const path = lookBelow(start, parts);
      if (path !== undefined) return path;
    }
    return undefined;
  };

  /** The file of a module below a folder, or the folder's own for dots alone. No folder is looked into that is not there. */
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
    mayHave,
    find(from, module) {
      if (!mayHave(from, module)) return undefined;
      const key = `${startsOf(from).key}\0${module}`;
      if (!found.has(key)) found.set(key, look(from, module));
      const path = found.get(key);
      return path === from ? undefined : path;
    },
  };
}

/** The number of dots that a relative name begins with. */
export function levelOf(dotted: string): number {
  let level = 0;
  while (dotted[level] === '.') level++;
  return level;
}

/** The name of something in a module: `pkg.train`, `.train`. */
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
