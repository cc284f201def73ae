import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint, Entry, Safety, Scalar, Tensor } from '../../checkpoint.ts';
import { withDoubts, withSafety } from '../../doubts.ts';
import { elementsOf } from '../../dtypes.ts';
import { createEntryList, type EntryList, WANTED_ITEMS } from '../../metadata.ts';
import { noCode } from '../../verdicts.ts';
import { chatTemplateIn } from './chatTemplate.ts';
import { aboutTypes } from './fileTypes.ts';

/**
 * GGUF, the format of llama.cpp: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. The requirements of its
 * reader: https://github.com/ggml-org/llama.cpp/blob/master/ggml/src/gguf.cpp
 */

/** Element types by number, with bytes and elements per block, from `ggml.h`. */
const TYPES: readonly (readonly [name: string, bytes: number, elements: number] | undefined)[] = [
  ['float32', 4, 1],
  ['float16', 2, 1],
  ['q4_0', 18, 32],
  ['q4_1', 20, 32],
  undefined,
  undefined,
  ['q5_0', 22, 32],
  ['q5_1', 24, 32],
  ['q8_0', 34, 32],
  ['q8_1', 36, 32],
  ['q2_k', 84, 256],
  ['q3_k', 110, 256],
  ['q4_k', 144, 256],
  ['q5_k', 176, 256],
  ['q6_k', 210, 256],
  ['q8_k', 292, 256],
  ['iq2_xxs', 66, 256],
  ['iq2_xs', 74, 256],
  ['iq3_xxs', 98, 256],
  ['iq1_s', 50, 256],
  ['iq4_nl', 18, 32],
  ['iq3_s', 110, 256],
  ['iq2_s', 82, 256],
  ['iq4_xs', 136, 256],
  ['int8', 1, 1],
  ['int16', 2, 1],
  ['int32', 4, 1],
  ['int64', 8, 1],
  ['float64', 8, 1],
  ['iq1_m', 56, 256],
  ['bfloat16', 2, 1],
  undefined,
  undefined,
  undefined,
  ['tq1_0', 54, 256],
  ['tq2_0', 66, 256],
  undefined,
  undefined,
  undefined,
  ['mxfp4', 17, 32],
  ['nvfp4', 36, 64],
  ['q1_0', 18, 128],
];

/** Sizes and decoders of metadata value types, by number. Strings and arrays contain their own length. */
const SCALARS: readonly (readonly [size: number, read: (bytes: Buffer) => Scalar | bigint] | undefined)[] = [
  [1, (bytes) => bytes.readUInt8()],
  [1, (bytes) => bytes.readInt8()],
  [2, (bytes) => bytes.readUInt16LE()],
  [2, (bytes) => bytes.readInt16LE()],
  [4, (bytes) => bytes.readUInt32LE()],
  [4, (bytes) => bytes.readInt32LE()],
  // A 32-bit float has seven significant digits.
  [4, (bytes) => Number(bytes.readFloatLE().toPrecision(7))],
  [1, (bytes) => bytes.readUInt8() !== 0],
  undefined,
  undefined,
  [8, (bytes) => narrowed(bytes.readBigUInt64LE())],
  [8, (bytes) => narrowed(bytes.readBigInt64LE())],
  [8, (bytes) => bytes.readDoubleLE()],
];
const narrowed = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);
const UINT32 = 4;
const STRING = 8;
/** Keys that begin with this contain a template: a single one, a named one, or a list. */
const TEMPLATE = 'tokenizer.chat_template';
const ARRAY = 9;

const MOST_ENTRIES = 100_000;
/** Number of header bytes to read initially, and at most; a vocabulary takes some megabytes. */
const FIRST_HEAD = 256 * 1024;
const LARGEST_HEAD = 64 * 1024 * 1024;
const USUAL_ALIGNMENT = 32;
/** Cost of checking one character of a chat template, in steps. */
const STEPS_PER_LETTER = 50;

/** A description of damage in a file, as a clause that follows "The file". */
class GgufTrouble extends Error {}
/** More bytes are needed than have been read. */
class HeadTooShort extends Error {}

