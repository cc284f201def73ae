import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { refuseSpecial, Unreadable } from '../projectFile.ts';
import { type Budget, createBudget } from './budget.ts';
import { type Bytes, metered, withFile } from './bytes.ts';
import type { Checkpoint, Format } from './checkpoint.ts';
import { withDoubts } from './doubts.ts';
import { isPartsList } from './folderCode.ts';
import { standsForFolder, weightsAmong } from './folderFiles.ts';
import type { FileToRead } from './formats/declaration.ts';
import { FORMAT_IDS, FORMATS } from './formats/index.ts';
import type { ReadInner } from './innerFiles.ts';
import { combined } from './readings.ts';
import { formatsOf } from './sniff.ts';
import { unfinishedCheckpoint, unreadCheckpoint, withFallback } from './unreadCheckpoint.ts';

/**
 * Reads the description in a file or a folder of any format. The path of a TensorFlow checkpoint may omit the suffix of
 * its index. Everything that is read for the description shares the budget; the base model of an adapter has its own. Only
 * files that `mayRead` allows are read. @throws the system's error if it cannot be opened, or Unreadable.
 */
export async function readCheckpoint(
  path: string,
  budget: Budget = createBudget(),
  mayRead: MayRead = () => true,
): Promise<Checkpoint> {
  const entry = await stat(path).catch(async (error) => {
    if (!(await isIndexed(path))) throw error;
    return undefined;
  });
  if (!entry) return readFile(`${path}.index`, budget, mayRead);
  if (entry.isDirectory()) return readFolder(path, budget, mayRead);
  refuseSpecial(entry);
  // An editor opens files, and this file represents the folder that it describes.
  if (standsForFolder(basename(path))) return readFolder(dirname(path), budget, mayRead);
  return readWeights(path, budget, mayRead);
}

/** Reads a file, the files that it lists if it is an index, and the configuration beside it. */
async function readWeights(path: string, budget: Budget, mayRead: MayRead): Promise<Checkpoint> {
  const whole = await readParts(path, budget, mayRead);
  const { withConfiguration } = await import('./modelFolder.ts');
  const bases = { mayRead, read: (folder: string) => readBase(folder, createBudget(), mayRead) };
  return withFallback(
    () => withConfiguration(whole, path, budget, bases),
    (why) => withDoubts(whole, [`the configuration beside it ${why}`]),
  );
}

type MayRead = (folder: string) => boolean;

/** Reads a file, and the files that it lists if it is an index. */
async function readParts(path: string, budget: Budget, mayRead: MayRead): Promise<Checkpoint> {
  const checkpoint = await readFile(path, budget, mayRead);
  return checkpoint.format === 'json' ? readIndexed(checkpoint, path, budget, mayRead) : checkpoint;
}

/** Reads the weights of an adapter's base model; undefined for a folder without any. */
async function readBase(folder: string, budget: Budget, mayRead: MayRead): Promise<Checkpoint | undefined> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('adapter_') && mayRead(join(folder, name)));
  const { folder: pipeline } = FORMATS['diffusers-pipeline'];
  if (pipeline?.holds(names)) return pipeline.read(folder, names, budget, (part) => readParts(part, budget, mayRead));
  const file = weightsAmong(names);
  return file === undefined ? undefined : readParts(join(folder, file), budget, mayRead);
}

/** Reads the checkpoint whose files are listed in a JSON index; returns the JSON itself if it is not an index. */
async function readIndexed(json: Checkpoint, path: string, budget: Budget, mayRead: MayRead): Promise<Checkpoint> {
  const { readShards, shardsIn } = await import('./shards.ts');
  const read = async () => {
    const shards = await withFile(path, (bytes) => shardsIn(bytes, budget));
    return shards ? readShards(shards, budget, (shard) => readFile(join(dirname(path), shard), budget, mayRead)) : json;
  };
  return withFallback(read, (why) => unfinishedCheckpoint('json', json.size, why));
}

async function isIndexed(path: string): Promise<boolean> {
  const index = await stat(`${path}.index`).catch(() => undefined);
  return index?.isFile() === true;
}

/** Reads a folder that is a model in a folder format or that contains one checkpoint as several files with an index. */
async function readFolder(path: string, budget: Budget, mayRead: MayRead): Promise<Checkpoint> {
  const all = await readdir(path);
  const names = all.filter((name) => mayRead(join(path, name)));
  const checkpoint = await readNamed(path, names, budget, mayRead);
  return withDoubts(checkpoint, names.length < all.length ? [`it has links to files that ${MAY_NOT_BE_READ}`] : []);
}

const MAY_NOT_BE_READ = 'may not be read';

async function readNamed(
  path: string,
  names: readonly string[],
  budget: Budget,
  mayRead: MayRead,
): Promise<Checkpoint> {
  const { otherWeights, withFolderCode, withOtherWeights, withParts } = await import('./modelFolder.ts');
  const read = (file: string) => readWeights(file, budget, mayRead);
  for (const format of FORMAT_IDS) {
    const { folder } = FORMATS[format];
    if (folder?.holds(names))
      return withFallback(
        async () => {
          const checkpoint = await folder.read(path, names, budget, read);
          if (format !== 'diffusers-pipeline') return checkpoint;
          return withParts(await withFolderCode(checkpoint, path, budget, mayRead), path, {}, budget, mayRead);
        },
        (why) => unfinishedCheckpoint(format, 0, why),
      );
  }
  const file = weightsAmong(names);
  const main =
    file === undefined ? unreadCheckpoint('folder', 0, FORMATS.folder.problem) : await read(join(path, file));
  return withFallback(
    async () => {
      const checkpoint =
        file === undefined
          ? await withFolderCode(main, path, budget, mayRead)
          : await withOtherWeights(main, otherWeights(names, file), (name) => read(join(path, name)));
      return names.some(isPartsList) ? withParts(checkpoint, path, { weights: read }, budget, mayRead) : checkpoint;
    },
    (why) => withDoubts(main, [`it ${why}`]),
  );
}

async function readFile(path: string, budget: Budget, mayRead: MayRead): Promise<Checkpoint> {
  if (!mayRead(path)) throw new Unreadable(MAY_NOT_BE_READ);
  return withFallback(
    () => {
      budget.spend(STEPS_PER_FILE);
      return withFile(path, (bytes) => readBytes(bytes, path, budget));
    },
    (why) => unfinishedCheckpoint('unknown', 0, why),
  );
}

/** Opens and closes a file and starts its reader. */
const STEPS_PER_FILE = 80_000;

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
