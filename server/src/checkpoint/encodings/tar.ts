import { posix } from 'node:path';
import { type Bytes, slice } from '../bytes.ts';
import { isTarHeader, recordsIn, tarHeaderOf } from './tarHeader.ts';

const BLOCK = 512;
/** Maximum number of members that are read. */
const MOST_MEMBERS = 1000;
/** Maximum number of zero bytes read after the last member; writers pad to blocks of ten kilobytes. */
const LONGEST_PADDING = 1024 * 1024;

interface Tar {
  /** The files by name, up to the first damage. If several have the same name, the last one is used. */
  readonly members: ReadonlyMap<string, Bytes>;
  /** Reasons why readers may find different contents, each as a clause that follows "Not checked:". */
  readonly doubts: readonly string[];
}

/**
 * True for the first block of a tar archive. This includes old forms, which Python's `tarfile` recognizes by their
 * checksum.
 */
export function isTar(head: Buffer): boolean {
  return head.length >= BLOCK && (isTarHeader(head) || head.toString('latin1', 257, 262) === 'ustar');
}

/**
 * Reads the files in a tar archive: https://www.gnu.org/software/tar/manual/html_node/Standard.html. A header that no
 * writer produces is reported as a doubt, because readers interpret it differently.
 */
export async function readTarMembers(bytes: Bytes): Promise<Tar> {
  const members = new Map<string, Bytes>();
  const doubts = new Set<string>();
  /** Paths of extracted files: two spellings of the same path overwrite each other. */
  const places = new Set<string>();
  for (let at = 0, count = 0; ; count++) {
    const block = await bytes.read(at, BLOCK);
    if (block.length === BLOCK && block.every((byte) => byte === 0)) {
      if (!(await isPadding(bytes, at))) doubts.add('it has data after its last member');
      break;
    }
    const header = block.length === BLOCK ? tarHeaderOf(block) : 'it is cut off or damaged';
    if (typeof header === 'string' || at + BLOCK + header.size > bytes.size) {
      doubts.add(typeof header === 'string' ? header : 'it is cut off or damaged');
      break;
    }
    if (count >= MOST_MEMBERS) {
      doubts.add(`it has more than ${MOST_MEMBERS} members`);
      break;
    }
    const { type, name, size } = header;
    const content = slice(bytes, at + BLOCK, size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'extension' && (await onlyDates(content))) continue;
    // Any other extension or type renames the next member or refers to another file.
    if (type === 'extension' || type === 'other') doubts.add('it has links or headers that rename its members');
    const place = posix.normalize(name);
    if (places.has(place)) doubts.add(`it has more than one member named \`${place}\``);
    if (type === 'folder') continue;
    places.add(place);
    members.set(name, content);
  }
  return { members, doubts: [...doubts] };
}

/** Bytes of the longest extension header that is read. */
const LONGEST_EXTENSION = 64 * 1024;
/** Keywords that change neither the position nor the name of a member. */
const DATES = /^([acm]time|[ug]id|[ug]name|comment)$/;

/** True for an extension that gives only dates and the owner of the next member. */
async function onlyDates(content: Bytes): Promise<boolean> {
  if (content.size > LONGEST_EXTENSION) return false;
  const records = recordsIn(await content.read(0, content.size));
  return records?.every((keyword) => DATES.test(keyword)) ?? false;
}

async function isPadding(bytes: Bytes, from: number): Promise<boolean> {
  if (bytes.size - from > LONGEST_PADDING) return false;
  const rest = await bytes.read(from, bytes.size - from);
  return rest.every((byte) => byte === 0);
}
