import type { Budget } from '../budget.ts';
import type { Bytes } from '../bytes.ts';

/**
 * A member in the central directory at the end of a ZIP file:
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT (4.3.12 and later sections). The project has its own
 * reader because a checkpoint has one member per tensor, up to a hundred thousand of them.
 */
export interface Member {
  readonly name: string;
  /** Uncompressed, in bytes. */
  readonly size: number;
  readonly packedSize: number;
  /** Compression method: 0 for stored, 8 for deflate. */
  readonly method: number;
  readonly isEncrypted: boolean;
  /** Offset of its local header. */
  readonly offset: number;
}

export interface Directory {
  /** In the order of the central directory. */
  readonly members: readonly Member[];
  /** Offset of the central directory. */
  readonly offset: number;
  /** Reasons why readers may find different contents, each as a clause: `it has a second table of contents`. */
  readonly doubts: readonly string[];
}

/** Cost per member and per byte of its entry, in steps, including the checks of the name. */
const STEPS_PER_MEMBER = 150;
const STEPS_PER_LETTER = 4;

/** Maximum number of members: the largest archives have one per storage. */
const MOST_MEMBERS = 200_000;
/** Bytes of the longest central directory that is read. */
const LARGEST = 32 * 1024 * 1024;

const END = Buffer.from('PK\x05\x06', 'latin1');
const END_SIZE = 22;
const LONGEST_COMMENT = 0xffff;
const END_64 = 0x06064b50;
const END_64_SIZE = 56;
const LOCATOR_64 = 0x07064b50;
const LOCATOR_64_SIZE = 20;
const ENTRY = 0x02014b50;
const ENTRY_SIZE = 46;
/** Marks a value that does not fit in its field and is stored in the extra fields. */
const IN_EXTRA_FIELD = 0xffffffff;

/**
 * True if a ZIP reader finds a central directory, which it searches for from the end, regardless of how the file
 * starts. Four bytes of a tensor may look like an end record, but then the record points to nothing.
 */
export async function hasCentralDirectory(bytes: Bytes): Promise<boolean> {
  const end = await endRecordIn(bytes);
  if (!end) return false;
  const { offset, size } = await placeOf(bytes, end);
  // Python uses the bytes right before the end record, regardless of the offset that the record declares.
  for (const at of [offset, end.offset - size, end.offset - size - END_64_SIZE - LOCATOR_64_SIZE]) {
    const start = at >= 0 ? await bytes.read(at, 4) : Buffer.alloc(0);
    if (start.length === 4 && start.readUInt32LE(0) === ENTRY) return true;
  }
  return false;
}

/**
 * Reads the central directory. Returns undefined if there is none, or a clause with the reason if it cannot be read
 * completely.
 */
export async function directoryIn(bytes: Bytes, budget: Budget): Promise<Directory | string | undefined> {
  const end = await endRecordIn(bytes);
  if (!end) return undefined;
  const place = await placeOf(bytes, end);
  if (place.count > MOST_MEMBERS) return `it has more than ${MOST_MEMBERS} members`;
  if (place.size > LARGEST) return `its table of contents takes more than ${LARGEST / 1024 / 1024} MB`;
  const table = await bytes.read(place.offset, place.size);
  const members: Member[] = [];
  let at = 0;
  let hasSecondName = false;
  // Some readers rely on the number of members, others on the size of the directory.
  while (at + ENTRY_SIZE <= table.length && table.readUInt32LE(at) === ENTRY) {
    if (members.length >= MOST_MEMBERS) return `it has more than ${MOST_MEMBERS} members`;
    const nameEnd = at + ENTRY_SIZE + table.readUInt16LE(at + 28);
    const extraEnd = nameEnd + table.readUInt16LE(at + 30);
    if (extraEnd > table.length) return undefined;
    const plain = [table.readUInt32LE(at + 24), table.readUInt32LE(at + 20), table.readUInt32LE(at + 42)];
    const extra = table.subarray(nameEnd, extraEnd);
    const [size, packedSize, offset] = plain.includes(IN_EXTRA_FIELD) ? long(plain, extra) : plain;
    if (size === undefined || packedSize === undefined || offset === undefined) return undefined;
    budget.spend(STEPS_PER_MEMBER + (nameEnd - at) * STEPS_PER_LETTER);
    members.push({
      name: table.toString('utf8', at + ENTRY_SIZE, nameEnd),
      size,
      packedSize,
      method: table.readUInt16LE(at + 10),
      isEncrypted: (table.readUInt16LE(at + 8) & ENCRYPTED) !== 0,
      offset,
    });
    hasSecondName ||= fieldIn(extra, UNICODE_PATH) !== undefined;
    at = extraEnd + table.readUInt16LE(at + 32);
  }
  if (members.length < place.count) return undefined;
  const doubts = [...place.doubts];
  // Only Python 3.13 and newer use this field.
  if (hasSecondName) doubts.push('a member has a second name in its extra fields');
  if (members.length > place.count)
    doubts.push(`its end record counts ${place.count} members, and its table of contents has ${members.length}`);
  else if (at !== table.length) doubts.push('its table of contents contains data that does not describe a member');
  return { members, offset: place.offset, doubts };
}

