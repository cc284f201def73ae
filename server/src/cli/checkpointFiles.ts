import { stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { createBudget } from '../checkpoint/budget.ts';
import { withFile } from '../checkpoint/bytes.ts';
import { FORMATS, isCheckpointFormat } from '../checkpoint/formats/index.ts';
import { patternsOf } from '../checkpoint/names.ts';
import { readCheckpoint } from '../checkpoint/read.ts';
import { formatsOf } from '../checkpoint/sniff.ts';

/** Unambiguous names: a file with one of these names is shown whatever its content. */
const NAMED = patternsOf('opened', 'offered', 'searched');
/** Ambiguous suffixes, including none: a file with one of these is shown only if its content is a checkpoint. */
const VAGUE = new Set(['', 'p', 'sav', 'pck', 'dat', 'dill', 'model']);

/** Maximum number of files with ambiguous names that are read. */
const MOST_VAGUE = 2000;

/** Returns the checkpoints among the file names in a folder, in order. */
export async function checkpointsAmong(folder: string, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  let left = MOST_VAGUE;
  for (const name of names) {
    const suffix = extname(name).slice(1).toLowerCase();
    if (NAMED.some((pattern) => isNamed(name, pattern))) found.push(name);
    else if (VAGUE.has(suffix) && left-- > 0 && (await isCheckpoint(join(folder, name)))) found.push(name);
  }
  return found;
}

/** True for a path whose last part matches: `*.pt`, `keras_metadata.pb`. */
function isNamed(path: string, pattern: string): boolean {
  const name = basename(path).toLowerCase();
  return pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern;
}

async function isCheckpoint(path: string): Promise<boolean> {
  try {
    const entry = await stat(path);
    if (!entry.isFile()) return false;
    const [format] = await withFile(path, (bytes) => formatsOf(bytes, createBudget()));
    // Containers are read to find out whether they are more than a container.
    const isContainer = FORMATS[format].kind === 'container';
    return isCheckpointFormat(isContainer ? (await readCheckpoint(path)).format : format);
  } catch {
    return false;
  }
}
