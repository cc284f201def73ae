import type { Budget } from '../budget.ts';
import type { Bytes } from '../bytes.ts';

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
  readonly isEncrypted: boolean;
  /** Where its own header lies. */
  readonly offset: number;
}

export interface Directory {
  /** In the order of the table. */
  readonly members: readonly Member[];
  /** Where the table lies. */
  readonly offset: number;
  /** Why readers may differ in what they find, each as a clause: `it has a second table of contents`. */
  readonly doubts: readonly string[];
}

/** Steps that a member and a letter of its name take, judging the name included. */
const STEPS_A_MEMBER = 150;
const STEPS_A_LETTER = 4;

/** Members of the largest archives are a storage each. */
const MOST_MEMBERS = 200_000;
/** Bytes of the longest table that is read. */
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
/** Stands for a number that is told among the extra fields, since it does not fit. */
const ELSEWHERE = 0xffffffff;

/**
 * True where a ZIP reader finds a table, which it looks for from the end: whatever the file starts with. Four bytes of a
 * tensor may be those of an end record; then nothing stands where it points to.
 */
export async function hasTable(bytes: Bytes): Promise<boolean> {
  const end = await endRecordIn(bytes);
  if (!end) return false;
  const { offset, size } = await placeOf(bytes, end);
  // Python takes what stands right before the end record, wherever that says that its table lies.
  for (const at of [offset, end.offset - size, end.offset - size - END_64_SIZE - LOCATOR_64_SIZE]) {
    const start = at >= 0 ? await bytes.read(at, 4) : Buffer.alloc(0);
    if (start.length === 4 && start.readUInt32LE(0) === ENTRY) return true;
  }
  return false;
}

/** The table of contents; undefined, or why not as a clause, when there is none that can be read whole. */
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
  // Some readers go by the number of members, some by the bytes that the table takes.
  while (at + ENTRY_SIZE <= table.length && table.readUInt32LE(at) === ENTRY) {
    if (members.length >= MOST_MEMBERS) return `it has more than ${MOST_MEMBERS} members`;
    const nameEnd = at + ENTRY_SIZE + table.readUInt16LE(at + 28);
    const extraEnd = nameEnd + table.readUInt16LE(at + 30);
    if (extraEnd > table.length) return undefined;
    const plain = [table.readUInt32LE(at + 24), table.readUInt32LE(at + 20), table.readUInt32LE(at + 42)];
    const extra = table.subarray(nameEnd, extraEnd);
    const [size, packedSize, offset] = plain.includes(ELSEWHERE) ? long(plain, extra) : plain;
    if (size === undefined || packedSize === undefined || offset === undefined) return undefined;
    budget.spend(STEPS_A_MEMBER + (nameEnd - at) * STEPS_A_LETTER);
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
  // Python takes it since 3.13, others do not.
  if (hasSecondName) doubts.push('a member has a second name among its extra fields');
  if (members.length > place.count)
    doubts.push(`its end record counts ${place.count} members, and its table of contents has ${members.length}`);
  else if (at !== table.length) doubts.push('bytes that describe no member stand in its table of contents');
  return { members, offset: place.offset, doubts };
}

/** Bits that say that a member is encrypted, in one way or another. */
const ENCRYPTED = 0x2041;

interface EndRecord {
  readonly offset: number;
  readonly count: number;
  readonly size: number;
  readonly start: number;
  readonly doubts: readonly string[];
}

/** The record at the end of the file, behind which only a comment stands. */
async function endRecordIn(bytes: Bytes): Promise<EndRecord | undefined> {
  const from = Math.max(0, bytes.size - END_SIZE - LONGEST_COMMENT);
  const tail = await bytes.read(from, bytes.size - from);
  if (tail.length < END_SIZE) return undefined;
  const at = tail.lastIndexOf(END, tail.length - END_SIZE);
  if (at < 0) return undefined;
  const end = at + END_SIZE + tail.readUInt16LE(at + 20);
  const doubts: string[] = [];
  if (end !== tail.length)
    doubts.push(end < tail.length ? 'bytes lie behind its end record' : 'the comment of its end record is cut off');
  if (hasSecondRecord(tail, at)) doubts.push('it has a second end record');
  const counts = [8, 10].map((field) => tail.readUInt16LE(at + field));
  if (counts[0] !== counts[1]) doubts.push('its end record counts its members in two ways');
  return {
    offset: from + at,
    count: counts[1] as number,
    size: tail.readUInt32LE(at + 12),
    start: tail.readUInt32LE(at + 16),
    doubts,
  };
}

/** True where another record stands in the comment, or takes this one for its own comment; archives in archives do neither. */
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

/** Where the table lies, by the end record or by those of ZIP64, which stand before it. */
async function placeOf(bytes: Bytes, end: EndRecord): Promise<Place> {
  const { count, size, start: offset } = end;
  const long = await longPlaceOf(bytes, end.offset);
  const place = long ?? { count, size, offset, start: end.offset };
  const doubts = [...end.doubts];
  const differs = (short: number, told: number, limit: number) => short !== limit && short !== told;
  if (
    differs(count, place.count, 0xffff) ||
    differs(size, place.size, ELSEWHERE) ||
    differs(offset, place.offset, ELSEWHERE)
  )
    doubts.push('its two end records differ');
  // A reader that goes by the end of the table finds another one than who goes by its beginning.
  if (place.offset + place.size !== place.start)
    doubts.push('its table of contents does not end where its end record stands');
  return { ...place, doubts };
}

/** The same by the records of ZIP64; `start` is where they begin. */
async function longPlaceOf(bytes: Bytes, end: number) {
  if (end < LOCATOR_64_SIZE) return undefined;
  const locator = await bytes.read(end - LOCATOR_64_SIZE, LOCATOR_64_SIZE);
  if (locator.readUInt32LE(0) !== LOCATOR_64) return undefined;
  const told = Number(locator.readBigUInt64LE(8));
  const record = await bytes.read(told, END_64_SIZE);
  if (record.length < END_64_SIZE || record.readUInt32LE(0) !== END_64) return undefined;
  const [count = 0, size = 0, offset = 0] = [32, 40, 48].map((field) => Number(record.readBigUInt64LE(field)));
  const recordEnd = told + 12 + Number(record.readBigUInt64LE(4));
  // Where bytes lie between the records, some readers look for the first one right before the second.
  return { count, size, offset, start: recordEnd === end - LOCATOR_64_SIZE ? told : Number.NaN };
}

/** Identifiers of extra fields: the numbers of ZIP64, and a name in UTF-8 beside one in another encoding. */
const ZIP64 = 1;
const UNICODE_PATH = 0x7075;

/** Where the extra field of that kind begins; undefined where there is none. */
function fieldIn(extra: Buffer, kind: number): number | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === kind) return at + 4;
  return undefined;
}

/** Size, packed size and offset, of which those that do not fit stand in the extra field of ZIP64, in this order. */
function long(plain: readonly number[], extra: Buffer): readonly number[] {
  const start = fieldIn(extra, ZIP64);
  if (start === undefined) return plain;
  let next = start;
  return plain.flatMap((value) => {
    if (value !== ELSEWHERE) return [value];
    next += 8;
    return next <= extra.length ? [Number(extra.readBigUInt64LE(next - 8))] : [];
  });
}
