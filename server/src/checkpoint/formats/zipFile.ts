import type { Budget } from '../budget.ts';
import type { Bytes } from '../bytes.ts';
import type { Checkpoint, Format } from '../checkpoint.ts';
import { withDoubts, withSafety } from '../doubts.ts';
import { type Archive, type Member, readArchive } from '../encodings/zip.ts';
import { judgeInnerFiles, type ReadInner } from '../innerFiles.ts';
import { unreadCheckpoint, ZIP_WITHOUT_CHECKPOINT } from '../unreadCheckpoint.ts';
import { needsTrust } from '../verdicts.ts';
import type { FileToRead } from './declaration.ts';

/** Reads a ZIP file with every loader that accepts it, and then the members that no loader reads. */
export async function readZip({ bytes, budget, readInner, join }: FileToRead): Promise<Checkpoint> {
  const archive = await readArchive(bytes, budget);
  if (archive === undefined) return unreadCheckpoint('zip', bytes.size, NO_TABLE);
  if (typeof archive === 'string')
    return unreadCheckpoint('zip', bytes.size, `The ZIP file was not inspected: ${archive}.`);
  const [first, ...others] = await readingsOf(bytes, archive, budget, readInner);
  const checkpoint = first ? join(first, others) : unreadCheckpoint('zip', bytes.size, ZIP_WITHOUT_CHECKPOINT);
  const unreadMembers = archive.members.filter((member) => !isReadBy(checkpoint.format, member));
  const { safeties, imports, hasCheckpoint } = await judgeInnerFiles(
    unreadMembers.map((member) => ({ name: member.name, open: () => archive.open(member) })),
    readInner,
  );
  // A program's own pickles are read by its own interpreter, and the program's behavior is unknown anyway.
  const counted = PROGRAMS.includes(checkpoint.format)
    ? safeties.filter(({ verdict }) => verdict === 'dangerous')
    : [...safeties];
  const described = !first && hasCheckpoint ? { ...checkpoint, problems: [UNPACK] } : checkpoint;
  const names = new Set(archive.members.map(({ name }) => name));
  if (STABLE_BASELINES.every((name) => names.has(name)))
    counted.push(needsTrust('Stable-Baselines3 unpickles what its member `data` contains.'));
  return withDoubts(withSafety(described, counted, counted.length > 0 ? imports : []), archive.doubts());
}

const STABLE_BASELINES: readonly string[] = ['data', 'policy.pth'];

const NO_TABLE = 'The ZIP file has no readable table of contents at its end: it was cut off or damaged.';
const UNPACK = 'It is a ZIP file with checkpoints in it: unpack it to load them.';

async function readingsOf(bytes: Bytes, archive: Archive, budget: Budget, readInner: ReadInner): Promise<Checkpoint[]> {
  const [torch, keras] = await Promise.all([import('./torch/zip.ts'), import('./keras/keras.ts')]);
  const kind = torch.torchKindOf(archive);
  const readings: Checkpoint[] = [];
  if (kind === 'torchscript') readings.push(await torch.readTorchScript(bytes, archive, budget));
  if (kind === 'torch-package') readings.push(await torch.readTorchPackage(bytes, archive, budget));
  if (kind === 'torch-export')
    readings.push(await (await import('./torch/exportedProgram.ts')).readTorchExport(bytes, archive, budget));
  // `torch.load` reads the pickle regardless of other members. Before 1.6, it also reads the pickle of a TorchScript
  // program.
  if (torch.hasPickle(archive)) {
    const unpickled = await torch.readTorchZip(bytes, archive, budget);
    if (kind !== 'torchscript') readings.push(unpickled);
    else if (unpickled.safety.verdict === 'dangerous') readings.push(unpickled);
  }
  if (keras.isKeras(archive)) readings.push(await keras.readKerasFile(bytes, archive, budget));
  const served = await import('./torch/torchServe.ts');
  if (served.isTorchServe(archive)) readings.push(await served.readTorchServe(bytes, archive, budget, readInner));
  const { isNumpyArchive, readNumpyArchive } = await import('./numpy/numpy.ts');
  if (readings.length === 0 && isNumpyArchive(archive)) readings.push(await readNumpyArchive(bytes, archive, budget));
  return readings;
}

const PROGRAMS: readonly Format[] = ['torchscript', 'torch-package', 'torch-export'];

/** Suffixes of pickles and of files that may be pickles. */
const LOADABLE = /\.(pkl|pickle|p|pt|pth|ckpt|bin|joblib|npy|npz|dill|sav|h5|keras)$/i;

/**
 * Members that a format's loader reads. Formats that are not listed are programs, which are not checked; for them, any
 * member that cannot be a pickle counts as read.
 */
const READ: Partial<Record<Format, RegExp>> = {
  torch:
    /^[^/]*\/(data\.pkl|version|byteorder|\.format_version|\.storage_alignment|\.data\/(serialization_id|version)|data\/[^/]*)?$/i,
  keras: /^(metadata\.json|config\.json|model\.weights\.(h5|json)|assets\/.*\.txt)$/,
};

function isReadBy(format: Format, { name }: Member): boolean {
  if (name.endsWith('/')) return true;
  if (format === 'zip') return false;
  // Their readers check each member.
  if (format === 'numpy-archive' || format === 'torchserve') return true;
  return READ[format]?.test(name) ?? !LOADABLE.test(name);
}
