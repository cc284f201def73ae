import { stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { createBudget } from '../checkpoint/budget.ts';
import { withFile } from '../checkpoint/bytes.ts';
import { FORMATS, isCheckpointFormat } from '../checkpoint/formats/index.ts';
import { patternsOf } from '../checkpoint/names.ts';
import { readCheckpoint } from '../checkpoint/read.ts';
import { formatsOf } from '../checkpoint/sniff.ts';
import { runsCode } from '../checkpoint/verdicts.ts';
import { writeError } from './standardError.ts';

/** Unambiguous names: a file with one of these names is shown whatever its content. */
const NAMED = patternsOf('opened', 'offered', 'searched');
/**
 * Suffixes of texts, programs and media. A file with any other name is shown only if its content is a checkpoint, or an
 * archive or a compressed file with code in it: loaders unpickle files of any name.
 */
const OTHERS = new Set(
  `bib c cc cfg conf cpp css csv cu cuh flac gif gitattributes gitignore h hpp html ini ipynb java jpeg jpg js json jsonl
   lock log m4a md mkv mov mp3 mp4 ogg pdf png ppm proto pxd py pyi pyx rs rst sh svg tex toml ts tsv txt wav webm webp
   xml yaml yml`.split(/\s+/),
);

/** Pickles that `joblib.load` and `pandas.read_pickle` unpack. */
const COMPRESSED = /\.(?:pkl|pickle|joblib|dill|pt|pth)\.(?:gz|bz2|xz|z|lzma|zst)$/i;

/** Maximum number of files with other names that are read. */
const MOST_VAGUE = 10_000;

/** Returns the checkpoints among the file names in a folder, in order. */
export async function checkpointsAmong(folder: string, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  let vague = 0;
  for (const name of names) {
    const suffix = extname(name).slice(1).toLowerCase();
    if (NAMED.some((pattern) => isNamed(name, pattern)) || COMPRESSED.test(name)) found.push(name);
    else if (!OTHERS.has(suffix) && ++vague <= MOST_VAGUE && (await isCheckpoint(join(folder, name)))) found.push(name);
  }
  if (vague > MOST_VAGUE)
    writeError(`Not searched: ${vague - MOST_VAGUE} of ${vague} files whose names are not those of checkpoints.\n`);
  return found;
}

/** True for a path whose last part matches: `*.pt`, `model_index.json`. */
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
    if (FORMATS[format].kind !== 'container') return isCheckpointFormat(format);
    const { format: inner, safety } = await readCheckpoint(path);
    return isCheckpointFormat(inner) || runsCode(safety);
  } catch {
    return false;
  }
}
