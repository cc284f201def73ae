import type { Transform } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { type Budget, BudgetExhausted } from '../budget.ts';
import { type Bytes, inMemory } from '../bytes.ts';
import type { Checkpoint, Format } from '../checkpoint.ts';
import { withSafety } from '../doubts.ts';
import { inflate } from '../encodings/inflate.ts';
import { unpackLz4 } from '../encodings/lz4.ts';
import { append, contentOf, createOutput } from '../encodings/output.ts';
import type { ReadInner } from '../innerFiles.ts';
import { unread } from '../unread.ts';

/** Ways in which whole files are packed, of which `joblib.load` and others unpack most by themselves. */
interface Packing {
  readonly name: string;
  /** Undefined for a way that is not unpacked here. */
  readonly unpack?: (packed: Bytes, budget: Budget) => Promise<Buffer>;
}

/** Bytes that are unpacked, and to which they may unpack. */
const MOST_PACKED = 64 * 1024 * 1024;
const MOST_UNPACKED = 64 * 1024 * 1024;

const SIGNATURES: readonly (readonly [signature: string, packing: Packing])[] = [
  ['1f8b', { name: 'gzip', unpack: inflatedBy(createGunzip) }],
  ['425a68', { name: 'bzip2' }],
  ['fd377a585a00', { name: 'xz' }],
  ['28b52ffd', { name: 'Zstandard' }],
  ['04224d18', { name: 'LZ4', unpack: unpackedLz4 }],
  ['377abcaf271c', { name: '7-Zip' }],
  ['526172211a07', { name: 'RAR' }],
];
const ZLIB: Packing = { name: 'zlib', unpack: inflatedBy(createInflate) };
const OLD_JOBLIB: Packing = { name: 'zlib in the old form of joblib' };

/** Bytes in which the sign of a packing lies. */
const HEAD = 22;

/** How a file with this beginning is packed; undefined for one that is not. */
export function packingOf(head: Buffer): Packing | undefined {
  const known = SIGNATURES.find(([signature]) => head.toString('hex', 0, signature.length / 2) === signature);
  if (known) return known[1];
  if (isLzma(head)) return { name: 'lzma' };
  if (isOldJoblib(head)) return OLD_JOBLIB;
  // The two bytes of zlib's head are a multiple of 31: https://www.rfc-editor.org/rfc/rfc1950
  return head[0] === 0x78 && head.length > 6 && head.readUInt16BE(0) % 31 === 0 ? ZLIB : undefined;
}

const UNKNOWN_SIZE = 0xffff_ffff_ffff_ffffn;
/** `liblzma`, which tells the form by its beginning, takes no larger size for one. */
const LARGEST_OF_LZMA = 1n << 38n;

/**
 * The old form of LZMA has no sign: its usual properties, the size of a dictionary, and the size of what is packed where
 * it was known. Any file that begins with the first two bytes of it is one to `joblib.load`.
 */
function isLzma(head: Buffer): boolean {
  if (head[0] !== 0x5d || head.length < 13) return false;
  const size = head.readBigUInt64LE(5);
  return size === UNKNOWN_SIZE || (head[1] === 0 && size < LARGEST_OF_LZMA);
}

/** Releases of joblib before 0.10 wrote the length behind a sign, as Python spells numbers in hexadecimal digits. */
function isOldJoblib(head: Buffer): boolean {
  return /^ZF\s*[+-]?(0x)?[\da-f_]+\s*$/i.test(head.toString('latin1', 0, 21)) && head.length > 21;
}

/**
 * Reads a packed file by what is packed in it. A pickle is what `joblib.load` makes of it, which unpacks by itself, as
 * pandas does.
 */
export async function readCompressed(
  format: Format,
  bytes: Bytes,
  budget: Budget,
  readInner: ReadInner,
): Promise<Checkpoint> {
  const packing = packingOf(await bytes.read(0, HEAD));
  const unpacked = packing && (await unpackedOf(bytes, packing, budget));
  const inner = unpacked && (await readInner(unpacked))?.checkpoint;
  if (inner?.format === 'joblib' || inner?.format === 'pickle')
    return { ...inner, format: 'joblib', size: bytes.size, compression: packing?.name };
  if (inner?.format === 'nemo') return { ...inner, size: bytes.size, compression: packing?.name };
  const checkpoint = unread(format, bytes.size, problemOf(packing?.name));
  if (!inner || inner.safety.verdict === 'not-checked') return checkpoint;
  const { safety } = inner;
  return withSafety(checkpoint, [{ ...safety, reason: `In what is compressed: ${safety.reason}` }], inner.imports);
}

/** Ways in which `joblib.dump` packs whole files and which are not unpacked here. */
const OF_JOBLIB: readonly string[] = ['bzip2', 'xz', 'lzma', OLD_JOBLIB.name];

function problemOf(name: string | undefined): string {
  return name !== undefined && OF_JOBLIB.includes(name)
    ? `It is compressed by ${name}, which \`joblib.load\` unpacks by itself and which is not looked into here: unpack it to see what is inside.`
    : `It is compressed by ${name}: unpack it to see what is inside.`;
}

/** What is packed in a file; undefined when it cannot be unpacked here, or is larger than the limits. */
async function unpackedOf(bytes: Bytes, { unpack }: Packing, budget: Budget): Promise<Bytes | undefined> {
  if (!unpack || bytes.size > MOST_PACKED) return undefined;
  try {
    return inMemory(await unpack(bytes, budget));
  } catch (error) {
    if (error instanceof BudgetExhausted) throw error;
    return undefined;
  }
}

function inflatedBy(createInflater: () => Transform): Packing['unpack'] {
  return async (packed, { hold }) => {
    const output = createOutput(MOST_UNPACKED, hold);
    for await (const piece of inflate(packed, createInflater())) append(output, piece);
    return contentOf(output);
  };
}

async function unpackedLz4(packed: Bytes, { hold }: Budget): Promise<Buffer> {
  hold(packed.size);
  return unpackLz4(await packed.read(0, packed.size), MOST_UNPACKED, hold);
}
