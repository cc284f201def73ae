import type { Bytes } from './bytes.ts';
import type { Checkpoint, Tensor } from './checkpoint.ts';
import { bytesOf } from './dtypes.ts';
import { LONGEST_JSON, parsedJson } from './json.ts';

const DTYPES: Readonly<Record<string, string>> = {
  F64: 'float64',
  F32: 'float32',
  F16: 'float16',
  BF16: 'bfloat16',
  I64: 'int64',
  I32: 'int32',
  I16: 'int16',
  I8: 'int8',
  U64: 'uint64',
  U32: 'uint32',
  U16: 'uint16',
  U8: 'uint8',
  BOOL: 'bool',
  C64: 'complex64',
  F8_E4M3: 'float8_e4m3fn',
  F8_E5M2: 'float8_e5m2',
  F8_E8M0: 'float8_e8m0fnu',
  F8_E4M3FNUZ: 'float8_e4m3fnuz',
  F8_E5M2FNUZ: 'float8_e5m2fnuz',
  F4: 'float4_e2m1fn_x2',
};

const WRITERS: Readonly<Record<string, string>> = {
  pt: 'PyTorch',
  tf: 'TensorFlow',
  np: 'NumPy',
  flax: 'Flax',
  mlx: 'MLX',
};

/** Largest header that the format allows, in bytes. */
const LARGEST_HEADER = 100_000_000;

/** A safetensors file: a JSON header that describes the bytes behind it. */
export async function readSafetensors(bytes: Bytes): Promise<Checkpoint> {
  const headerSize = Number((await bytes.read(0, 8)).readBigUInt64LE(0));
  const start = 8 + headerSize;
  if (headerSize > LARGEST_HEADER || start > bytes.size)
    return broken(bytes, `The file is cut off: its header takes ${headerSize} bytes, and ${bytes.size - 8} are there.`);
  if (headerSize > LONGEST_JSON)
    return broken(bytes, `The header takes ${headerSize} bytes, which is more than is read here.`);
  const header = parse(await bytes.read(8, headerSize));
  if (!header) return broken(bytes, 'The header is no JSON object: the file is damaged, or no safetensors file.');
  const problems: string[] = [];
  const tensors: Tensor[] = [];
  let end = 0;
  for (const [name, entry] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    if (!isEntry(entry)) {
      problems.push(`The header's entry \`${name}\` lacks a type, a shape or its place.`);
      continue;
    }
    const [from, to] = entry.data_offsets;
    const tensor = tensorOf(name, entry.dtype, entry.shape, Math.max(0, to - from));
    tensors.push(tensor);
    if (from > to || to - from !== tensor.bytes)
      problems.push(`The tensor \`${name}\` takes ${tensor.bytes} bytes, and the header gives it ${to - from}.`);
    end = Math.max(end, to);
  }
  const missing = start + end - bytes.size;
  if (missing > 0) problems.push(`The file is cut off: ${missing} bytes of its tensors are missing.`);
  const { format } = (header.__metadata__ ?? {}) as Record<string, unknown>;
  return {
    format: 'safetensors',
    size: bytes.size,
    writtenBy: typeof format === 'string' ? (WRITERS[format] ?? format) : undefined,
    tensors,
    imports: [],
    safety: NO_CODE,
    problems,
  };
}

const NO_CODE = { verdict: 'no-code', reason: 'The format holds tensors and text only, no code.' } as const;

/** `stored` are the bytes that the header gives it, which is what is known of a type that is not. */
function tensorOf(name: string, type: string, shape: readonly number[], stored: number): Tensor {
  const dtype = DTYPES[type] ?? type;
  // The format counts elements of half a byte, PyTorch the pairs of them that make a byte.
  const last = shape.at(-1) ?? 0;
  const counted = type === 'F4' && last % 2 === 0 ? [...shape.slice(0, -1), last / 2] : shape;
  return { name, dtype, shape: counted, bytes: bytesOf(dtype, counted) || stored };
}

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

function isEntry(entry: unknown): entry is Entry {
  const { dtype, shape, data_offsets } = (entry ?? {}) as Partial<Record<keyof Entry, unknown>>;
  return typeof dtype === 'string' && areSizes(shape) && areSizes(data_offsets) && data_offsets.length === 2;
}

function areSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

function parse(text: Buffer): Record<string, unknown> | undefined {
  const value = parsedJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function broken({ size }: Bytes, problem: string): Checkpoint {
  return { format: 'safetensors', size, tensors: [], imports: [], safety: NO_CODE, problems: [problem] };
}
