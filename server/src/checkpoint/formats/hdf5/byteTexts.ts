/**
 * Bytes in attributes and datasets that a library may unpickle: PyTables and pandas do that with attributes that are a text
 * with a full stop at its end, hickle with those it names `type`, and both with datasets that they mark.
 */
import { type Dataset as Hdf5Dataset, type Metadata, Module } from 'h5wasm';
import type { ByteText } from './outline.ts';

const STRING = 3;
const OPAQUE = 5;
const VLEN = 9;
const INTEGER = 0;

/** Bytes of one text, and of all texts of a file, that are looked into. */
const LONGEST = 1024 * 1024;
const MOST = 8 * 1024 * 1024;
/** Bytes of the longest attribute that is read. */
const LONGEST_ATTRIBUTE = 16 * 1024 * 1024;
/** Elements of a dataset that are looked into, where each is a text of its own. */
const MOST_ELEMENTS = 1000;

/** Attributes by which PyTables, pandas and hickle know what they wrote. */
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
const OF_PICKLES = /^(PSEUDOATOM|pandas_type)$/;

/** Collects such texts. */
export interface ByteTexts {
  readonly found: readonly ByteText[];
  /** True where there are more, or longer ones, than are looked into. */
  isCut(): boolean;
  /** Libraries that marked the file as theirs. */
  readonly marks: ReadonlySet<string>;
  /** Takes the attributes of an object. The file's own come first. */
  addAttributes(fileId: bigint, path: string, names: readonly string[]): void;
  /** Takes what a dataset holds, whose attributes have those names. */
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
    // A pickle ends with a full stop, wherever that is.
    if (text.length <= 2 || !(isPart || text.includes(0x2e))) return;
    left -= text.length;
    if (left < 0) isCut = true;
    else found.push({ where, content: text, isPart });
  };

  return {
    found,
    marks,
    isCut: () => isCut,
    addAttributes(fileId, path, names) {
      for (const name of names) {
        const mark = Object.hasOwn(MARKS, name) ? MARKS[name] : undefined;
        if (mark !== undefined) marks.add(mark);
        const metadata = Module.get_attribute_metadata(fileId, path, name);
        const { type, shape, total_size: count, size } = metadata;
        if ((type !== STRING && type !== OPAQUE) || !shape || count !== 1) continue;
        if (size > LONGEST_ATTRIBUTE) {
          isCut = true;
          continue;
        }
        const content = attributeBytes(fileId, path, name, metadata);
        // Its older versions have no mark of their own.
        if (name === 'CLASS' && Buffer.from(withoutPadding(content)).toString('latin1') === HICKLE) marks.add(HICKLE);
        // The longest texts are descriptions of models, in JSON: their beginning shows that.
        add(`attribute \`${name}\``, content, content.length >= LONGEST);
      }
    },
    addContent(path, dataset, names) {
      const { type, size, shape, total_size: count, vlen_type: inner } = dataset.metadata;
      const isMarked = marks.has(HICKLE) || names.some((name) => OF_PICKLES.test(name));
      const isOpaque = type === OPAQUE || (type === VLEN && inner?.size === 1);
      const isText = type === STRING || (type === INTEGER && size === 1);
      if (!shape || count === 0 || !(isOpaque || (isMarked && isText))) return;
      const where = `dataset \`${path}\``;
      if (isText && count * size > LONGEST) {
        const start = startOf(dataset);
        if (start) add(where, start, true);
        else isCut = true;
      } else if (isText) add(where, contentOf(dataset));
      else if (count > MOST_ELEMENTS || count * size > LONGEST) isCut ||= isMarked;
      else for (const content of elementsOf(dataset)) add(where, content);
    },
  };
}

function attributeBytes(fileId: bigint, path: string, name: string, { size, vlen }: Metadata): Uint8Array {
  const place = Module._malloc(size);
  if (place === 0) throw new RangeError('no memory is left');
  try {
    Module.get_attribute_data(fileId, path, name, BigInt(place));
    if (!vlen) return Module.HEAPU8.slice(place, place + Math.min(size, LONGEST));
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

/** The bytes of a dataset, which the library would decode as text. */
function contentOf({ file_id, path, metadata }: Hdf5Dataset, rows?: number): Uint8Array {
  const { shape, size, vlen } = metadata;
  if (vlen || !shape) return new Uint8Array();
  const counts = shape.map((length, index) => (index === 0 ? Math.min(length, rows ?? length) : length));
  const length = size * counts.reduce((product, each) => product * each, 1);
  const place = Module._malloc(length);
  if (place === 0) throw new RangeError('no memory is left');
  try {
    const [zeros, ones] = [0n, 1n].map((value) => shape.map(() => value)) as [bigint[], bigint[]];
    // Without dimensions there is nothing to choose from.
    const [offsets, strides] = shape.length > 0 ? [zeros, ones] : [null, null];
    Module.get_dataset_data(file_id, path, offsets && counts.map(BigInt), offsets, strides, BigInt(place));
    return Module.HEAPU8.slice(place, place + length);
  } finally {
    Module._free(place);
  }
}

/** The first rows of a long one; undefined where a single row is too long. */
function startOf(dataset: Hdf5Dataset): Uint8Array | undefined {
  const { shape, size } = dataset.metadata;
  const row = size * (shape ?? []).slice(1).reduce((product, each) => product * each, 1);
  return row > LONGEST ? undefined : contentOf(dataset, Math.floor(LONGEST / row));
}

/** The elements of a dataset of opaque bytes, or of lists of bytes. */
function elementsOf(dataset: Hdf5Dataset): Uint8Array[] {
  const { type, size, total_size: count } = dataset.metadata;
  if (type === OPAQUE) {
    const content = contentOf(dataset);
    return Array.from({ length: count }, (_, index) => content.slice(index * size, (index + 1) * size));
  }
  const value: unknown = dataset.value;
  return (Array.isArray(value) ? value : [value]).filter(isBytes).map((each) => new Uint8Array(each));
}

const isBytes = (value: unknown): value is Uint8Array | Int8Array =>
  value instanceof Uint8Array || value instanceof Int8Array;

function withoutPadding(content: Uint8Array): Uint8Array {
  let end = content.length;
  while (end > 0 && content[end - 1] === 0) end--;
  return content.slice(0, end);
}
