/** Programs that install packages themselves. */
import { basename } from 'node:path';
import type { EnvironmentKind } from '../environment/environmentFile.ts';
import type { Source } from '../python/semantic/source.ts';

/** Returns the kind of installations that a program contains; undefined if there are none. */
export function installingKind({ kind, path, cells }: Source): EnvironmentKind | undefined {
  if (kind === 'notebook')
    return cells.some(({ text }) => /^[ \t]*[!%].*\binstall\b/m.test(text)) ? 'notebook' : undefined;
  return isSetupScript(path) ? 'setupPy' : undefined;
}

/** True for the path of a setuptools script. */
export function isSetupScript(path: string): boolean {
  return basename(path) === 'setup.py';
}
