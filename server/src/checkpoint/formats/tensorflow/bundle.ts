import { stat } from 'node:fs/promises';
import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint, Tensor } from '../../checkpoint.ts';
import { withDoubts } from '../../doubts.ts';
import { bytesOf } from '../../dtypes.ts';
import { bytesIn, fieldsOf } from '../../encodings/protobuf.ts';
import { noCode } from '../../verdicts.ts';
import { entriesIn } from './table.ts';

/** `DataType` in https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/framework/types.proto */
const TYPES: Readonly<Record<number, string>> = {
  1: 'float32',
  2: 'float64',
  3: 'int32',
  4: 'uint8',
  5: 'int16',
  6: 'int8',
  7: 'string',
  8: 'complex64',
  9: 'int64',
  10: 'bool',
  11: 'qint8',
  12: 'quint8',
  13: 'qint32',
  14: 'bfloat16',
  15: 'qint16',
  16: 'quint16',
  17: 'uint16',
  18: 'complex128',
  19: 'float16',
  22: 'uint32',
  23: 'uint64',
  24: 'float8_e5m2',
  25: 'float8_e4m3fn',
  29: 'int4',
  30: 'uint4',
};

/** The key of the entry that describes the objects that own the variables. */
const OBJECT_GRAPH = '_CHECKPOINTABLE_OBJECT_GRAPH';
const ATTRIBUTE = '/.ATTRIBUTES/VARIABLE_VALUE';
/** Maximum number of bytes in the description of one tensor, including its slices. */
const LONGEST_ENTRY = 64 * 1024;

/** The contents of a TensorFlow checkpoint's index, `NAME.index`. The tensors are in `NAME.data-00000-of-00001`. */
export interface Variables {
  readonly tensors: readonly Tensor[];
  readonly problems: readonly string[];
  /** Total size of the index and its data files, in bytes. */
  readonly size: number;
}

/** Reads an index. `path` is its location, from which the data files are found. */
export async function readBundleVariables(bytes: Bytes, budget: Budget, path?: string): Promise<Variables> {
  const entries = await entriesIn(bytes, budget);
  if (!entries) return { tensors: [], problems: [DAMAGED], size: bytes.size };
  const tensors: Tensor[] = [];
  let shards = 0;
  const ends: number[] = [];
  for (const [key, value] of entries) {
    if (key === '') {
      shards = numberIn(value, 1);
      continue;
    }
    const shard = numberIn(value, 3);
    ends[shard] = Math.max(ends[shard] ?? 0, numberIn(value, 4) + numberIn(value, 5));
    if (key === OBJECT_GRAPH) continue;
    // A tensor has at most 254 dimensions of a few bytes each.
    if (value.length > LONGEST_ENTRY) return { tensors, problems: [DAMAGED], size: bytes.size };
    tensors.push(tensorOf(key, value));
  }
  if (path === undefined) return { tensors, problems: [], size: bytes.size };
  const data = await checkShards(path, shards, ends, budget);
  return { tensors, problems: data.problems, size: bytes.size + data.size };
}

const DAMAGED = 'The index of its variables is damaged.';

/** Reads a TensorFlow checkpoint from its index. */
export async function readBundle(bytes: Bytes, budget: Budget, path?: string): Promise<Checkpoint> {
  const { tensors, problems, size } = await readBundleVariables(bytes, budget, path);
  const checkpoint: Checkpoint = {
    format: 'tensorflow-checkpoint',
    size,
    writtenBy: 'TensorFlow',
    tensors,
    imports: [],
    safety: noCode('`tf.train.load_checkpoint`'),
    problems,
  };
  return withDoubts(checkpoint, problems.length > 0 ? ['the checkpoint is incomplete'] : []);
}

/** Reads a `BundleEntryProto`: a tensor's type, shape and size. */
function tensorOf(key: string, entry: Buffer): Tensor {
  const type = numberIn(entry, 1);
  const dtype = TYPES[type] ?? `type ${type}`;
  const shape = bytesIn(entry, 2).flatMap((message) => bytesIn(message, 2).map((dimension) => numberIn(dimension, 1)));
  const stored = numberIn(entry, 5);
  const name = key.endsWith(ATTRIBUTE) ? key.slice(0, -ATTRIBUTE.length) : key;
  return { name, dtype, shape, bytes: bytesOf(dtype, shape) || stored };
}

/** Returns the number in a field; 0 if it is absent, which protocol buffers do not distinguish. */
function numberIn(message: Buffer, wanted: number): number {
  for (const { number, value } of fieldsOf(message)) if (number === wanted && typeof value === 'number') return value;
  return 0;
}

/** Limit on the data files of a checkpoint. */
const MOST_SHARDS = 10_000;
/** Cost of querying a file's size, in steps. */
const STEPS_PER_FILE = 1500;

async function checkShards(index: string, count: number, ends: readonly number[], budget: Budget) {
  const prefix = index.replace(/\.index$/, '');
  const problems: string[] = [];
  let size = 0;
  for (let shard = 0; shard < Math.min(count, MOST_SHARDS); shard++) {
    const path = `${prefix}.data-${String(shard).padStart(5, '0')}-of-${String(count).padStart(5, '0')}`;
    const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    budget.spend(STEPS_PER_FILE);
    const there = await stat(path).then(
      (found) => found.size,
      () => undefined,
    );
    size += there ?? 0;
    const missing = (ends[shard] ?? 0) - (there ?? 0);
    if (there === undefined) problems.push(`The file \`${name}\` next to the index is missing.`);
    else if (missing > 0) problems.push(`The file \`${name}\` is cut off: ${missing} bytes are missing.`);
  }
  return { size, problems };
}
