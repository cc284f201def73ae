import { existsSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import paths, { join, type PlatformPath } from 'node:path';
import type { RemedyEdit } from '../explain/explanation.ts';
import { Trouble } from '../files/trouble.ts';
import type { Interpreter } from '../stack/facts/facts.ts';
import type { ProgramVariables } from './commandChanges.ts';
import { copyEnvironment, type EnvironmentCopy } from './environmentCopy.ts';
import { type EditedFiles, editedText, overlayProject } from './overlay.ts';

/** A project and its environment, original or copied. */
export interface RepairPlace {
  readonly interpreter: Interpreter;
  readonly copy: EnvironmentCopy | undefined;
  readonly project: string;
  /** The project without edits. */
  readonly original: string;
  readonly edited: EditedFiles;
  readonly variables: ProgramVariables;
  /** The folder that holds the copies; undefined for the original. */
  readonly folder: string | undefined;
}

/** Copies a place into a new folder in `home`, with or without its environment. */
export async function copyPlace(
  place: RepairPlace,
  withEnvironment: boolean,
  home: string,
  stop: AbortSignal,
): Promise<RepairPlace> {
  const folder = await mkdtemp(join(home, 'copy-'));
  const copied: RepairPlace = {
    ...place,
    ...(withEnvironment && (await copiedEnvironment(place, folder, stop))),
    folder,
  };
  return copied.edited.size > 0 ? withEdited(copied, copied.edited) : copied;
}

async function copiedEnvironment(
  { interpreter }: RepairPlace,
  folder: string,
  stop: AbortSignal,
): Promise<Pick<RepairPlace, 'interpreter' | 'copy'>> {
  const prefix = join(folder, 'environment');
  const copy = await copyEnvironment(interpreter, prefix, stop);
  const environment = interpreter.environment === 'conda' ? 'conda' : 'venv';
  return {
    copy,
    interpreter: { ...interpreter, path: copy.python, prefix, environment, sitePackages: [copy.packages] },
  };
}

/** Returns a copied place with one more edit of its project. */
export async function editPlace(place: RepairPlace, { filename, edits }: RemedyEdit): Promise<RepairPlace> {
  const text = place.edited.get(filename) ?? (await readFile(join(place.original, filename), 'utf8'));
  return withEdited(place, new Map([...place.edited, [filename, editedText(text, edits)]]));
}

async function withEdited(place: RepairPlace, edited: EditedFiles): Promise<RepairPlace> {
  const project = await mkdtemp(join(place.folder ?? '', 'project-'));
  await overlayProject(place.original, edited, project);
  return { ...place, project, edited };
}

/**
 * Returns a command with its Python, or its program of the environment, replaced by the copy's.
 *
 * @throws Trouble for a program of the environment that is not in the copy.
 */
export function commandIn(
  [program = '', ...rest]: readonly string[],
  python: string,
  copy: Pick<EnvironmentCopy, 'python' | 'scripts'> | undefined,
  isThere: (path: string) => boolean = existsSync,
  { basename, dirname, join, resolve }: PlatformPath = paths,
): readonly string[] {
  if (!copy) return [program, ...rest];
  const isPython = /^python[\d.]*(?:\.exe)?$/i.test(basename(program));
  if (!/[\\/]/.test(program)) return [isPython ? copy.python : program, ...rest];
  if (dirname(resolve(program)) !== dirname(python)) return [program, ...rest];
  const own = join(copy.scripts, basename(program));
  if (isThere(own)) return [own, ...rest];
  if (isPython) return [copy.python, ...rest];
  throw new Trouble(`cannot run ${basename(program)} in a copy: use \`--check\` with a command of Python`);
}

/** A command as the user writes it in a terminal. */
export function shellCommand(command: string, platform = process.platform): readonly string[] {
  return platform === 'win32' ? ['cmd', '/d', '/s', '/c', command] : ['/bin/sh', '-c', command];
}
