import { isUtf8 } from 'node:buffer';
import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import type { Checkpoint, Tensor } from '../../checkpoint.ts';
import { withDoubts, withSafety } from '../../doubts.ts';
import { bytesOf } from '../../dtypes.ts';
import { parsedCheckpointJson } from '../../encodings/json.ts';
import { loraMetadataCode } from '../../folderCode.ts';
import { createEntryList } from '../../metadata.ts';
import { noCode } from '../../verdicts.ts';
import {
  DTYPES,
  HeaderTooLarge,
  HeaderTrouble,
  parseHeader,
  type SafetensorsHeader,
  type TensorEntry,
} from './header.ts';

const WRITERS: Readonly<Record<string, string>> = {
  pt: 'PyTorch',
  tf: 'TensorFlow',
  np: 'NumPy',
  flax: 'Flax',
  mlx: 'MLX',
};

/** Largest header that the library accepts, in bytes. */
const LARGEST_HEADER = 100_000_000;

/**
 * Reads a safetensors file: a JSON header that describes the bytes after it. The requirements are those of the library:
 * https://github.com/huggingface/safetensors/blob/main/safetensors/src/tensor.rs
 */
export async function readSafetensors(bytes: Bytes, budget: Budget): Promise<Checkpoint> {
  const headerSize = Number((await bytes.read(0, 8)).readBigUInt64LE(0));
  const start = 8 + headerSize;
  if (headerSize > LARGEST_HEADER || start > bytes.size)
    return broken(
      bytes,
      `The file is cut off: its header takes ${headerSize} bytes, but only ${bytes.size - 8} follow.`,
    );
  const text = await bytes.read(8, headerSize);
  if (!isUtf8(text)) return broken(bytes, 'The safetensors library rejects it: its header is not valid UTF-8.');
  try {
    const header = parseHeader(text, budget);
    const checkpoint = describe(bytes, header, bytes.size - start);
    const lora = header.metadata.findLast(([name]) => name === 'lora_adapter_metadata')?.[1];
    const code = lora === undefined ? undefined : loraMetadataCode(parsedCheckpointJson(Buffer.from(lora), budget));
    return code === undefined ? checkpoint : withSafety(checkpoint, [code]);
  } catch (error) {
    if (!(error instanceof HeaderTrouble)) throw error;
    return broken(bytes, error.message, error instanceof HeaderTooLarge ? TOO_LARGE : NOT_SOUND);
  }
}

function describe(bytes: Bytes, header: SafetensorsHeader, there: number): Checkpoint {
  const { entries, doubts } = header;
  const format = header.metadata.findLast(([name]) => name === 'format')?.[1];
  const metadata = createEntryList();
  for (const [name, text] of header.metadata) metadata.add(name, text);
  const problems: string[] = [];
  const end = endOf(entries, problems);
  if (problems.length === 0 && end > there)
    problems.push(`The file is cut off: ${end - there} bytes of its tensors are missing.`);
  if (problems.length === 0 && end < there)
    problems.push(`The safetensors library rejects it: it has ${there - end} bytes after its last tensor.`);
  const checkpoint: Checkpoint = {
    format: 'safetensors',
    size: bytes.size,
    writtenBy: format === undefined ? undefined : (WRITERS[format] ?? format),
    tensors: entries.map(tensorOf),
    metadata: metadata.entries,
    imports: [],
    safety: NO_CODE,
    problems,
  };
  return withDoubts(checkpoint, problems.length > 0 ? [NOT_SOUND] : doubts);
}

const NO_CODE = noCode('The safetensors library');
const NOT_SOUND = 'the safetensors file is incomplete or damaged';
const TOO_LARGE = 'its header is larger than GPU Doctor reads';

/** Returns the end of the last tensor. In byte order, the tensors must follow one another without gaps. */
function endOf(entries: readonly TensorEntry[], problems: string[]): number {
  let end = 0;
  const inOrder = [...entries].sort((one, other) => one.from - other.from || one.to - other.to);
  for (const { name, from, to, bytes } of inOrder) {
    if (from !== end || to < from) {
      problems.push(
        `The safetensors library rejects it: the tensor \`${name}\` begins at ${from}, but the previous one ends at ${end}.`,
      );
      return end;
    }
    if (to - from !== bytes) {
      const takes = bytes === undefined ? 'does not end at a byte boundary' : `takes ${bytes} bytes`;
      problems.push(
        `The safetensors library rejects it: the tensor \`${name}\` ${takes}, but its header assigns it ${to - from}.`,
      );
      return end;
    }
    end = to;
  }
  return end;
}

function tensorOf({ name, dtype: type, shape, from, to }: TensorEntry): Tensor {
  const dtype = DTYPES[type]?.[0] ?? type;
  // The format counts half-byte elements, PyTorch counts pairs that form a byte.
  const last = shape.at(-1) ?? 0;
  const counted = type === 'F4' && last % 2 === 0 ? [...shape.slice(0, -1), last / 2] : shape;
  return { name, dtype, shape: counted, bytes: bytesOf(dtype, counted) || Math.max(0, to - from) };
}

function broken({ size }: Bytes, problem: string, doubt = NOT_SOUND): Checkpoint {
  const checkpoint: Checkpoint = {
    format: 'safetensors',
    size,
    tensors: [],
    imports: [],
    safety: NO_CODE,
    problems: [problem],
  };
  return withDoubts(checkpoint, [doubt]);
}
