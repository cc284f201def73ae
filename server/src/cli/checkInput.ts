import { dirname, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createCheckpointCache } from '../checkpoint/checkpointCache.ts';
import { readDocument, renderDocument } from '../files/document.ts';
import { Trouble } from '../files/trouble.ts';
import { findLineLengths } from '../settings/lineLength.ts';
import { findRequirements } from '../settings/requirements.ts';
import { optionsFor } from '../settings/settings.ts';
import { accessTo } from './access.ts';
import { checkDocument, NO_RESULT } from './checkFile.ts';
import type { FileOutcome, PathsOptions } from './checkPaths.ts';
import { projectSettings } from './projectSettings.ts';

type InputOptions = Pick<
  PathsOptions,
  'action' | 'unsafe' | 'hints' | 'changesHints' | 'overrides' | 'known' | 'readable'
>;

/** The result for standard input, and its text with the fixes applied. */
type InputOutcome = FileOutcome & { readonly output: string };

/** Checks standard input under its given name, if any. */
export async function checkInput(name: string | undefined, options: InputOptions): Promise<InputOutcome> {
  return checkText(await buffer(process.stdin), name, options);
}

/** Checks text by itself, under its given name, if any; otherwise messages call it `source`. */
export async function checkText(
  bytes: Buffer,
  name: string | undefined,
  { action, unsafe, hints, changesHints, overrides, known, readable }: InputOptions,
  source = 'standard input',
): Promise<InputOutcome> {
  const settingsIn = await projectSettings(overrides);
  const path = name === undefined ? '-' : resolve(name);
  const folder = dirname(resolve(name ?? 'stdin.py'));
  const [settings, required, lineLength] = await Promise.all([
    settingsIn(folder),
    findRequirements().of(folder),
    findLineLengths().of(folder),
  ]);
  try {
    const document = readDocument(path, bytes, name !== undefined);
    const options = { ...optionsFor(settings, path), known: { ...known, ...required, lineLength } };
    const checkpoints = createCheckpointCache(readable && accessTo(readable).mayRead);
    const { result, source } = await checkDocument(path, document, {
      action,
      unsafe,
      changesHints,
      hints: hints || settings.baseline !== undefined,
      options,
      checkpoints,
    });
    const warnings = result.misparsed === undefined ? [] : [`${name ?? '-'}:${result.misparsed}`];
    const unchecked = result.troubles.map((clause) => ({ filename: path, message: `${name ?? source} ${clause}` }));
    return {
      ...result,
      files: [path],
      folders: [],
      watchable: [],
      unchecked,
      warnings,
      output: renderDocument(document, source),
    };
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    const unchecked = [{ filename: path, message: `${name ?? source} ${error.message}` }];
    return { ...NO_RESULT, files: [], folders: [], watchable: [], unchecked, warnings: [], output: bytes.toString() };
  }
}
