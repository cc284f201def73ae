import type { Bytes } from './bytes.ts';
import type { Checkpoint } from './checkpoint.ts';
import { bytesOfElements } from './dtypes.ts';
import { interpretPickle, type Pickle } from './pickle/interpret.ts';
import { isKind } from './pickle/symbols.ts';
import { storagesOf } from './pickle/tensors.ts';
import { describeUnpickled } from './unpickled.ts';

/** The pickle of the number 0x1950a86a20f9469cfc6c, protocol 2, with which PyTorch before 1.6 starts a file. */
const MAGIC = Buffer.from('80028a0a6cfc9c46f9206aa850192e', 'hex');

export async function isTorchLegacy(bytes: Bytes): Promise<boolean> {
  return MAGIC.equals(await bytes.read(0, MAGIC.length));
}

export interface LegacyPickles {
  /** Of the object that loading returns. */
  readonly object: Pickle;
  /** The others: magic number, protocol version, about the machine, and the storages' keys, as far as there are. */
  readonly others: readonly Pickle[];
  readonly bigEndian: boolean;
  /** The storages' keys, in the order in which their bytes follow; undefined when they could not be read. */
  readonly keys?: readonly string[];
}

/** The five pickles that such a file starts with. */
export async function legacyPickles(bytes: Bytes): Promise<LegacyPickles> {
  const pickles: Pickle[] = [];
  for (let index = 0; index < 5; index++) {
    const pickle = await interpretPickle(bytes, pickles.at(-1)?.end ?? 0);
    pickles.push(pickle);
    if (pickle.trouble !== undefined) break;
  }
  const object = pickles[3] ?? (pickles.at(-1) as Pickle);
  const machine = pickles[2]?.value;
  const keys = pickles[4]?.value;
  return {
    object,
    others: pickles.filter((pickle) => pickle !== object),
    bigEndian:
      isKind(machine, 'dict') && machine.entries.some(([key, value]) => key === 'little_endian' && value === false),
    keys: isKind(keys, 'list') ? keys.items.map(String) : undefined,
  };
}

/** A file of `torch.save` before 1.6, or with `_use_new_zipfile_serialization=False`. */
export async function readTorchLegacy(bytes: Bytes): Promise<Checkpoint> {
  const { object, others, bigEndian, keys } = await legacyPickles(bytes);
  const storages = storagesOf(object);
  const problems: string[] = [];
  if (keys && storages) {
    // Before the bytes of each storage stands its number of elements.
    const lengths = storages.reduce((sum, { dtype, count }) => sum + bytesOfElements(dtype, count), 8 * keys.length);
    const missing = (others.at(-1)?.end ?? 0) + lengths - bytes.size;
    if (missing > 0) problems.push(`The file is cut off: ${missing} bytes of its tensors are missing.`);
  }
  const writtenBy = bigEndian ? 'PyTorch, on a big-endian machine' : 'PyTorch';
  return describeUnpickled({
    format: 'torch-legacy',
    size: bytes.size,
    writtenBy,
    main: object,
    others,
    storages,
    problems,
  });
}
