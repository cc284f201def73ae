import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Bytes, withFile } from './bytes.ts';
import type { Checkpoint, Format } from './checkpoint.ts';
import { sniff } from './sniff.ts';

/**
 * Reads what a file or a folder says of itself, whatever it is. A checkpoint of TensorFlow may be named as it calls it
 * itself: without the suffix of its index. @throws the system's error when it cannot be opened.
 */
export async function readCheckpoint(path: string): Promise<Checkpoint> {
  const entry = await stat(path).catch(async (error) => {
    if (!(await isIndexed(path))) throw error;
    return undefined;
  });
  if (!entry) return readFile(`${path}.index`);
  if (entry.isDirectory()) return readFolder(path);
  if (!entry.isFile()) return unread('unknown', 0, 'It is no file but a device, a pipe or a socket: it is not opened.');
  // An editor opens files: this one stands for the folder that it describes.
  if (basename(path) === 'saved_model.pb') return readFolder(dirname(path));
  const checkpoint = await readFile(path);
  if (checkpoint.format !== 'json') return checkpoint;
  const { readShards, shardsIn } = await import('./shards.ts');
  const shards = await withFile(path, shardsIn);
  return shards ? readShards(shards, (shard) => readFile(join(dirname(path), shard))) : checkpoint;
}

async function isIndexed(path: string): Promise<boolean> {
  const index = await stat(`${path}.index`).catch(() => undefined);
  return index?.isFile() === true;
}

/** A folder is a SavedModel, or holds one checkpoint in several files and their index. */
async function readFolder(path: string): Promise<Checkpoint> {
  const names = await readdir(path);
  const { isSavedModel, readSavedModel } = await import('./tensorflow/savedModel.ts');
  if (isSavedModel(names)) return readSavedModel(path, names);
  const indexes = names.filter((name) => name.endsWith('.index.json'));
  const [index] = indexes;
  return index !== undefined && indexes.length === 1 ? readCheckpoint(join(path, index)) : unread('folder', 0);
}

async function readFile(path: string): Promise<Checkpoint> {
  return withFile(path, (bytes) => readBytes(bytes, path));
}

/**
 * The same, of bytes that are at hand; `path` is where they lie, for a format whose tensors lie beside it. Each reader is
 * loaded when its format is met.
 */
export async function readBytes(bytes: Bytes, path?: string): Promise<Checkpoint> {
  const format = await sniff(bytes);
  switch (format) {
    case 'zip':
      return readZip(bytes);
    case 'torch-legacy':
      return (await import('./torchLegacy.ts')).readTorchLegacy(bytes);
    case 'pickle':
      return (await import('./plainPickle.ts')).readPlainPickle(bytes);
    case 'tar':
      return readTar(bytes);
    case 'gguf':
      return (await import('./gguf.ts')).readGguf(bytes);
    case 'hdf5':
      return (await import('./hdf5/hdf5.ts')).readHdf5(bytes);
    case 'tensorflow-checkpoint':
      return (await import('./tensorflow/bundle.ts')).readBundle(bytes, path);
    case 'onnx':
      return (await import('./onnx.ts')).readOnnx(bytes);
    case 'numpy':
      return (await import('./numpy.ts')).readNumpy(bytes);
    case 'safetensors':
      return (await import('./safetensors.ts')).readSafetensors(bytes);
    default:
      return unread(format, bytes.size, await problemOf(format, bytes));
  }
}

async function readZip(bytes: Bytes): Promise<Checkpoint> {
  const [{ readArchive }, torch, keras] = await Promise.all([
    import('./zip.ts'),
    import('./torchZip.ts'),
    import('./keras.ts'),
  ]);
  const archive = await readArchive(bytes);
  if (!archive)
    return unread(
      'zip',
      bytes.size,
      'The ZIP file has no readable table of contents at its end: it was cut off or damaged.',
    );
  switch (torch.torchKindOf(archive)) {
    case 'torch':
      return torch.readTorchZip(bytes, archive);
    case 'torchscript':
      return torch.readTorchScript(bytes, archive);
    case 'torch-package':
      return torch.readTorchPackage(bytes, archive);
    case 'torch-export':
      return (await import('./torchExport.ts')).readTorchExport(bytes, archive);
  }
  if (keras.isKeras(archive)) return keras.readKeras(bytes, archive);
  if (archive.members.some(({ name }) => name.endsWith('.npy')))
    return (await import('./numpy.ts')).readNumpyArchive(bytes, archive);
  return unread('zip', bytes.size, 'It is a ZIP file, and of what it holds nothing is a checkpoint.');
}

async function readTar(bytes: Bytes): Promise<Checkpoint> {
  const [{ tarMembers }, { isTorchTar, readTorchTar }] = await Promise.all([
    import('./tar.ts'),
    import('./torchTar.ts'),
  ]);
  const members = await tarMembers(bytes);
  return isTorchTar(members)
    ? readTorchTar(bytes.size, members)
    : unread('tar', bytes.size, 'It is a tar archive, and of what it holds nothing is a checkpoint.');
}

const PROBLEMS: Partial<Record<Format, string>> = {
  empty: 'The file is empty.',
  html: 'It is a web page, as a download gives that was answered by a login or an error page.',
  json: 'It is JSON text, no checkpoint.',
  text: 'It is text, no checkpoint.',
  gzip: 'It is compressed by gzip: unpack it to see what is inside.',
  unknown: 'It is of no format that is known here.',
  folder: 'It is a folder, and no model in the form of a folder.',
};
const NOT_LISTED = 'What is inside is not listed here.';

async function problemOf(format: Format, bytes: Bytes): Promise<string> {
  if (format === 'git-lfs-pointer') {
    const size = /^size (\d+)/m.exec((await bytes.read(0, 512)).toString('latin1'))?.[1];
    return `It is a Git LFS pointer to ${size ? `a file of ${size} bytes` : 'a file'}: run \`git lfs pull\` to have the file itself.`;
  }
  return PROBLEMS[format] ?? NOT_LISTED;
}

function unread(format: Format, size: number, problem = PROBLEMS[format] ?? NOT_LISTED): Checkpoint {
  return {
    format,
    size,
    tensors: [],
    imports: [],
    safety: { verdict: 'not-checked', reason: 'Not checked: it could not be read as a checkpoint.' },
    problems: [problem],
  };
}
