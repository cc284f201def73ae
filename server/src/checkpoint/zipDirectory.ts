import type { Bytes } from './bytes.ts';

/**
 * The table of contents at the end of a ZIP file: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT (4.3.12 and
 * after). It is read here, not by a library: a checkpoint has a member for each tensor, a hundred thousand of them.
 */
export interface Member {
  readonly name: string;
  /** In bytes, unpacked. */
  readonly size: number;
  readonly packedSize: number;
  /** How it is packed: 0 not at all, 8 by deflate. */
  readonly method: number;
  /** Where its own header lies. */
  readonly offset: number;
}

/** Members of the largest archives are a storage each. */
const MOST_MEMBERS = 300_000;
/** Bytes of the longest table that is read. */
const LARGEST = 64 * 1024 * 1024;

const END = Buffer.from('PK\x05\x06', 'latin1');
const END_SIZE = 22;
const LONGEST_COMMENT = 0xffff;
const END_64 = 0x06064b50;
const END_64_SIZE = 56;
const LOCATOR_64 = 0x07064b50;
const LOCATOR_64_SIZE = 20;
const ENTRY = 0x02014b50;
const ENTRY_SIZE = 46;
/** Stands for a number that is told among the extra fields, since it does not fit. */
const ELSEWHERE = 0xffffffff;

/** The members in the order of the table; undefined when there is none that can be read whole. */
export async function membersIn(bytes: Bytes): Promise<Member[] | undefined> {
  const place = await placeOf(bytes);
  if (!place || place.count > MOST_MEMBERS || place.size > LARGEST) return undefined;
  const table = await bytes.read(place.offset, place.size);
  const members: Member[] = [];
  for (let at = 0; members.length < place.count; ) {
    if (at + ENTRY_SIZE > table.length || table.readUInt32LE(at) !== ENTRY) return undefined;
    const nameEnd = at + ENTRY_SIZE + table.readUInt16LE(at + 28);
    const extraEnd = nameEnd + table.readUInt16LE(at + 30);
    if (extraEnd > table.length) return undefined;
    const plain = [24, 20, 42].map((field) => table.readUInt32LE(at + field));
    const [size, packedSize, offset] = plain.includes(ELSEWHERE)
      ? long(plain, table.subarray(nameEnd, extraEnd))
      : plain;
    if (size === undefined || packedSize === undefined || offset === undefined) return undefined;
    members.push({
      name: table.toString('utf8', at + ENTRY_SIZE, nameEnd),
      size,
      packedSize,
      method: table.readUInt16LE(at + 10),
      offset,
    });
    at = extraEnd + table.readUInt16LE(at + 32);
  }
  return members;
}

interface Place {
  readonly offset: number;
  readonly size: number;
  readonly count: number;
}

/** Where the table lies, by the record at the end of the file, behind which only a comment stands. */
async function placeOf(bytes: Bytes): Promise<Place | undefined> {
  const start = Math.max(0, bytes.size - END_SIZE - LONGEST_COMMENT);
  const tail = await bytes.read(start, bytes.size - start);
  const at = tail.lastIndexOf(END, tail.length - END_SIZE);
  if (tail.length < END_SIZE || at < 0) return undefined;
  const place = {
    count: tail.readUInt16LE(at + 10),
    size: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  };
  return (await longPlaceOf(bytes, start + at)) ?? place;
}

/** The same by the records of ZIP64, which stand before it. */
async function longPlaceOf(bytes: Bytes, end: number): Promise<Place | undefined> {
  if (end < LOCATOR_64_SIZE) return undefined;
  const locator = await bytes.read(end - LOCATOR_64_SIZE, LOCATOR_64_SIZE);
  if (locator.readUInt32LE(0) !== LOCATOR_64) return undefined;
  const record = await bytes.read(Number(locator.readBigUInt64LE(8)), END_64_SIZE);
  if (record.length < END_64_SIZE || record.readUInt32LE(0) !== END_64) return undefined;
  const [count = 0, size = 0, offset = 0] = [32, 40, 48].map((field) => Number(record.readBigUInt64LE(field)));
  return { count, size, offset };
}

/** Size, packed size and offset, of which those that do not fit stand in the extra field of ZIP64, in this order. */
function long(plain: readonly number[], extra: Buffer): readonly number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let from = at + 4;
    return plain.flatMap((value) => {
      if (value !== ELSEWHERE) return [value];
      from += 8;
      return from <= extra.length ? [Number(extra.readBigUInt64LE(from - 8))] : [];
    });
  }
  return plain;
}
