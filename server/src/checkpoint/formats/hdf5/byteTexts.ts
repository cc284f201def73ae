/**
 * Bytes in attributes and datasets that a library may unpickle. PyTables and pandas unpickle string attributes that end
 * with a full stop, hickle unpickles attributes named `type`, and all of them unpickle datasets that they marked.
 */
import { type Dataset as Hdf5Dataset, type Metadata, Module } from 'h5wasm';
import type { ByteText } from './outline.ts';

const INTEGER = 0;
const FLOAT = 1;
const STRING = 3;
const OPAQUE = 5;
const COMPOUND = 6;
const REFERENCE = 7;
const ENUM = 8;
const VLEN = 9;

/** Maximum number of bytes inspected per text, and in all texts of a file. */
const LONGEST = 1024 * 1024;
const MOST = 8 * 1024 * 1024;
/**
 * Number of bytes inspected of a numeric dataset. On nearly all of these, an unpickler fails within the first few
 * bytes.
 */
const LONGEST_NUMBERS = 16 * 1024;
/** Bytes of the longest attribute that is read. */
const LONGEST_ATTRIBUTE = 16 * 1024 * 1024;
/** Elements inspected in a dataset where each element is a separate text. */
const MOST_ELEMENTS = 1000;

/** Attributes that show which library wrote a file. */
const MARKS: Readonly<Record<string, string>> = {
  PYTABLES_FORMAT_VERSION: 'PyTables',
  PSEUDOATOM: 'PyTables',
  pandas_type: 'pandas',
  pandas_version: 'pandas',
  HICKLE_VERSION: 'hickle',
  HICKLE_PROTOCOL: 'hickle',
};
const HICKLE = 'hickle';
/** Attributes of datasets whose bytes PyTables and pandas unpickle. */
const PICKLE_ATTRIBUTES = /^(PSEUDOATOM|pandas_type)$/;
/**
 * Values that make PyTables read the lists in a dataset as text. For other values it unpickles the lists, after
 * unpickling the value itself.
 */
const TEXT_ATOM = /^vl(string|unicode)$/;
const PLAIN_FLAVOR = /^(?!Object$)\w+$/;

/** Collects the texts that a library may unpickle. */
export interface ByteTexts {
  readonly found: readonly ByteText[];
  /** True if there are more texts than are inspected, or other kinds of texts. */
  isIncomplete(): boolean;
  /** Libraries whose marks the file has. */
  readonly marks: ReadonlySet<string>;
  /**
   * Records the marks of an object. Call this for all objects first, because the marks decide what is unpickled in each
   * of them.
   */
  addMarks(fileId: bigint, path: string, names: readonly string[]): void;
  /** Collects the texts in an object's attributes. */
  addAttributes(fileId: bigint, path: string, names: readonly string[]): void;
  /** Collects the texts in a dataset; `names` are its attributes. */
  addContent(path: string, dataset: Hdf5Dataset, names: readonly string[]): void;
}

