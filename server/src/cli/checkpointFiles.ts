import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { createBudget } from '../checkpoint/budget.ts';
import { withFile } from '../checkpoint/bytes.ts';
import type { Format } from '../checkpoint/checkpoint.ts';
import { CHECKPOINT_SUFFIXES } from '../checkpoint/names.ts';
import { readCheckpoint } from '../checkpoint/read.ts';
import { formatsOf } from '../checkpoint/sniff.ts';
import { isNoCheckpoint } from '../report/checkpointView.ts';

/** Suffixes that say enough: such a file is shown whatever is in it. */
const TELLING = new Set([
  ...CHECKPOINT_SUFFIXES,
  'npy',
  'npz',
  'onnx',
  'joblib',
  'tflite',
  'th',
  'mlmodel',
  'nemo',
  'mar',
]);
/** Suffixes that anything has, as names without any: such a file is shown if it is a checkpoint by its content. */
const VAGUE = new Set(['', 'p', 'sav', 'pck', 'dat', 'dill', 'model']);

/** Files with vague names that are looked into. */
const MOST_VAGUE = 2000;

/** The checkpoints among the names of files in a folder, in their order. */
export async function checkpointsAmong(folder: string, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  let left = MOST_VAGUE;
  for (const name of names) {
    const suffix = extname(name).slice(1).toLowerCase();
    if (TELLING.has(suffix) || /\.index\.json$|(^|[\\/])keras_metadata\.pb$/.test(name)) found.push(name);
    else if (VAGUE.has(suffix) && left-- > 0 && (await isCheckpoint(join(folder, name)))) found.push(name);
  }
  return found;
}

/** What holds other files is looked into, to see whether it is more than that. */
const CONTAINERS: readonly Format[] = ['zip', 'tar', 'gzip', 'compressed'];

async function isCheckpoint(path: string): Promise<boolean> {
  try {
    const entry = await stat(path);
    if (!entry.isFile()) return false;
    const [format] = await withFile(path, (bytes) => formatsOf(bytes, createBudget()));
    if (!CONTAINERS.includes(format)) return !isNoCheckpoint(format);
    return !isNoCheckpoint((await readCheckpoint(path)).format);
  } catch {
    return false;
  }
}
