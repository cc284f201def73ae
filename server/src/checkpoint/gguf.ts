import { type Bytes, readingAhead } from './bytes.ts';
import type { Checkpoint, Tensor } from './checkpoint.ts';

/** GGUF, the format of llama.cpp: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */

/** Element types by number, with the bytes of a block and the elements in one. After `ggml.h`. */
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
];

/** Bytes of the metadata's value types by number; strings (8) and arrays (9) tell their own. */
const VALUE_SIZES = [1, 1, 2, 2, 4, 4, 4, 1, undefined, undefined, 8, 8, 8];
const STRING = 8;
const ARRAY = 9;

const MOST_ENTRIES = 1_000_000;

class GgufTrouble extends Error {}

export async function readGguf(bytes: Bytes): Promise<Checkpoint> {
  const problems: string[] = [];
  const tensors: Tensor[] = [];
  let architecture: string | undefined;
  try {
    const cursor = createCursor(bytes);
    await cursor.skip(4);
    const version = await cursor.u32();
    if (version < 2 || version > 3) throw new GgufTrouble(`is of version ${version}, which is not known here`);
    const tensorCount = await cursor.u64();
    const entryCount = await cursor.u64();
    if (tensorCount > MOST_ENTRIES || entryCount > MOST_ENTRIES)
      throw new GgufTrouble('tells an impossible number of tensors');
    for (let entry = 0; entry < entryCount; entry++) {
      const key = await cursor.text();
      const type = await cursor.u32();
      if (key === 'general.architecture' && type === STRING) architecture = await cursor.text();
      else await skipValue(cursor, type);
    }
    for (let index = 0; index < tensorCount; index++) tensors.push(await readTensor(cursor));
    const needed = tensors.reduce((sum, tensor) => sum + tensor.bytes, cursor.offset());
    if (needed > bytes.size)
      problems.push(`The file is cut off: ${needed - bytes.size} bytes of its tensors are missing.`);
  } catch (error) {
    if (!(error instanceof GgufTrouble)) throw error;
    problems.push(`The file ${error.message}.`);
  }
  return {
    format: 'gguf',
    size: bytes.size,
    writtenBy: architecture && `llama.cpp, for ${architecture}`,
    tensors,
    imports: [],
    safety: { verdict: 'no-code', reason: 'The format holds tensors and text only, no code.' },
    problems,
  };
}

async function readTensor(cursor: Cursor): Promise<Tensor> {
  const name = await cursor.text();
  const dimensions = await cursor.u32();
  if (dimensions > 8) throw new GgufTrouble('is damaged in its list of tensors');
  const shape: number[] = [];
  for (let index = 0; index < dimensions; index++) shape.unshift(await cursor.u64());
  const type = await cursor.u32();
  await cursor.skip(8);
  const [dtype, blockBytes, blockElements] = TYPES[type] ?? [`type ${type}`, 0, 1];
  const elements = shape.reduce((product, size) => product * size, 1);
  return { name, dtype, shape, bytes: Math.ceil(elements / blockElements) * blockBytes };
}

async function skipValue(cursor: Cursor, type: number): Promise<void> {
  const size = VALUE_SIZES[type];
  if (size !== undefined) return cursor.skip(size);
  if (type === STRING) return cursor.skip(await cursor.u64());
  if (type !== ARRAY) throw new GgufTrouble('is damaged in its metadata');
  const items = await cursor.u32();
  const count = await cursor.u64();
  const itemSize = VALUE_SIZES[items];
  if (itemSize !== undefined) return cursor.skip(count * itemSize);
  if (items !== STRING || count > MOST_ENTRIES) throw new GgufTrouble('is damaged in its metadata');
  for (let index = 0; index < count; index++) await cursor.skip(await cursor.u64());
}

interface Cursor {
  offset(): number;
  skip(length: number): Promise<void>;
  u32(): Promise<number>;
  u64(): Promise<number>;
  text(): Promise<string>;
}

function createCursor(source: Bytes): Cursor {
  const bytes = readingAhead(source);
  let at = 0;
  const take = async (length: number): Promise<Buffer> => {
    const content = await bytes.read(at, length);
    if (content.length < length) throw new GgufTrouble('is cut off');
    at += length;
    return content;
  };
  const u64 = async () => Number((await take(8)).readBigUInt64LE(0));
  return {
    offset: () => at,
    async skip(length) {
      if (at + length > bytes.size) throw new GgufTrouble('is cut off');
      at += length;
    },
    u32: async () => (await take(4)).readUInt32LE(0),
    u64,
    async text() {
      const length = await u64();
      if (length > 65_536) throw new GgufTrouble('is damaged: a name in it is too long');
      return (await take(length)).toString('utf8');
    },
  };
}
