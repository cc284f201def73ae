import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Budget, createBudget } from './budget.ts';
import { type Bytes, metered, refuseSpecial, withFile } from './bytes.ts';
import type { Checkpoint, Format } from './checkpoint.ts';
import type { FileToRead } from './formats/declaration.ts';
import { FORMAT_IDS, FORMATS } from './formats/index.ts';
import type { ReadInner } from './innerFiles.ts';
import { joined } from './readings.ts';
import { formatsOf } from './sniff.ts';
import { orUnfinished, unfinished, unread } from './unread.ts';

/**
 * Reads the description in a file or a folder of any format. A TensorFlow checkpoint may be named without the suffix of
 * its index. Everything that is read for it shares the budget. @throws the system's error if it cannot be opened, or
 * NotRegular.
 */
export async function readCheckpoint(path: string, budget: Budget = createBudget()): Promise<Checkpoint> {
  const entry = await stat(path).catch(async (error) => {
    if (!(await isIndexed(path))) throw error;
    return undefined;
  });
  if (!entry) return readFile(`${path}.index`, budget);
  if (entry.isDirectory()) return readFolder(path, budget);
  refuseSpecial(entry);
  // An editor opens files: this file represents the folder that it describes.
  if (basename(path) === 'saved_model.pb') return readFolder(dirname(path), budget);
  const checkpoint = await readFile(path, budget);
  const whole = checkpoint.format === 'json' ? await readIndexed(checkpoint, path, budget) : checkpoint;
  const { withConfiguration } = await import('./modelFolder.ts');
  return orUnfinished(
    () => withConfiguration(whole, path, budget),
    () => whole,
  );
}

/** Reads the checkpoint whose files a JSON index names; returns the JSON itself if it is no index. */
async function readIndexed(json: Checkpoint, path: string, budget: Budget): Promise<Checkpoint> {
  const { readShards, shardsIn } = await import('./shards.ts');
  const read = async () => {
    const shards = await withFile(path, (bytes) => shardsIn(bytes, budget));
    return shards ? readShards(shards, budget, (shard) => readFile(join(dirname(path), shard), budget)) : json;
  };
  return orUnfinished(read, (why) => unfinished('json', json.size, why));
}

async function isIndexed(path: string): Promise<boolean> {
  const index = await stat(`${path}.index`).catch(() => undefined);
  return index?.isFile() === true;
}

/** Reads a folder, which is a model in a folder format or holds one checkpoint as several files with an index. */
async function readFolder(path: string, budget: Budget): Promise<Checkpoint> {
  const names = await readdir(path);
  for (const format of FORMAT_IDS) {
    const { folder } = FORMATS[format];
    if (folder?.holds(names))
      return orUnfinished(
        () => folder.read(path, names, budget),
        (why) => unfinished(format, 0, why),
      );
  }
  const { aboutOtherWeights, weightsAmong } = await import('./modelFolder.ts');
  const file = weightsAmong(names);
  if (file === undefined) return unread('folder', 0, FORMATS.folder.problem);
  const checkpoint = await readCheckpoint(join(path, file), budget);
  const others = aboutOtherWeights(names, file);
  return others === undefined ? checkpoint : { ...checkpoint, about: [...(checkpoint.about ?? []), others] };
}

async function readFile(path: string, budget: Budget): Promise<Checkpoint> {
  return withFile(path, (bytes) => readBytes(bytes, path, budget));
}

/**
 * Reads bytes. `path` is their location, for a format that keeps tensors in separate files. The result describes the
 * first of the formats that can read the file, and its verdict considers all of them.
 */
export async function readBytes(bytes: Bytes, path?: string, budget: Budget = createBudget()): Promise<Checkpoint> {
  const readInner = innerReader(budget, DEEPEST, { left: MOST_INNER });
  return readByAll(metered(bytes, budget), path, budget, readInner);
}

async function readByAll(
  bytes: Bytes,
  path: string | undefined,
  budget: Budget,
  readInner: ReadInner,
): Promise<Checkpoint> {
  const file: FileToRead = { bytes, budget, path, readInner, join: joined };
  let shown: Format = 'unknown';
  const read = async () => {
    const [format, ...others] = await formatsOf(bytes, budget);
    shown = format;
    const checkpoint = await readAs(format, file);
    const readings: Checkpoint[] = [];
    for (const other of others) {
      // No verdict is worse, so the other readers no longer matter.
      if ([checkpoint, ...readings].some(({ safety }) => safety.verdict === 'dangerous')) break;
      readings.push(await readAs(other, file));
    }
    return joined(checkpoint, readings);
  };
  return orUnfinished(read, (why) => unfinished(shown, bytes.size, why));
}

/** Levels of nested archives that are followed, and the number of files inspected in all of them. */
const DEEPEST = 3;
const MOST_INNER = 200;

function innerReader(budget: Budget, levels: number, count: { left: number }): ReadInner {
  return async (content) => {
    if (levels === 0 || count.left-- <= 0) return undefined;
    // Each HDF5 file would start a thread.
    if ((await formatsOf(content, budget)).includes('hdf5')) return undefined;
    const checkpoint = await readByAll(content, undefined, budget, innerReader(budget, levels - 1, count));
    return { checkpoint, isOtherFile: FORMATS[checkpoint.format].kind === 'other' };
  };
}

/** Reads a file as the given format. A reader is imported when its format first occurs. */
async function readAs(format: Format, file: FileToRead): Promise<Checkpoint> {
  const { read, problem } = FORMATS[format];
  return read ? read(file) : unread(format, file.bytes.size, problem);
}