/** Flags of an encrypted member. */
const ENCRYPTED = 0x2041;

interface EndRecord {
  readonly offset: number;
  readonly count: number;
  readonly size: number;
  readonly start: number;
  readonly doubts: readonly string[];
}

/** Finds the end record, which can be followed only by a comment. */
async function endRecordIn(bytes: Bytes): Promise<EndRecord | undefined> {
  const from = Math.max(0, bytes.size - END_SIZE - LONGEST_COMMENT);
  const tail = await bytes.read(from, bytes.size - from);
  if (tail.length < END_SIZE) return undefined;
  const at = tail.lastIndexOf(END, tail.length - END_SIZE);
  if (at < 0) return undefined;
  const end = at + END_SIZE + tail.readUInt16LE(at + 20);
  const doubts: string[] = [];
  if (end !== tail.length)
    doubts.push(end < tail.length ? 'it has data after its end record' : 'the comment of its end record is cut off');
  if (hasSecondRecord(tail, at)) doubts.push('it has a second end record');
  const counts = [8, 10].map((field) => tail.readUInt16LE(at + field));
  if (counts[0] !== counts[1]) doubts.push('its end record has two different member counts');
  return {
    offset: from + at,
    count: counts[1] as number,
    size: tail.readUInt32LE(at + 12),
    start: tail.readUInt32LE(at + 16),
    doubts,
  };
}

/**
 * True if the comment contains another end record, or if this record lies in the comment of an earlier one. Neither is
 * the case for nested archives.
 */
function hasSecondRecord(tail: Buffer, found: number): boolean {
  for (let at = tail.indexOf(END); at >= 0; at = tail.indexOf(END, at + 1)) {
    if (at > found) return true;
    if (at < found && at + END_SIZE + tail.readUInt16LE(at + 20) === tail.length) return true;
  }
  return false;
}

interface Place {
  readonly offset: number;
  readonly size: number;
  readonly count: number;
  readonly doubts: readonly string[];
}

/** Locates the central directory using the end record or the ZIP64 records before it. */
async function placeOf(bytes: Bytes, end: EndRecord): Promise<Place> {
  const { count, size, start: offset } = end;
  const long = await longPlaceOf(bytes, end.offset);
  const place = long ?? { count, size, offset, start: end.offset };
  const doubts = [...end.doubts];
  const differs = (short: number, declared: number, limit: number) => short !== limit && short !== declared;
  if (
    differs(count, place.count, 0xffff) ||
    differs(size, place.size, IN_EXTRA_FIELD) ||
    differs(offset, place.offset, IN_EXTRA_FIELD)
  )
    doubts.push('its two end records differ');
  // Readers that start at the end of the directory find a different one than readers that start at its offset.
  if (place.offset + place.size !== place.start) doubts.push('its table of contents does not end at its end record');
  return { ...place, doubts };
}

/** Locates it using the ZIP64 records; `start` is the offset of the first one. */
async function longPlaceOf(bytes: Bytes, end: number) {
  if (end < LOCATOR_64_SIZE) return undefined;
  const locator = await bytes.read(end - LOCATOR_64_SIZE, LOCATOR_64_SIZE);
  if (locator.readUInt32LE(0) !== LOCATOR_64) return undefined;
  const declared = Number(locator.readBigUInt64LE(8));
  const record = await bytes.read(declared, END_64_SIZE);
  if (record.length < END_64_SIZE || record.readUInt32LE(0) !== END_64) return undefined;
  const [count = 0, size = 0, offset = 0] = [32, 40, 48].map((field) => Number(record.readBigUInt64LE(field)));
  const recordEnd = declared + 12 + Number(record.readBigUInt64LE(4));
  // If there are bytes between the records, some readers expect the first record immediately before the second.
  return { count, size, offset, start: recordEnd === end - LOCATOR_64_SIZE ? declared : Number.NaN };
}

/** Ids of extra fields: ZIP64 numbers, and a UTF-8 name for a member named in another encoding. */
const ZIP64 = 1;
const UNICODE_PATH = 0x7075;

/** Returns the start of an extra field; undefined if it is absent. */
function fieldIn(extra: Buffer, kind: number): number | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === kind) return at + 4;
  return undefined;
}

/**
 * Returns size, compressed size and offset. Values that do not fit are read from the ZIP64 extra field, in this order.
 */
function long(plain: readonly number[], extra: Buffer): readonly number[] {
  const start = fieldIn(extra, ZIP64);
  if (start === undefined) return plain;
  let next = start;
  return plain.flatMap((value) => {
    if (value !== IN_EXTRA_FIELD) return [value];
    next += 8;
    return next <= extra.length ? [Number(extra.readBigUInt64LE(next - 8))] : [];
  });
}
