import type { Budget } from '../../budget.ts';
import type { Bytes } from '../../bytes.ts';
import { varint } from '../../encodings/protobuf.ts';

/**
 * A table of sorted keys in LevelDB's format, in which TensorFlow stores the index of a checkpoint:
 * https://github.com/google/leveldb/blob/main/doc/table_format.md
 */

const MAGIC = Buffer.from('57fb808b247547db', 'hex');
/** Two handles and the magic number at the end of the file. */
const FOOTER = 48;
/** A byte for a block's compression, followed by its checksum. */
const TRAILER = 5;

/** Limits on the bytes in a block and on the number of entries. */
const LONGEST_BLOCK = 64 * 1024 * 1024;
const MOST_ENTRIES = 500_000;
/** Cost of an entry in addition to its key, including the description of its tensor. */
const BYTES_PER_ENTRY = 250;
const STEPS_PER_ENTRY = 150;

type TableEntry = readonly [key: string, value: Buffer];

export async function isTable(bytes: Bytes): Promise<boolean> {
  return bytes.size >= FOOTER && MAGIC.equals(await bytes.read(bytes.size - MAGIC.length, MAGIC.length));
}

/**
 * Returns the entries of a table in order. Undefined if it is damaged or compressed, or if some bytes do not belong to
 * any block, because another reader could find a file of another format in them.
 */
export async function entriesIn(bytes: Bytes, budget: Budget): Promise<TableEntry[] | undefined> {
  const footer = await bytes.read(bytes.size - FOOTER, FOOTER);
  const meta = handleIn(footer, 0);
  const index = meta && handleIn(footer, meta.end);
  const blocks = index && (await blockAt(bytes, index, budget));
  if (!blocks || footer.subarray(index.end, -MAGIC.length).some((byte) => byte !== 0)) return undefined;
  const entries: TableEntry[] = [];
  let end = 0;
  for (const [, value] of blocks) {
    const handle = handleIn(value, 0);
    const block = handle?.offset === end ? await blockAt(bytes, handle, budget) : undefined;
    if (!handle || !block || entries.length + block.length > MOST_ENTRIES) return undefined;
    for (const entry of block) entries.push(entry);
    end += handle.size + TRAILER;
  }
  // The entries are followed by the metaindex block, which TensorFlow leaves empty, and the index block.
  const isWhole =
    meta.offset === end &&
    index.offset === end + meta.size + TRAILER &&
    bytes.size === index.offset + index.size + TRAILER + FOOTER;
  return isWhole && (await blockAt(bytes, meta, budget))?.length === 0 ? entries : undefined;
}

interface Handle {
  readonly offset: number;
  readonly size: number;
  /** Offset of the end of the handle. */
  readonly end: number;
}

function handleIn(bytes: Buffer, at: number): Handle | undefined {
  const offset = varint(bytes, at);
  const size = offset && varint(bytes, offset.end);
  return size && { offset: offset.value, size: size.value, end: size.end };
}

async function blockAt(bytes: Bytes, { offset, size }: Handle, budget: Budget): Promise<TableEntry[] | undefined> {
  if (size > LONGEST_BLOCK || offset + size + TRAILER > bytes.size) return undefined;
  const content = await bytes.read(offset, size + TRAILER);
  const isPacked = content[size] !== 0;
  return isPacked || size < 4 ? undefined : entriesOf(content.subarray(0, size), budget);
}

/** Parses a block. Each key shares a prefix with the previous one; restart points follow the entries. */
function entriesOf(block: Buffer, budget: Budget): TableEntry[] | undefined {
  const restarts = block.readUInt32LE(block.length - 4);
  const end = block.length - 4 - restarts * 4;
  if (!areRestartPoints(block, end)) return undefined;
  const entries: TableEntry[] = [];
  let key = Buffer.alloc(0);
  for (let at = 0; at < end; ) {
    const shared = varint(block, at);
    const own = shared && varint(block, shared.end);
    const length = own && varint(block, own.end);
    if (!length || shared.value > key.length) return undefined;
    const valueStart = length.end + own.value;
    at = valueStart + length.value;
    if (at > end) return undefined;
    // For a while, each key is in memory twice.
    budget.hold(2 * (shared.value + own.value) + BYTES_PER_ENTRY);
    budget.spend(STEPS_PER_ENTRY);
    key = Buffer.concat([key.subarray(0, shared.value), block.subarray(length.end, valueStart)]);
    entries.push([key.toString('utf8'), block.subarray(valueStart, at)]);
  }
  return entries;
}

/** True if the restart points, at which readers enter the block, ascend starting with the first entry. */
function areRestartPoints(block: Buffer, end: number): boolean {
  if (end < 0) return false;
  for (let at = end, last = -1; at < block.length - 4; at += 4) {
    const place = block.readUInt32LE(at);
    if (at === end ? place !== 0 : place <= last || place >= end) return false;
    last = place;
  }
  return true;
}
