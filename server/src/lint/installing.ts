/** Which programs say themselves what is installed for them. */
import { basename } from 'node:path';
import type { EnvironmentKind } from '../environment/environmentFile.ts';
import type { Source } from '../python/semantic/source.ts';

/** How the installations in a program are read; undefined for one that has none. */
export function installingKind({ kind, path, cells }: Source): EnvironmentKind | undefined {
  if (kind === 'notebook')
    return cells.some(({ text }) => /^[ \t]*[!%].*\binstall\b/m.test(text)) ? 'notebook' : undefined;
  return isSetupScript(path) ? 'setupPy' : undefined;
}

/** True for the path of a script of setuptools. */
export function isSetupScript(path: string): boolean {
  return basename(path) === 'setup.py';
}
