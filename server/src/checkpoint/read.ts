import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Budget, createBudget } from './budget.ts';
import { type Bytes, metered, refuseSpecial, withFile } from './bytes.ts';
import type { Checkpoint, Format } from './checkpoint.ts';
import { joined } from './doubts.ts';
import type { ReadInner } from './innerFiles.ts';
import { formatsOf } from './sniff.ts';
import { orUnfinished, unfinished, unread } from './unread.ts';

/**
 * Reads what a file or a folder says of itself, whatever it is. A checkpoint of TensorFlow may be named as it calls it
 * itself: without the suffix of its index. All that is read for it shares the budget. @throws the system's error when it
 * cannot be opened, or NotRegular.
 */
export async function readCheckpoint(path: string, budget: Budget = createBudget()): Promise<Checkpoint> {
  const entry = await stat(path).catch(async (error) => {
    if (!(await isIndexed(path))) throw error;
    return undefined;
  });
  if (!entry) return readFile(`${path}.index`, budget);
  if (entry.isDirectory()) return readFolder(path, budget);
  refuseSpecial(entry);
  // An editor opens files: this one stands for the folder that it describes.
  if (basename(path) === 'saved_model.pb') return readFolder(dirname(path), budget);
  const checkpoint = await readFile(path, budget);
  if (checkpoint.format !== 'json') return checkpoint;
  const { readShards, shardsIn } = await import('./shards.ts');
  const read = async () => {
    const shards = await withFile(path, (bytes) => shardsIn(bytes, budget));
    return shards ? readShards(shards, budget, (shard) => readFile(join(dirname(path), shard), budget)) : checkpoint;
  };
  return orUnfinished(read, (why) => unfinished('json', checkpoint.size, why));
}

async function isIndexed(path: string): Promise<boolean> {
  const index = await stat(`${path}.index`).catch(() => undefined);
  return index?.isFile() === true;
}

/** A folder is a SavedModel or a package of Core ML, or holds one checkpoint in several files and their index. */
async function readFolder(path: string, budget: Budget): Promise<Checkpoint> {
  const names = await readdir(path);
  const { isSavedModel, readSavedModel } = await import('./formats/tensorflow/savedModel.ts');
  if (isSavedModel(names))
    return orUnfinished(
      () => readSavedModel(path, names, budget),
      (why) => unfinished('saved-model', 0, why),
    );
  const { isCoreMlPackage, readCoreMlPackage } = await import('./formats/coreml/package.ts');
  if (isCoreMlPackage(names))
    return orUnfinished(
      () => readCoreMlPackage(path, budget),
      (why) => unfinished('coreml', 0, why),
    );
  const indexes = names.filter((name) => name.endsWith('.index.json'));
  // Small models are saved in one file, without an index.
  const files = indexes.length === 0 ? names.filter((name) => WEIGHTS.test(name)) : indexes;
  const [file] = files;
  return file !== undefined && files.length === 1 ? readCheckpoint(join(path, file), budget) : unread('folder', 0);
}

/** The names under which transformers, diffusers and PEFT save the weights in a folder. */
const WEIGHTS = /^(model|pytorch_model|adapter_model|diffusion_pytorch_model)\.(safetensors|bin)$/;

async function readFile(path: string, budget: Budget): Promise<Checkpoint> {
  return withFile(path, (bytes) => readBytes(bytes, path, budget));
}

/**
 * The same, of bytes that are at hand; `path` is where they lie, for a format whose tensors lie beside it. It is described
 * as the first of the formats as which it can be read, and judged by all of them.
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
  let shown: Format = 'unknown';
  const read = async () => {
    const [format, ...others] = await formatsOf(bytes, budget);
    shown = format;
    const checkpoint = await readAs(format, bytes, path, budget, readInner);
    const readings: Checkpoint[] = [];
    for (const other of others) {
      // Nothing is worse, whatever the other readers find.
      if ([checkpoint, ...readings].some(({ safety }) => safety.verdict === 'dangerous')) break;
      readings.push(await readAs(other, bytes, path, budget, readInner));
    }
    return joined(checkpoint, readings);
  };
  return orUnfinished(read, (why) => unfinished(shown, bytes.size, why));
}

/** Archives within archives are followed so far, and so many files in all of them are looked into. */
const DEEPEST = 3;
const MOST_INNER = 200;

