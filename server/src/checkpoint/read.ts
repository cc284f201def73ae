import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { refuseSpecial } from '../projectFile.ts';
import { type Budget, createBudget } from './budget.ts';
import { type Bytes, metered, withFile } from './bytes.ts';
import type { Checkpoint, Format } from './checkpoint.ts';
import { standsForFolder, weightsAmong } from './folderFiles.ts';
import type { FileToRead } from './formats/declaration.ts';
import { FORMAT_IDS, FORMATS } from './formats/index.ts';
import type { ReadInner } from './innerFiles.ts';
import { combined } from './readings.ts';
import { formatsOf } from './sniff.ts';
import { unfinishedCheckpoint, unreadCheckpoint, withFallback } from './unreadCheckpoint.ts';

/**
 * Reads the description in a file or a folder of any format. The path of a TensorFlow checkpoint may omit the suffix of
 * its index. Everything that is read for the description shares the budget. The base model of an adapter is read if
 * `mayReadBase` allows it, within a budget of its own. @throws the system's error if it cannot be opened, or
 * Unreadable.
 */
export async function readCheckpoint(
  path: string,
  budget: Budget = createBudget(),
  mayReadBase: MayRead = () => true,
): Promise<Checkpoint> {
  const entry = await stat(path).catch(async (error) => {
    if (!(await isIndexed(path))) throw error;
    return undefined;
  });
  if (!entry) return readFile(`${path}.index`, budget);
  if (entry.isDirectory()) return readFolder(path, budget, mayReadBase);
  refuseSpecial(entry);
  // An editor opens files, and this file represents the folder that it describes.
  if (standsForFolder(basename(path))) return readFolder(dirname(path), budget, mayReadBase);
  return readWeights(path, budget, mayReadBase);
}

/** Reads a file, the files that it lists if it is an index, and the configuration beside it. */
async function readWeights(path: string, budget: Budget, mayReadBase: MayRead): Promise<Checkpoint> {
  const whole = await readParts(path, budget);
  const { withConfiguration } = await import('./modelFolder.ts');
  const bases = { mayRead: mayReadBase, read: (folder: string) => readBase(folder, createBudget()) };
  return withFallback(
    () => withConfiguration(whole, path, budget, bases),
    () => whole,
  );
}

type MayRead = (folder: string) => boolean;

/** Reads a file, and the files that it lists if it is an index. */
async function readParts(path: string, budget: Budget): Promise<Checkpoint> {
  const checkpoint = await readFile(path, budget);
  return checkpoint.format === 'json' ? readIndexed(checkpoint, path, budget) : checkpoint;
}

/** Reads the weights of an adapter's base model; undefined for a folder without any. */
async function readBase(folder: string, budget: Budget): Promise<Checkpoint | undefined> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('adapter_'));
  const { folder: pipeline } = FORMATS['diffusers-pipeline'];
  if (pipeline?.holds(names)) return pipeline.read(folder, names, budget, (part) => readParts(part, budget));
  const file = weightsAmong(names);
  return file === undefined ? undefined : readParts(join(folder, file), budget);
}

/** Reads the checkpoint whose files are listed in a JSON index; returns the JSON itself if it is not an index. */
async function readIndexed(json: Checkpoint, path: string, budget: Budget): Promise<Checkpoint> {
  const { readShards, shardsIn } = await import('./shards.ts');
  const read = async () => {
    const shards = await withFile(path, (bytes) => shardsIn(bytes, budget));
    return shards ? readShards(shards, budget, (shard) => readFile(join(dirname(path), shard), budget)) : json;
  };
  return withFallback(read, (why) => unfinishedCheckpoint('json', json.size, why));
}

async function isIndexed(path: string): Promise<boolean> {
  const index = await stat(`${path}.index`).catch(() => undefined);
  return index?.isFile() === true;
}

/** Reads a folder that is a model in a folder format or that contains one checkpoint as several files with an index. */
async function readFolder(path: string, budget: Budget, mayReadBase: MayRead): Promise<Checkpoint> {
  const names = await readdir(path);
  for (const format of FORMAT_IDS) {
    const { folder } = FORMATS[format];
    if (folder?.holds(names))
      return withFallback(
        () => folder.read(path, names, budget, (part) => readWeights(part, budget, mayReadBase)),
        (why) => unfinishedCheckpoint(format, 0, why),
      );
  }
  const file = weightsAmong(names);
  if (file === undefined) return unreadCheckpoint('folder', 0, FORMATS.folder.problem);
  const checkpoint = await readWeights(join(path, file), budget, mayReadBase);
  const { aboutOtherWeights } = await import('./modelFolder.ts');
  const others = aboutOtherWeights(names, file);
  return others === undefined ? checkpoint : { ...checkpoint, about: [...(checkpoint.about ?? []), others] };
}

async function readFile(path: string, budget: Budget): Promise<Checkpoint> {
  return withFile(path, (bytes) => readBytes(bytes, path, budget));
}

/**
 * Reads bytes. `path` is their location, for a format that keeps tensors in separate files. The result describes the
 * file in the first format that can read it, and its verdict considers all of them.
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
  const file: FileToRead = { bytes, budget, path, readInner, join: combined };
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
    return combined(checkpoint, readings);
  };
  return withFallback(read, (why) => unfinishedCheckpoint(shown, bytes.size, why));
}

/** Maximum number of levels of nested archives that are followed, and of files inspected in all of them. */
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
  return read ? read(file) : unreadCheckpoint(format, file.bytes.size, problem);
}
