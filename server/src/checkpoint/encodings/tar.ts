import { posix } from 'node:path';
import { type Bytes, slice } from '../bytes.ts';

const BLOCK = 512;
/** Members after which no more are looked for. */
const MOST_MEMBERS = 1000;
/** Zeros behind the last member that are looked at: writers fill blocks of ten kilobytes. */
const LONGEST_FILLING = 1024 * 1024;

export interface Tar {
  /** The files by name, the last of those that have the same; those before the place where it is cut off or damaged. */
  readonly members: ReadonlyMap<string, Bytes>;
  /** Why readers may differ in what they find, each as a clause that follows "Not checked:". */
  readonly doubts: readonly string[];
}

/** True for the first block of a tar archive of any age, which Python's `tarfile` tells by its checksum. */
export function isTar(head: Buffer): boolean {
  return head.length >= BLOCK && (hasChecksum(head) || head.toString('latin1', 257, 262) === 'ustar');
}

/** Reads the files in a tar archive: https://www.gnu.org/software/tar/manual/html_node/Standard.html */
export async function readTarMembers(bytes: Bytes): Promise<Tar> {
  const members = new Map<string, Bytes>();
  const doubts = new Set<string>();
  /** Where its files come to lie: one is written over another with a different spelling of the same path. */
  const places = new Set<string>();
  for (let at = 0, count = 0; ; count++) {
    const header = await bytes.read(at, BLOCK);
    if (header.length === BLOCK && header.every((byte) => byte === 0)) {
      if (!(await isFilling(bytes, at))) doubts.add('bytes lie behind its last member');
      break;
    }
    const size = Number.parseInt(textIn(header, 124, 12).trim(), 8);
    if (!hasChecksum(header) || !Number.isSafeInteger(size) || size < 0 || at + BLOCK + size > bytes.size) {
      doubts.add('it is cut off or damaged');
      break;
    }
    if (count >= MOST_MEMBERS) {
      doubts.add(`it has more than ${MOST_MEMBERS} members`);
      break;
    }
    const type = header.toString('latin1', 156, 157);
    const content = slice(bytes, at + BLOCK, size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (/[xg]/.test(type) && (await onlyDates(content))) continue;
    // Whatever else is neither a file nor a folder renames the next member, or stands for another file.
    if (!/[0\0 5]/.test(type)) doubts.add('it has links or headers that rename its members');
    const name = nameIn(header);
    const place = posix.normalize(name);
    if (places.has(place)) doubts.add(`it has more than one member with the name \`${place}\``);
    if (type === '5') continue;
    places.add(place);
    members.set(name, content);
  }
  return { members, doubts: [...doubts] };
}

/** Bytes of the longest header of the next member that is looked into. */
const LONGEST_EXTENSION = 64 * 1024;

/** True for a header that tells nothing of the next member but when it was written and whose it is: `30 mtime=...` */
async function onlyDates(content: Bytes): Promise<boolean> {
  if (content.size > LONGEST_EXTENSION) return false;
  const records = (await content.read(0, content.size)).toString('utf8').split('\n');
  return records.every((record) => record === '' || /^\d+ ([acm]time|[ug]id|[ug]name|comment)=/.test(record));
}

function nameIn(header: Buffer): string {
  const prefix = textIn(header, 345, 155);
  const name = textIn(header, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** The sum of the header's bytes, in which its own place counts as blanks; old writers took the bytes for signed ones. */
function hasChecksum(header: Buffer): boolean {
  if (header.length < BLOCK) return false;
  const told = Number.parseInt(textIn(header, 148, 8).trim(), 8);
  let sum = 8 * 0x20;
  let signed = sum;
  for (const [index, byte] of header.subarray(0, BLOCK).entries()) {
    if (index >= 148 && index < 156) continue;
    sum += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  return told === sum || told === signed;
}

async function isFilling(bytes: Bytes, from: number): Promise<boolean> {
  if (bytes.size - from > LONGEST_FILLING) return false;
  const rest = await bytes.read(from, bytes.size - from);
  return rest.every((byte) => byte === 0);
}

function textIn(header: Buffer, start: number, length: number): string {
  const text = header.toString('latin1', start, start + length);
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}