function innerReader(budget: Budget, levels: number, count: { left: number }): ReadInner {
  return async (content) => {
    if (levels === 0 || count.left-- <= 0) return undefined;
    // For each HDF5 file a thread would be started.
    if ((await formatsOf(content, budget)).includes('hdf5')) return undefined;
    return readByAll(content, undefined, budget, innerReader(budget, levels - 1, count));
  };
}

/** Reads a file as of that format. Each reader is loaded when its format is met. */
async function readAs(
  format: Format,
  bytes: Bytes,
  path: string | undefined,
  budget: Budget,
  readInner: ReadInner,
): Promise<Checkpoint> {
  switch (format) {
    case 'zip':
      return (await import('./formats/zipFile.ts')).readZip(bytes, budget, readInner);
    case 'torch-legacy':
      return (await import('./formats/torch/legacy.ts')).readTorchLegacy(bytes, budget);
    case 'pickle':
      return (await import('./formats/plainPickle.ts')).readPlainPickle(bytes, budget);
    case 'tar':
      return (await import('./formats/tarFile.ts')).readTar(bytes, budget, readInner);
    case 'gzip':
    case 'compressed':
      return (await import('./formats/compressed.ts')).readCompressed(format, bytes, budget, readInner);
    case 'gguf':
      return (await import('./formats/gguf/gguf.ts')).readGguf(bytes, budget);
    case 'hdf5':
      return (await import('./formats/hdf5/hdf5.ts')).readHdf5(bytes, budget);
    case 'tensorflow-checkpoint':
      return (await import('./formats/tensorflow/bundle.ts')).readBundle(bytes, budget, path);
    case 'onnx':
      return (await import('./formats/onnx/onnx.ts')).readOnnx(bytes, budget, path);
    case 'tflite':
      return (await import('./formats/tflite.ts')).readTflite(bytes, budget);
    case 'coreml':
      return (await import('./formats/coreml/coreml.ts')).readCoreMl(bytes, budget);
    case 'json':
      return (await import('./formats/json.ts')).readJson(bytes, budget);
    case 'keras-metadata':
      return (await import('./formats/tensorflow/kerasMetadata.ts')).readKerasMetadata(bytes, budget);
    case 'numpy':
      return (await import('./formats/numpy/numpy.ts')).readNumpy(bytes, budget);
    case 'safetensors':
      return (await import('./formats/safetensors/safetensors.ts')).readSafetensors(bytes, budget);
    default:
      return unread(format, bytes.size, await problemOf(format, bytes));
  }
}

async function problemOf(format: Format, bytes: Bytes): Promise<string | undefined> {
  if (format === 'git-lfs-pointer') {
    const size = /^size (\d+)/m.exec((await bytes.read(0, 512)).toString('latin1'))?.[1];
    return `It is a Git LFS pointer to ${size ? `a file of ${size} bytes` : 'a file'}: run \`git lfs pull\` to have the file itself.`;
  }
  return format === 'text' ? problemOfText((await bytes.read(0, 512)).toString('utf8')) : undefined;
}

/** What stands in for a file that is kept elsewhere, or says why a server did not send it. */
function problemOfText(text: string): string | undefined {
  if (/^outs:\s*\n\s*- (md5|hash|size|path):/m.test(text))
    return 'It is a DVC pointer: run `dvc pull` to have the file itself.';
  if (/^(\.\.\/)*(\.git)?\/annex\/objects\//.test(text))
    return 'It is a git-annex pointer: run `git annex get` to have the file itself.';
  const [line = ''] = text.trim().split(/[\r\n]/, 1);
  if (line === '') return undefined;
  // Only what a server has answered is quoted: any other file may hold what is nobody else's business.
  if (!SERVER_ANSWER.test(line)) return 'It is text, not a checkpoint.';
  return `It is text, not a checkpoint: a server answered \`${line.slice(0, 80).replaceAll('`', "'")}\`.`;
}

const SERVER_ANSWER =
  /^[\w\s.,:'"{}<>()/-]*\b(not found|denied|unauthori[sz]ed|forbidden|invalid (?:username|credentials|token)|quota|rate limit|too many requests|temporarily unavailable|gated repo|restricted)\b/i;