export function createByteTexts(spend: (steps: number) => void): ByteTexts {
  const found: ByteText[] = [];
  const marks = new Set<string>();
  let left = MOST;
  let isCut = false;

  const add = (where: string, content: Uint8Array, isPart = false) => {
    const text = withoutPadding(content);
    spend(text.length);
    // A pickle ends with a full stop, although other bytes may follow.
    if (text.length <= 2 || !(isPart || text.includes(0x2e))) return;
    left -= text.length;
    if (left < 0) isCut = true;
    else found.push({ where, content: text, isPart });
  };

  /** Adds the bytes of all elements in sequence, as h5py returns them. */
  const addWhole = (where: string, dataset: Hdf5Dataset, longest: number) => {
    const { size, total_size: count } = dataset.metadata;
    const isPart = count * size > longest;
    const content = isPart ? startOf(dataset, longest) : contentOf(dataset);
    if (!content) isCut = true;
    // Unless the first byte is an opcode, nothing is unpickled.
    else if (longest !== LONGEST_NUMBERS || isInstruction(content[0])) add(where, content, isPart);
  };

  /** Adds lists, each of which is a text. */
  const addLists = (where: string, dataset: Hdf5Dataset, isUnpickled: boolean) => {
    const { total_size: count, size, vlen_type: inner } = dataset.metadata;
    const isLong = count > MOST_ELEMENTS || count * size > LONGEST;
    const lists = isLong || inner?.type !== INTEGER || inner.size !== 1 ? undefined : listsOf(dataset);
    if (lists) for (const content of lists) add(where, content);
    else isCut ||= isUnpickled;
  };

  return {
    found,
    marks,
    isIncomplete: () => isCut,
    addMarks(fileId, path, names) {
      for (const name of names) {
        const mark = Object.hasOwn(MARKS, name) ? MARKS[name] : undefined;
        if (mark !== undefined) marks.add(mark);
        // Old versions of hickle write no other mark.
        if (name === 'CLASS' && textIn(fileId, path, name) === HICKLE) marks.add(HICKLE);
      }
    },
    addAttributes(fileId, path, names) {
      for (const name of names) {
        const where = `attribute \`${name}\``;
        const metadata = Module.get_attribute_metadata(fileId, path, name);
        const { type, shape, total_size: count, size } = metadata;
        if (!shape || count === 0) continue;
        if ((type === STRING || type === OPAQUE) && count === 1) {
          if (size > LONGEST_ATTRIBUTE) {
            isCut = true;
            continue;
          }
          const content = attributeBytes(fileId, path, name, metadata);
          // The longest texts are model descriptions in JSON, which their beginning shows.
          add(where, content, content.length >= LONGEST);
        } else if (marks.has(HICKLE) && name === 'type' && type !== REFERENCE) {
          // hickle unpickles it regardless of its type.
          if (isFixed(metadata) && size * count <= LONGEST) add(where, attributeBytes(fileId, path, name, metadata));
          else isCut = true;
        }
      }
    },
    addContent(path, dataset, names) {
      const { type, size, shape, total_size: count, vlen } = dataset.metadata;
      if (!shape || count === 0) return;
      const where = `dataset \`${path}\``;
      const isHickle = marks.has(HICKLE);
      const isBytes = type === OPAQUE || (type === STRING && !vlen) || (type === INTEGER && size === 1);
      if (type === VLEN) addLists(where, dataset, isHickle || holdsObjects(dataset, names));
      else if (isHickle) {
        // In a sequence of strings or references, Python sees memory addresses; it only sees the text itself if there
        // is a single one.
        if (type === REFERENCE || (type === STRING && vlen && shape.length > 0)) return;
        if (isFixed(dataset.metadata)) addWhole(where, dataset, isBytes ? LONGEST : LONGEST_NUMBERS);
        else isCut = true;
      } else if (names.some((name) => PICKLE_ATTRIBUTES.test(name))) {
        if (isBytes) addWhole(where, dataset, LONGEST);
        else isCut = true;
      } else if (type === OPAQUE && count <= MOST_ELEMENTS && count * size <= LONGEST)
        for (const content of elementsOf(dataset)) add(where, content);
    },
  };
}

/** True for lists that PyTables or pandas unpickles. FLAVOR matters only in files written by PyTables 1. */
function holdsObjects({ file_id, path }: Hdf5Dataset, names: readonly string[]): boolean {
  const isOther = (name: string, harmless: RegExp) =>
    names.includes(name) && !harmless.test(textIn(file_id, path, name) ?? '');
  return isOther('PSEUDOATOM', TEXT_ATOM) || isOther('FLAVOR', PLAIN_FLAVOR) || names.includes('pandas_type');
}

/** True if h5py returns the elements with the same bytes as in the file. */
function isFixed({ type, vlen, compound_type, littleEndian }: Metadata): boolean {
  if (type === COMPOUND) return littleEndian && (compound_type?.members ?? []).every((each) => each.type === FLOAT);
  return !vlen && [INTEGER, FLOAT, STRING, OPAQUE, ENUM].includes(type);
}

/** True for a byte between the first and the last pickle opcode, within ASCII or above it. */
const isInstruction = (byte = 0): boolean => (byte >= 0x28 && byte <= 0x7d) || (byte >= 0x80 && byte <= 0x98);

