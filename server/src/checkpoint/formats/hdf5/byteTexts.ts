/** Texts in attributes that PyTables and pandas unpickle, and the marks of libraries that also unpickle datasets. */
import { type Metadata, Module } from 'h5wasm';
import type { ByteText } from './outline.ts';

const STRING = 3;
const OPAQUE = 5;

/** Maximum number of bytes inspected per text, and in all texts of a file. */
const LONGEST = 1024 * 1024;
const MOST = 8 * 1024 * 1024;
/** Bytes of the longest attribute that is read. */
const LONGEST_ATTRIBUTE = 16 * 1024 * 1024;

/** Attributes that only one library writes. */
const MARKS: Readonly<Record<string, string>> = {
  PYTABLES_FORMAT_VERSION: 'PyTables',
  PSEUDOATOM: 'PyTables',
  FLAVOR: 'PyTables',
  pandas_type: 'pandas',
  pandas_version: 'pandas',
  HICKLE_VERSION: 'hickle',
  HICKLE_PROTOCOL: 'hickle',
};
const HICKLE = 'hickle';

/** Collects the texts that a library may unpickle. */
interface ByteTexts {
  readonly found: readonly ByteText[];
  /** True if there are more texts than are inspected. */
  isIncomplete(): boolean;
  /** Libraries whose marks the file has. */
  readonly marks: ReadonlySet<string>;
  /** Collects the marks and the texts in an object's attributes. */
  addAttributes(fileId: bigint, path: string, names: readonly string[]): void;
}

export function createByteTexts(spend: (steps: number) => void): ByteTexts {
  const found: ByteText[] = [];
  const marks = new Set<string>();
  let left = MOST;
  let isCut = false;
  const addAttribute = (fileId: bigint, path: string, name: string) => {
    const metadata = Module.get_attribute_metadata(fileId, path, name);
    const { type, shape, total_size: count, size } = metadata;
    if (!shape || count !== 1 || (type !== STRING && type !== OPAQUE)) return;
    if (size > LONGEST_ATTRIBUTE) {
      isCut = true;
      return;
    }
    const content = withoutPadding(attributeBytes(fileId, path, name, metadata));
    // Old versions of hickle write no other mark.
    if (name === 'CLASS' && Buffer.from(content).toString('latin1') === HICKLE) marks.add(HICKLE);
    // The longest texts are model descriptions in JSON, which their beginning shows.
    const isPart = content.length >= LONGEST;
    spend(content.length);
    // A pickle ends with a full stop, although other bytes may follow.
    if (content.length <= 2 || !(isPart || content.includes(0x2e))) return;
    left -= content.length;
    if (left < 0) isCut = true;
    else found.push({ where: `attribute \`${name}\``, content, isPart });
  };
  return {
    found,
    marks,
    isIncomplete: () => isCut,
    addAttributes(fileId, path, names) {
      for (const name of names) {
        const mark = Object.hasOwn(MARKS, name) ? MARKS[name] : undefined;
        if (mark !== undefined) marks.add(mark);
        addAttribute(fileId, path, name);
      }
    },
  };
}

function attributeBytes(fileId: bigint, path: string, name: string, metadata: Metadata): Uint8Array {
  const { size: length, vlen } = metadata;
  const place = Module._malloc(length);
  if (place === 0) throw new RangeError('no memory is left');
  try {
    Module.get_attribute_data(fileId, path, name, BigInt(place));
    if (!vlen) return Module.HEAPU8.slice(place, place + Math.min(length, LONGEST));
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

function withoutPadding(content: Uint8Array): Uint8Array {
  let end = content.length;
  while (end > 0 && content[end - 1] === 0) end--;
  return content.slice(0, end);
}
