import type { Transform } from 'node:stream';
import { constants, createGunzip, createInflate, unzipSync } from 'node:zlib';
import { type Budget, BudgetExhausted } from '../budget.ts';
import { type Bytes, inMemory } from '../bytes.ts';
import type { Checkpoint, Format } from '../checkpoint.ts';
import { withSafety } from '../doubts.ts';
import { inflate } from '../encodings/inflate.ts';
import { append, contentOf, createOutput } from '../encodings/output.ts';
import type { ReadInner } from '../innerFiles.ts';
import { unreadCheckpoint } from '../unreadCheckpoint.ts';

/** A compression of whole files. `joblib.load` and others decompress most of them automatically. */
interface Compression {
  readonly name: string;
  /** Undefined for a compression that is not supported here. */
  readonly unpack?: (packed: Bytes, budget: Budget) => Promise<Buffer>;
}

/** Limits on compressed and decompressed bytes. */
const MOST_PACKED = 64 * 1024 * 1024;
const MOST_UNPACKED = 64 * 1024 * 1024;

const SIGNATURES: readonly (readonly [signature: string, packing: Compression])[] = [
  ['1f8b', { name: 'gzip', unpack: inflateWith(createGunzip) }],
  ['425a68', { name: 'bzip2' }],
  ['fd377a585a00', { name: 'xz' }],
  ['28b52ffd', { name: 'Zstandard' }],
  ['04224d18', { name: 'LZ4' }],
  ['377abcaf271c', { name: '7-Zip' }],
  ['526172211a07', { name: 'RAR' }],
];
const ZLIB: Compression = { name: 'zlib', unpack: inflateWith(createInflate) };
const OLD_JOBLIB: Compression = { name: 'zlib (old joblib format)' };

/** Number of bytes that contain the signature of a compression. */
const HEAD = 22;

/** Returns the compression of a file that begins with these bytes; undefined for an uncompressed file. */
export function compressionOf(head: Buffer): Compression | undefined {
  const known = SIGNATURES.find(([signature]) => head.toString('hex', 0, signature.length / 2) === signature);
  if (known) return known[1];
  if (isLzma(head)) return { name: 'lzma' };
  if (isOldJoblib(head)) return OLD_JOBLIB;
  // The first two bytes of zlib data form a multiple of 31: https://www.rfc-editor.org/rfc/rfc1950
  return head[0] === 0x78 && head.length > 6 && head.readUInt16BE(0) % 31 === 0 ? ZLIB : undefined;
}

const UNKNOWN_SIZE = 0xffff_ffff_ffff_ffffn;
/** `liblzma` detects the format by its beginning and accepts no larger size. */
const LARGEST_LZMA = 1n << 38n;

/**
 * True for the old LZMA format, which has no signature: it starts with its usual properties, a dictionary size and, if
 * known, the uncompressed size. `joblib.load` accepts any file that begins with the first two of these bytes.
 */
function isLzma(head: Buffer): boolean {
  if (head[0] !== 0x5d || head.length < 13) return false;
  const size = head.readBigUInt64LE(5);
  return size === UNKNOWN_SIZE || (head[1] === 0 && size < LARGEST_LZMA);
}

/** True for joblib before 0.10, which wrote a signature and then the length in Python's hexadecimal notation. */
function isOldJoblib(head: Buffer): boolean {
  return /^ZF\s*[+-]?(0x)?[\da-f_]+\s*$/i.test(head.toString('latin1', 0, 21)) && head.length > 21;
}

/**
 * Reads a compressed file by its content. `joblib.load` and pandas decompress a pickle automatically, so it is shown
 * the way `joblib.load` reads it.
 */
export async function readCompressed(
  format: Format,
  bytes: Bytes,
  budget: Budget,
  readInner: ReadInner,
): Promise<Checkpoint> {
  const packing = compressionOf(await bytes.read(0, HEAD));
  const unpacked = packing && (await unpackedOf(bytes, packing, budget));
  const inner = unpacked && (await readInner(unpacked))?.checkpoint;
  if (inner?.format === 'joblib' || inner?.format === 'pickle')
    return { ...inner, format: 'joblib', size: bytes.size, compression: packing?.name };
  if (inner?.format === 'nemo') return { ...inner, size: bytes.size, compression: packing?.name };
  const checkpoint = unreadCheckpoint(format, bytes.size, problemOf(packing?.name));
  if (!inner || inner.safety.verdict === 'not-checked') return checkpoint;
  const { safety } = inner;
  return withSafety(checkpoint, [{ ...safety, reason: `Compressed content: ${safety.reason}` }], inner.imports);
}

/** Compressions of `joblib.dump` that are not supported here. */
const JOBLIB_COMPRESSIONS: readonly string[] = ['bzip2', 'xz', 'lzma', 'LZ4', OLD_JOBLIB.name];

function problemOf(name: string | undefined): string {
  return name !== undefined && JOBLIB_COMPRESSIONS.includes(name)
    ? `It is compressed with ${name}, which \`joblib.load\` decompresses automatically but GPU Doctor does not: decompress it to see the contents.`
    : `It is compressed with ${name}: decompress it to see the contents.`;
}

/** Decompresses a file; undefined if this is not supported, fails or exceeds the limits. */
async function unpackedOf(bytes: Bytes, { unpack }: Compression, budget: Budget): Promise<Bytes | undefined> {
  if (!unpack || bytes.size > MOST_PACKED) return undefined;
  try {
    return inMemory(await unpack(bytes, budget));
  } catch (error) {
    if (error instanceof BudgetExhausted) throw error;
    return undefined;
  }
}

/** Number of bytes that Python's decompressing readers decompress at once. */
const FIRST_PIECE = 8192;

/** True for bytes with the signature of gzip or zlib that no reader decompresses any data from. */
export async function failsToUnpack(head: Buffer, bytes: Bytes): Promise<boolean> {
  const name = compressionOf(head)?.name;
  if (name !== 'gzip' && name !== ZLIB.name) return false;
  try {
    const piece = await bytes.read(0, FIRST_PIECE);
    unzipSync(piece, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_UNPACKED });
    return false;
  } catch (error) {
    return ['Z_DATA_ERROR', 'Z_BUF_ERROR'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

function inflateWith(createInflater: () => Transform): Compression['unpack'] {
  return async (packed, { hold }) => {
    const output = createOutput(MOST_UNPACKED, hold);
    for await (const piece of inflate(packed, createInflater())) append(output, piece);
    return contentOf(output);
  };
}
