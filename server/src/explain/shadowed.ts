/** Errors whose cause is a file of the project with the name of a package: Python imports it instead of the package. */
import { dirname, join, resolve } from 'node:path';
import { DOCUMENTATION } from '../documentation.ts';
import { packageOfModule } from '../published/knownPackages.ts';
import type { Situation } from './conditions/condition.ts';
import type { Explanation } from './explanation.ts';
import { complaintIn, frameOf, type Paste } from './reading/paste.ts';
import { isOwn, shownLocation } from './reading/traceback.ts';
import { NOT_WRITTEN } from './written.ts';

/** Python's messages about a module that lacks something. */
const LACKING =
  /\bmodule '(?<has>\w+)[\w.]*' has no attribute|\bcannot import name '\w+' from (?:partially initialized module )?'(?<from>\w+)|\b'(?<is>\w+)' is not a package/;

/** The known package in which an error misses something. */
function lackingPackage(paste: Paste): string | undefined {
  const { has, from, is } = LACKING.exec(complaintIn(paste) ?? '')?.groups ?? {};
  const module = has ?? from ?? is;
  return module !== undefined && packageOfModule(module) !== undefined ? module : undefined;
}

/**
 * Returns the file of the project that Python imports instead of a package, for an error that misses something in the
 * package: a file beside the program, or one that the text names.
 */
export async function shadowingFile(
  paste: Paste,
  folder: string,
  readText: (path: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const module = lackingPackage(paste);
  if (module === undefined) return undefined;
  const named = new RegExp(`["(']([^"'()\\n]{0,300}[\\\\/]${module}\\.py)["')]`).exec(paste.text)?.[1];
  if (named !== undefined && isOwn({ file: named })) return named;
  const program = paste.frames.find(({ file }) => isOwn({ file }) && file.endsWith('.py'))?.file ?? '';
  for (const start of new Set([resolve(folder, dirname(program)), folder])) {
    const path = join(start, `${module}.py`);
    if ((await readText(path)) !== undefined) return path;
  }
  return undefined;
}

/** Explains an error by the file that the project has in place of a package. */
export function explainedByShadow(paste: Paste, { shadow }: Situation): Explanation | undefined {
  const message = complaintIn(paste);
  const module = lackingPackage(paste);
  if (shadow === undefined || message === undefined || module === undefined) return undefined;
  return {
    id: 'package-shadowed',
    title: `A file of the project hides the package ${module}`,
    message,
    location: shownLocation(frameOf(paste, undefined)),
    meaning: `Python imports the first ${module} that it finds, and the program's own folder comes first.`,
    kind: 'error',
    causes: [
      {
        id: 'package-shadowed',
        text: `The file has the name of the package, so "import ${module}" imports the file.`,
        standing: 'confirmed',
        evidence: [`${shadow} is in a folder of the program.`],
      },
    ],
    remedies: [{ ...NOT_WRITTEN, title: `Rename ${shadow}, and change what imports it`, edit: null }],
    questions: [],
    url: `${DOCUMENTATION}/explain.md#files-with-the-name-of-a-package`,
  };
}
