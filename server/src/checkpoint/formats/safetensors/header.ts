import type { Budget } from '../../budget.ts';
import { Entries, type Json, JsonTrouble, type Limits, readStrictly } from '../../encodings/strictJson.ts';

/** Element types: PyTorch's name and the number of bits. */
export const DTYPES: Readonly<Record<string, readonly [dtype: string, bits: number]>> = {
  F64: ['float64', 64],
  F32: ['float32', 32],
  F16: ['float16', 16],
  BF16: ['bfloat16', 16],
  I64: ['int64', 64],
  I32: ['int32', 32],
  I16: ['int16', 16],
  I8: ['int8', 8],
  U64: ['uint64', 64],
  U32: ['uint32', 32],
  U16: ['uint16', 16],
  U8: ['uint8', 8],
  BOOL: ['bool', 8],
  C64: ['complex64', 64],
  F8_E4M3: ['float8_e4m3fn', 8],
  F8_E5M2: ['float8_e5m2', 8],
  F8_E8M0: ['float8_e8m0fnu', 8],
  F8_E4M3FNUZ: ['float8_e4m3fnuz', 8],
  F8_E5M2FNUZ: ['float8_e5m2fnuz', 8],
  F6_E2M3: ['float6_e2m3fn', 6],
  F6_E3M2: ['float6_e3m2fn', 6],
  F4: ['float4_e2m1fn_x2', 4],
};

export interface TensorEntry {
  readonly name: string;
  /** The format's own spelling of the type. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Range of its bytes, relative to the end of the header. */
  readonly from: number;
  readonly to: number;
  /** Size of its elements in bytes; undefined if they do not end at a byte boundary. */
  readonly bytes: number | undefined;
}

export interface SafetensorsHeader {
  readonly entries: readonly TensorEntry[];
  /** Strings by name; `format` is usually the framework. */
  readonly metadata: readonly (readonly [name: string, text: string])[];
  /** Reasons why parsers may read the header differently, each as a clause that follows "Not checked:". */
  readonly doubts: readonly string[];
}

/** A problem with a header, as a sentence. */
export class HeaderTrouble extends Error {}
/** A header that exceeds this reader's limits, as a sentence. The library may accept it. */
export class HeaderTooLarge extends HeaderTrouble {}

/** A tensor accounts for six values plus one per dimension. */
const LIMITS: Limits = { values: 1_500_000, inEntry: 100_000 };
/** Memory that a tensor's entry takes, in bytes. */
const TENSOR_BYTES = 550;
const METADATA = '__metadata__';

/** Parses a header the way the library does. @throws HeaderTrouble */
export function parseHeader(text: Buffer, budget: Budget): SafetensorsHeader {
  const doubts: string[] = [];
  if (text[0] !== 0x7b) doubts.push('its header starts with blanks, which the format does not allow');
  // The library uses the last of several tensors with the same name.
  const entries = new Map<string, TensorEntry>();
  let metadata: Json = null;
  let metadataCount = 0;
  const duplicate = read(text, budget, (name, entry) => {
    budget.hold(TENSOR_BYTES);
    if (name !== METADATA) entries.set(name, entryOf(name, entry));
    else if (metadataCount++ > 0) throw refused('its header contains metadata more than once');
    else metadata = entry;
  });
  if (duplicate !== undefined)
    doubts.push(`its header has the key \`${duplicate}\` twice, and readers differ in which one they use`);
  return { entries: [...entries.values()], metadata: textsIn(metadata), doubts };
}

function read(text: Buffer, budget: Budget, visit: (name: string, entry: Json) => void): string | undefined {
  try {
    return readStrictly(text, LIMITS, budget, visit);
  } catch (error) {
    if (!(error instanceof JsonTrouble)) throw error;
    if (!error.isDamaged) throw new HeaderTooLarge(`The header ${error.message}.`);
    throw new HeaderTrouble(`The header ${error.message}: the file is damaged or not a safetensors file.`);
  }
}

const refused = (why: string) => new HeaderTrouble(`The safetensors library rejects it: ${why}.`);

function textsIn(metadata: Json): SafetensorsHeader['metadata'] {
  if (metadata === null) return [];
  if (!(metadata instanceof Entries) || !metadata.entries.every(isText))
    throw refused('its metadata is not a map of strings');
  return metadata.entries.filter(isText);
}

const isText = (entry: readonly [string, Json]): entry is readonly [string, string] => typeof entry[1] === 'string';

function entryOf(name: string, entry: Json): TensorEntry {
  const fields = new Map<string, Json>();
  // The library also accepts the fields as a list, without names.
  const named = entry instanceof Entries ? entry.entries : Array.isArray(entry) ? unnamed(entry) : [];
  for (const [field, value] of named) {
    if (fields.has(field) && FIELDS.includes(field)) throw refused(`its tensor \`${name}\` has a ${field} twice`);
    fields.set(field, value);
  }
  const [type, shape, offsets] = FIELDS.map((field) => fields.get(field));
  const dtype = type instanceof Entries && type.entries.length === 1 ? type.entries[0]?.[0] : type;
  const known = typeof dtype === 'string' ? DTYPES[dtype] : undefined;
  if (typeof dtype !== 'string' || !Array.isArray(shape) || !Array.isArray(offsets) || offsets.length !== 2)
    throw refused(`its tensor \`${name}\` lacks a type, a shape or its data offsets`);
  if (!known) throw refused(`it does not know the type \`${dtype}\` of its tensor \`${name}\``);
  const sizes: readonly Json[] = [...shape, ...offsets];
  if (!sizes.every(isSize)) throw refused(`its tensor \`${name}\` has a size that is not a whole number`);
  const [from, to] = offsets.map(Number) as [number, number];
  return { name, dtype, shape: shape.map(Number), from, to, bytes: bytesOf(name, [...shape, known[1]]) };
}

/** Returns the bytes of a product of bit counts; undefined if they do not end at a byte boundary. */
function bytesOf(name: string, factors: readonly (number | bigint)[]): number | undefined {
  const roughly = factors.reduce((product: number, factor) => product * Math.max(1, Number(factor)), 1);
  if (roughly <= Number.MAX_SAFE_INTEGER) {
    const bits = factors.reduce((product: number, factor) => product * Number(factor), 1);
    return bits % 8 === 0 ? bits / 8 : undefined;
  }
  const bits = factors.reduce((product: bigint, size: number | bigint) => {
    // The library fails even if a later dimension is 0.
    if (product * BigInt(size) > MOST) throw refused(`its tensor \`${name}\` is larger than any memory`);
    return product * BigInt(size);
  }, 1n);
  return bits % 8n === 0n ? Number(bits / 8n) : undefined;
}

/** The largest unsigned 64-bit number. */
const MOST = 2n ** 64n - 1n;
const isSize = (size: Json): size is number | bigint =>
  typeof size === 'bigint' ? size <= MOST : Number.isSafeInteger(size) && (size as number) >= 0;

const FIELDS: readonly string[] = ['dtype', 'shape', 'data_offsets'];
const unnamed = (values: readonly Json[]) =>
  values.slice(0, 4).map((value, index) => [FIELDS[index] ?? '', value] as const);