export async function readGguf(bytes: Bytes, budget: Budget): Promise<Checkpoint> {
  const problems: string[] = [];
  let head: Head | undefined;
  try {
    head = await headIn(bytes, budget);
  } catch (error) {
    if (!(error instanceof GgufTrouble)) throw error;
    problems.push(`The file ${error.message}.`);
  }
  const layout = head ? layoutOf(head, bytes.size) : { doubts: [] };
  if (layout.problem) problems.push(layout.problem);
  const tensors = head?.tensors.map(({ tensor }) => tensor) ?? [];
  const types = aboutTypes(head?.fileType, tensors);
  const checkpoint: Checkpoint = {
    format: 'gguf',
    size: bytes.size,
    writtenBy: head?.architecture && `llama.cpp, for ${head.architecture}`,
    about: types === undefined ? undefined : [types],
    tensors,
    metadata: head?.metadata,
    imports: [],
    safety: noCode('The llama.cpp loader'),
    problems,
  };
  return withDoubts(
    withSafety(checkpoint, head?.templates ?? []),
    problems.length > 0 ? ['the GGUF file is incomplete or damaged'] : layout.doubts,
  );
}

interface Head {
  readonly architecture?: string;
  readonly fileType?: number;
  readonly alignment: number;
  readonly tensors: readonly TensorEntry[];
  readonly metadata: readonly Entry[];
  readonly templates: readonly Safety[];
  /** Offset of the end of the header. */
  readonly end: number;
}

interface TensorEntry {
  readonly tensor: Tensor;
  readonly offset: number;
  readonly isKnown: boolean;
}

/** Reads the header, whose length is only known after parsing it. */
async function headIn(bytes: Bytes, budget: Budget): Promise<Head> {
  for (let size = FIRST_HEAD; ; size *= 4) {
    try {
      return parse(createCursor(await bytes.read(0, size), budget), budget);
    } catch (error) {
      if (!(error instanceof HeadTooShort)) throw error;
      if (size >= bytes.size) throw new GgufTrouble('is cut off');
      if (size >= LARGEST_HEAD) throw new GgufTrouble('has a header larger than 64 MB, the most that GPU Doctor reads');
    }
  }
}

function parse(cursor: Cursor, budget: Budget): Head {
  cursor.skip(4);
  const version = cursor.u32();
  if (version < 2 || version > 3) throw new GgufTrouble(`has GGUF version ${version}, which GPU Doctor does not know`);
  const tensorCount = cursor.u64();
  const entryCount = cursor.u64();
  if (tensorCount > MOST_ENTRIES || entryCount > MOST_ENTRIES)
    throw new GgufTrouble('declares an impossible number of tensors or metadata entries');
  let architecture: string | undefined;
  let fileType: number | undefined;
  let alignment = USUAL_ALIGNMENT;
  const templates: Safety[] = [];
  const metadata = createEntryList();
  const keys = new Set<string>();
  for (let entry = 0; entry < entryCount; entry++) {
    const key = cursor.text();
    if (keys.has(key)) throw new GgufTrouble(`has the key \`${key}\` twice, which llama.cpp rejects`);
    keys.add(key);
    const type = cursor.u32();
    const ownTemplates = key.startsWith(TEMPLATE) ? ([] as string[]) : undefined;
    const value = readValue(cursor, type, key, metadata, ownTemplates);
    if (key === 'general.architecture' && typeof value === 'string') architecture = value;
    if (key === 'general.file_type' && typeof value === 'number') fileType = value;
    if (key === 'general.alignment') alignment = alignmentOf(type, value);
    for (const template of ownTemplates ?? []) {
      budget.spend((template.length + 1) * STEPS_PER_LETTER);
      templates.push(chatTemplateIn(template));
    }
  }
  const names = new Set<string>();
  const tensors = Array.from({ length: tensorCount }, () => readTensor(cursor, names));
  return { architecture, fileType, alignment, tensors, metadata: metadata.entries, templates, end: cursor.offset() };
}

function alignmentOf(type: number, value: unknown): number {
  const bytes = type === UINT32 ? Number(value) : 0;
  if (bytes === 0 || (bytes & (bytes - 1)) !== 0)
    throw new GgufTrouble('has an alignment that is not a power of two, which llama.cpp rejects');
  return bytes;
}

function readTensor(cursor: Cursor, names: Set<string>): TensorEntry {
  const name = cursor.text();
  if (names.has(name)) throw new GgufTrouble(`has the tensor \`${name}\` twice, which llama.cpp rejects`);
  names.add(name);
  const dimensions = cursor.u32();
  if (dimensions > 8) throw new GgufTrouble('has a damaged list of tensors');
  const shape: number[] = [];
  for (let index = 0; index < dimensions; index++) shape.unshift(cursor.u64());
  const type = cursor.u32();
  const offset = cursor.u64();
  const known = TYPES[type];
  const [dtype, blockBytes, blockElements] = known ?? [`type ${type}`, 0, 1];
  if ((shape.at(-1) ?? 0) % blockElements !== 0)
    throw new GgufTrouble(
      `has the tensor \`${name}\` with a row size that is not a multiple of the ${dtype} block size`,
    );
  const bytes = (elementsOf(shape) / blockElements) * blockBytes;
  return { tensor: { name, dtype, shape, bytes }, offset, isKnown: known !== undefined };
}

