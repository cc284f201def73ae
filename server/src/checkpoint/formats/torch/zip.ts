import { firstTorchWith } from '../../../published/releases/torchReleases.ts';
import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint, Entry, ScriptVersion } from '../../checkpoint.ts';
import { bytesOfStorage } from '../../dtypes.ts';
import type { Archive, Member } from '../../encodings/zip.ts';
import { enumeratedCode } from '../../enumerated.ts';
import { createEntryList } from '../../metadata.ts';
import { numberIn, sizeOfNumber } from '../../numbers.ts';
import type { Pickle } from '../../pickle/interpret.ts';
import { readPickle } from '../../pickle/readPickle.ts';
import { type ScalarTensor, type Storage, scalarTensorsOf, storagesOf, tensorsOf } from '../../pickle/tensors.ts';
import { noObservations } from '../../pickle/workspace.ts';
import { describeUnpickled } from '../../unpickledFile.ts';
import { needsTrust } from '../../verdicts.ts';

/** The member that contains the program in files written by `torch.export.save` before 2.8. */
const OLD_EXPORT = 'serialized_exported_program.json';

/**
 * Returns the kind of PyTorch file that an archive is, according to the members in its first folder; undefined for
 * other archives.
 */
export function torchKindOf(archive: Archive): 'torch' | 'torchscript' | 'torch-export' | 'torch-package' | undefined {
  const { members } = archive;
  const [root = ''] = members[0]?.name.split('/') ?? [];
  const names = new Set<string>();
  // Storage contents are numerous and do not help to decide.
  for (const { name } of members)
    if (name.startsWith(`${root}/`) && !/\/data\/\d+$/.test(name)) names.add(name.slice(root.length + 1));
  if (names.has('.data/extern_modules')) return 'torch-package';
  if (names.has('archive_format') || names.has(OLD_EXPORT)) return 'torch-export';
  if (names.has('constants.pkl')) return 'torchscript';
  return hasPickle(archive) ? 'torch' : undefined;
}

/** True if `torch.load` finds a pickle in an archive. */
export function hasPickle(archive: Archive): boolean {
  return membersNamed(archive, 'data.pkl').length > 0;
}

/** Reads a file written by `torch.save`. Only its pickle and single numbers are read. */
export async function readTorchZip(bytes: Bytes, archive: Archive, budget: Budget): Promise<Checkpoint> {
  const pickles = await picklesOf(archive, budget);
  const [main = UNREADABLE, ...others] = pickles;
  const storages = allKnown(pickles.map(storagesOf));
  const writtenBy = await writerOf(archive);
  const checkpoint = describeUnpickled({
    format: 'torch',
    size: bytes.size,
    writtenBy,
    main,
    others,
    storages,
    problems: missingStorages(archive, storages ?? []),
  });
  const values = await valuesOf(scalarTensorsOf(main.value), archive, writtenBy === BIG_ENDIAN);
  return values.length === 0 ? checkpoint : { ...checkpoint, metadata: [...(checkpoint.metadata ?? []), ...values] };
}

/** Reads the values of one-element tensors. */
async function valuesOf(tensors: readonly ScalarTensor[], archive: Archive, isBigEndian: boolean): Promise<Entry[]> {
  const list = createEntryList();
  for (const { name, storage, offset } of tensors) {
    const size = sizeOfNumber(storage.dtype);
    const [member] = membersNamed(archive, `data/${storage.key}`);
    if (size === undefined || !member) continue;
    const end = (offset + 1) * size;
    if (end > LONGEST_STORAGE_READ) continue;
    const content = await (await archive.openStart(member, end))?.read(end - size, size);
    const value = content && numberIn(content, storage.dtype, isBigEndian);
    if (value !== undefined) list.add(name, value);
  }
  return [...list.entries];
}

/** Number of bytes read from the start of a storage to reach a number. */
const LONGEST_STORAGE_READ = 4096;

const BIG_ENDIAN = 'PyTorch, on a big-endian machine';

/**
 * Reads the pickles of a `torch.save` file. There should be only one; if there are several, readers differ in which one
 * they use.
 */
export function picklesOf(archive: Archive, budget: Budget): Promise<Pickle[]> {
  return picklesIn(archive, membersNamed(archive, 'data.pkl'), budget);
}

/** Maximum number of pickles read per archive. */
const MOST_PICKLES = 1000;

async function picklesIn(archive: Archive, members: readonly Member[], budget: Budget): Promise<Pickle[]> {
  const pickles: Pickle[] = [];
  for (const member of members.slice(0, MOST_PICKLES)) {
    const content = await archive.open(member);
    pickles.push(...(content ? await readPickle(content, budget) : [UNREADABLE]));
    if (pickles.at(-1)?.trouble !== undefined) break;
  }
  return members.length > MOST_PICKLES ? [...pickles, UNREADABLE] : pickles;
}

/**
 * Reads a file written by `torch.jit.save`. It is loaded by PyTorch's own interpreter; Python does not unpickle
 * anything.
 */
