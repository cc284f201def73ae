/** Which files make up a program: those that run together, or all of a package that other projects install. */
import { basename, dirname } from 'node:path';
import { isBelow } from '../files/paths.ts';
import { memoizeByText } from '../python/semantic/memoize.ts';
import { isTestFile } from '../rules/engine/testFile.ts';
import type { Imports } from './imports.ts';
import type { ProjectFiles } from './projectFiles.ts';

interface PackagedPrograms {
  /** True for a test, as seen from the project. */
  isTest(path: string): boolean;
  /** True for a file of a package with packaging files, whose functions other projects call. */
  isInstallable(path: string): boolean;
  /** Returns the files that run a file, nearest first; tests only for a test (`forTest`). */
  importersOf(path: string, forTest: boolean): readonly string[];
  /** Returns the files of a file's program in the order in which they run; a package is a program. */
  programOf(path: string): readonly string[];
}

/** Matches the packaging files of an installable package. */
const PACKAGING = ['pyproject.toml', 'setup.py', 'setup.cfg'];
/** Maximum number of files of a program that are searched for places that need CUDA. */
const MAX_PROGRAM = 100;

export function createPackagedPrograms(
  files: Pick<ProjectFiles, 'root' | 'has' | 'list'>,
  imports: Imports,
): PackagedPrograms {
  const isTest = memoizeByText((path) => isTestFile(path, files.root));
  const withoutTests = memoizeByText((path) => imports.importersOf(path).filter((file) => !isTest(file)));
  const importersOf: PackagedPrograms['importersOf'] = (path, forTest) =>
    forTest ? imports.importersOf(path) : withoutTests(path);

  /** Returns the outermost package in a folder or around it. */
  const packageAround = memoizeByText((folder): string | undefined => {
    let found: string | undefined;
    for (let at = folder; isBelow(at, files.root) && files.has(at, '__init__.py'); at = dirname(at)) found = at;
    return found;
  });
  /** Returns the outermost package around a file, if others can install it. */
  const installableAround = memoizeByText((folder): string | undefined => {
    const found = packageAround(folder);
    if (found === undefined) return undefined;
    const parent = dirname(found);
    const homes = basename(parent) === 'src' ? [parent, dirname(parent)] : [parent];
    return homes.some((home) => PACKAGING.some((name) => files.has(home, name))) ? found : undefined;
  });

  const inOrder = (members: Set<string>, forTest: boolean): readonly string[] => {
    for (const file of [...members]) for (const imported of imports.importedBy(file)) members.add(imported);
    const order = new Map(
      [...members].map((file) => [file, importersOf(file, forTest).filter((by) => members.has(by)).length]),
    );
    return [...members]
      .sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0) || (a < b ? -1 : 1))
      .slice(0, MAX_PROGRAM);
  };
  const filesBelow = memoizeByText((folder) => files.list().filter((file) => isBelow(file, folder) && !isTest(file)));
  const packageInOrder = memoizeByText((folder) => inOrder(new Set(filesBelow(folder)), false));

  return {
    isTest,
    isInstallable: (path) => installableAround(dirname(path)) !== undefined,
    importersOf,
    programOf: memoizeByText((path) => {
      const folder = installableAround(dirname(path));
      const importing = importersOf(path, isTest(path));
      if (folder === undefined) return inOrder(new Set([path, ...importing]), isTest(path));
      const members = [path, ...importing.filter((file) => isBelow(file, folder))];
      const whole = new Set(filesBelow(folder));
      // Without tests, the program is the same for all files of the package.
      if (members.every((file) => whole.has(file))) return packageInOrder(folder);
      return inOrder(new Set([...members, ...whole]), isTest(path));
    }),
  };
}