/** Checks that the aligned tensors follow one another after the header. */
function layoutOf({ tensors, alignment, end }: Head, size: number): { problem?: string; doubts: readonly string[] } {
  const padded = (length: number) => Math.ceil(length / alignment) * alignment;
  const start = padded(end);
  let at = 0;
  let last = 0;
  for (const { tensor, offset, isKnown } of tensors) {
    if (!isKnown)
      return { doubts: [`the size of the type ${tensor.dtype} of its tensor \`${tensor.name}\` is unknown`] };
    if (offset !== at)
      return {
        problem: `The llama.cpp loader rejects it: the tensor \`${tensor.name}\` begins at ${offset} instead of ${at}.`,
        doubts: [],
      };
    last = at + tensor.bytes;
    at = padded(last);
  }
  const missing = (tensors.length > 0 ? start : end) + last - size;
  if (missing > 0) return { problem: `The file is cut off: ${missing} bytes of its tensors are missing.`, doubts: [] };
  return { doubts: size > start + at ? ['it has data after its last tensor'] : [] };
}

/**
 * Reads a value and records it. Only the first items of a list are recorded, and undefined is returned for it. `texts`
 * receives every string.
 */
function readValue(
  cursor: Cursor,
  type: number,
  key: string,
  metadata: EntryList,
  texts: string[] | undefined,
): Scalar | bigint | undefined {
  if (type !== ARRAY) {
    const value = readScalar(cursor, type);
    metadata.add(key, value);
    if (typeof value === 'string') texts?.push(value);
    return value;
  }
  const items = cursor.u32();
  const count = cursor.u64();
  const first: (Scalar | bigint)[] = [];
  while (first.length < Math.min(count, WANTED_ITEMS)) first.push(readScalar(cursor, items));
  for (const item of first) if (typeof item === 'string') texts?.push(item);
  const rest = count - first.length;
  const itemSize = SCALARS[items]?.[0];
  if (itemSize !== undefined) cursor.skip(rest * itemSize);
  else if (items !== STRING) throw new GgufTrouble('has damaged metadata');
  else
    for (let index = 0; index < rest; index++) {
      if (texts) texts.push(cursor.longText());
      else cursor.skip(cursor.u64());
    }
  metadata.addList(key, first, count);
  return undefined;
}

function readScalar(cursor: Cursor, type: number): Scalar | bigint {
  if (type === STRING) return cursor.longText();
  const scalar = SCALARS[type];
  if (!scalar) throw new GgufTrouble('has damaged metadata');
  const [size, read] = scalar;
  return read(cursor.take(size));
}

/** Reads values from the bytes in memory. @throws HeadTooShort if more are needed */
interface Cursor {
  offset(): number;
  skip(length: number): void;
  take(length: number): Buffer;
  u32(): number;
  u64(): number;
  /** A name. */
  text(): string;
  longText(): string;
}

/**
 * In bytes. V8 hashes longer strings only by their length, so a lookup compares a name with all others of the same
 * length.
 */
const LONGEST_NAME = 16_000;
/** Cost of reading one value, in steps. */
const STEPS_PER_LOOK = 2;

function createCursor(head: Buffer, budget: Budget): Cursor {
  let at = 0;
  const passed = (length: number): number => {
    const start = at;
    budget.spend(STEPS_PER_LOOK);
    if (at + length > head.length) throw new HeadTooShort();
    at += length;
    return start;
  };
  const u64 = () => Number(head.readBigUInt64LE(passed(8)));
  const text = (longest: number) => {
    const length = u64();
    if (length > longest) throw new GgufTrouble('contains a string that is longer than GPU Doctor reads');
    const start = passed(length);
    budget.hold(length);
    return head.toString('utf8', start, start + length);
  };
  return {
    offset: () => at,
    skip: (length) => void passed(length),
    take: (length) => head.subarray(passed(length), at),
    u32: () => head.readUInt32LE(passed(4)),
    u64,
    text: () => text(LONGEST_NAME),
    longText: () => text(LARGEST_HEAD),
  };
}