export async function readTorchScript(bytes: Bytes, archive: Archive, budget: Budget): Promise<Checkpoint> {
  const members = ['data.pkl', 'constants.pkl'].flatMap((name) => membersNamed(archive, name));
  const pickles = await picklesIn(archive, members, budget);
  const storages = allKnown(pickles.map(storagesOf));
  const trouble = pickles.find((pickle) => pickle.trouble !== undefined)?.trouble;
  return {
    format: 'torchscript',
    size: bytes.size,
    writtenBy: await writerOf(archive),
    tensors: pickles.flatMap(({ value }) => tensorsOf(value)),
    devices: storages && !trouble ? devicesOf(storages) : undefined,
    about: await aboutCode(archive),
    script: await scriptVersionOf(archive),
    imports: [],
    safety: needsTrust(
      'It contains a TorchScript program: loading it runs the `__setstate__` methods of its classes, calling it runs the rest, and both can write files.',
    ),
    problems: [
      ...missingStorages(archive, storages ?? []),
      ...(trouble ? [`It could not be read completely: its pickle ${trouble}.`] : []),
    ],
  };
}

/** Programs with versioned operators store the format version in another folder. */
async function scriptVersionOf(archive: Archive): Promise<ScriptVersion | undefined> {
  const [member] = ['.data/version', 'version'].flatMap((name) => membersNamed(archive, name));
  const text = member && (await (await archive.open(member, 64))?.read(0, 64))?.toString('latin1');
  const format = Number.parseInt(text ?? '', 10);
  if (!(format > 0)) return undefined;
  return {
    format,
    ...(membersNamed(archive, 'byteorder').length > 0 && { writtenSince: firstTorchWith('byte_order') }),
  };
}

/** Limits on the source files of a program that are searched. */
const MOST_SOURCES = 500;
const LONGEST_SOURCE = 1024 * 1024;

/** Reports devices in a program's code: tracing writes them into the code, and scripting keeps those in the source. */
async function aboutCode(archive: Archive): Promise<string[]> {
  const sources = archive.members.filter(({ name }) => /^[^/]*\/code\/.*\.py$/.test(name));
  const devices = new Set<string>();
  for (const source of sources.slice(0, MOST_SOURCES)) {
    const start = await archive.openStart(source, LONGEST_SOURCE);
    const text = (await start?.read(0, LONGEST_SOURCE))?.toString('latin1') ?? '';
    for (const [, device = ''] of text.matchAll(/torch\.device\("((?!cpu|meta)[a-z]{1,20}(?::\d{1,3})?)"\)/g))
      if (device !== '') devices.add(device);
  }
  const named = enumeratedCode([...devices].sort());
  return named === '' ? [] : [`Its code puts tensors on ${named} when it runs; \`map_location\` does not change that.`];
}

/** Reads a file written by `torch.package`: Python source and pickles. */
export async function readTorchPackage(bytes: Bytes, archive: Archive, budget: Budget): Promise<Checkpoint> {
  const members = archive.members.filter(({ name }) => name.endsWith('.pkl'));
  const pickles = await picklesIn(archive, members, budget);
  const storages = allKnown(pickles.map(storagesOf));
  const isWhole = storages && pickles.every(({ trouble }) => trouble === undefined);
  return {
    format: 'torch-package',
    size: bytes.size,
    writtenBy: 'PyTorch',
    tensors: pickles.flatMap(({ value }) => tensorsOf(value)),
    devices: isWhole ? devicesOf(storages) : undefined,
    imports: [],
    safety: needsTrust('It contains Python source, which loading it runs.'),
    problems: [],
  };
}

/** Stands for a pickle that cannot be decompressed. */
export const UNREADABLE: Pickle = {
  ...noObservations(),
  end: 0,
  trouble: 'cannot be unpacked',
};

/** Returns the members with that name in any top-level folder. PyTorch ignores case. */
function membersNamed({ members }: Archive, wanted: string): Member[] {
  return members.filter(({ name }) => {
    const start = name.indexOf('/') + 1;
    return name.length - start === wanted.length && name.slice(start).toLowerCase() === wanted;
  });
}

async function writerOf(archive: Archive): Promise<string> {
  const [member] = membersNamed(archive, 'byteorder');
  const order = member && (await archive.open(member))?.read(0, 16);
  return (await order)?.toString('latin1') === 'big' ? BIG_ENDIAN : 'PyTorch';
}

function missingStorages({ members }: Archive, storages: readonly Storage[]): string[] {
  const sizes = new Map<string, number>();
  for (const { name, size } of members) sizes.set(name.slice(name.indexOf('/') + 1), size);
  const sizeOf = (key: string) => sizes.get(`data/${key}`) ?? sizes.get(`constants/${key}`) ?? -1;
  const missing = storages.filter(({ key, dtype, count }) => sizeOf(key) < (bytesOfStorage(dtype, count) ?? 0));
  if (missing.length === 0) return [];
  return [`The file is incomplete: the content of ${missing.length} of ${storages.length} storages is missing.`];
}

function allKnown(storages: readonly (readonly Storage[] | undefined)[]): Storage[] | undefined {
  const known = storages.filter((each) => each !== undefined);
  return known.length === storages.length ? known.flat() : undefined;
}

function devicesOf(storages: readonly Storage[]): string[] {
  return [...new Set(storages.map(({ location }) => location))].sort();
}