/** Returns an attribute that is a single string; undefined for any other attribute. */
function textIn(fileId: bigint, path: string, name: string): string | undefined {
  const metadata = Module.get_attribute_metadata(fileId, path, name);
  const { type, shape, total_size: count, size } = metadata;
  if (type !== STRING || !shape || count !== 1 || size > LONGEST) return undefined;
  return Buffer.from(withoutPadding(attributeBytes(fileId, path, name, metadata))).toString('latin1');
}

function attributeBytes(fileId: bigint, path: string, name: string, metadata: Metadata): Uint8Array {
  const { size, total_size: count, vlen } = metadata;
  const length = size * count;
  const place = Module._malloc(length);
  if (place === 0) throw new RangeError('no memory is left');
  try {
    Module.get_attribute_data(fileId, path, name, BigInt(place));
    if (!vlen) return asWritten(Module.HEAPU8.slice(place, place + Math.min(length, LONGEST)), metadata);
    const [start = 0] = new Uint32Array(Module.HEAPU8.slice(place, place + 4).buffer);
    const content = start === 0 ? new Uint8Array() : Module.HEAPU8.subarray(start, start + LONGEST);
    const end = content.indexOf(0);
    const text = content.slice(0, end < 0 ? content.length : end);
    Module.reclaim_vlen_memory(fileId, path, name, BigInt(place));
    return text;
  } finally {
    Module._free(place);
  }
}

/** Returns the raw bytes of a dataset, which the library would otherwise decode as text. */
function contentOf({ file_id, path, metadata }: Hdf5Dataset, rows?: number): Uint8Array {
  const { shape, size, vlen } = metadata;
  if (vlen || !shape) return new Uint8Array();
  const counts = shape.map((length, index) => (index === 0 ? Math.min(length, rows ?? length) : length));
  const length = size * counts.reduce((product, each) => product * each, 1);
  const place = Module._malloc(length);
  if (place === 0) throw new RangeError('no memory is left');
  try {
    const [zeros, ones] = [0n, 1n].map((value) => shape.map(() => value)) as [bigint[], bigint[]];
    // A scalar dataset has no dimensions from which to select.
    const [offsets, strides] = shape.length > 0 ? [zeros, ones] : [null, null];
    Module.get_dataset_data(file_id, path, offsets && counts.map(BigInt), offsets, strides, BigInt(place));
    return asWritten(Module.HEAPU8.slice(place, place + length), metadata);
  } finally {
    Module._free(place);
  }
}

/** Restores the byte order of the file; the library swaps big-endian numbers. */
function asWritten(content: Uint8Array, { type, size, littleEndian }: Metadata): Uint8Array {
  if (littleEndian || type === STRING || type === OPAQUE) return content;
  for (let at = 0; at + size <= content.length; at += size) content.subarray(at, at + size).reverse();
  return content;
}

/** Returns the first rows of a long dataset; undefined if a single row is too long. */
function startOf(dataset: Hdf5Dataset, longest: number): Uint8Array | undefined {
  const { shape, size } = dataset.metadata;
  const row = size * (shape ?? []).slice(1).reduce((product, each) => product * each, 1);
  return row > LONGEST ? undefined : contentOf(dataset, Math.max(1, Math.floor(longest / row)));
}

/** Returns the elements of a dataset of opaque bytes. */
function elementsOf(dataset: Hdf5Dataset): Uint8Array[] {
  const { size, total_size: count } = dataset.metadata;
  const content = contentOf(dataset);
  return Array.from({ length: count }, (_, index) => content.slice(index * size, (index + 1) * size));
}

/** Returns the elements of a dataset of byte lists; undefined if the library converts one to another type. */
function listsOf(dataset: Hdf5Dataset): Uint8Array[] | undefined {
  const value: unknown = dataset.value;
  const lists: unknown[] = Array.isArray(value) ? value : [value];
  return lists.every(isBytes) ? lists.map((each) => new Uint8Array(each)) : undefined;
}

const isBytes = (value: unknown): value is Uint8Array | Int8Array =>
  value instanceof Uint8Array || value instanceof Int8Array;

function withoutPadding(content: Uint8Array): Uint8Array {
  let end = content.length;
  while (end > 0 && content[end - 1] === 0) end--;
  return content.slice(0, end);
}
