import { constants, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { Budget } from '../budget.ts';
import { type Bytes, inMemory, readingAhead, slice } from '../bytes.ts';
import { inflate } from './inflate.ts';
import { directoryIn, type Member } from './zipDirectory.ts';
import { differenceOf, doubtsAbout, LOCAL_HEADER, LOCAL_HEADER_SIZE } from './zipDoubts.ts';

export type { Member } from './zipDirectory.ts';

/** A ZIP file's table of contents; none of its members is read before it is asked for. */
export interface Archive {
  readonly members: readonly Member[];
  /**
   * A member's content; of a stored one, where it lies. Undefined when it cannot be had: packed or encrypted in a way
   * that is not known here, outside of the file, of another size than is told, or larger than `most` bytes when it has to
   * be unpacked. Checksums are not looked at, since PyTorch can write files without.
   */
  open(member: Member, most?: number): Promise<Bytes | undefined>;
  /** The same of a member's first `length` bytes, however large it is. */
  openStart(member: Member, length: number): Promise<Bytes | undefined>;
  /** Why other readers may find something else in what was opened so far, each as a clause that follows "Not checked:". */
  doubts(): readonly string[];
}

/** Bytes to which the packed members of an archive may unpack, all in all. */
const MOST_UNPACKED = 64 * 1024 * 1024;
/** Packed bytes that are unpacked at once for a member's beginning; they become a thousand times as many at most. */
const SMALL = 256;

/** Steps that it takes to find a member's content. */
const STEPS_A_MEMBER = 300;

/** Bytes that are read ahead of what is asked for. */
const NEAR = 4096;

const STORED = 0;
const DEFLATED = 8;

/** Reads a ZIP file's table of contents; undefined, or why not as a clause, when it has none that can be read. */
export async function readArchive(bytes: Bytes, budget: Budget): Promise<Archive | string | undefined> {
  const directory = await directoryIn(bytes, budget);
  if (directory === undefined || typeof directory === 'string') return directory;
  const doubts = new Set(await doubtsAbout(bytes, directory));
  // Small members lie side by side.
  const near = readingAhead(bytes, NEAR);
  let left = MOST_UNPACKED;

  /** Where a member's packed content lies. */
  const packedContentOf = async (member: Member): Promise<Bytes | undefined> => {
    const { offset, packedSize } = member;
    const header = await near.read(offset, LOCAL_HEADER_SIZE);
    if (header.length < LOCAL_HEADER_SIZE || header.readUInt32LE(0) !== LOCAL_HEADER) return undefined;
    const nameLength = header.readUInt16LE(26);
    const start = offset + LOCAL_HEADER_SIZE + nameLength + header.readUInt16LE(28);
    if (start + packedSize > bytes.size) return undefined;
    const name = await near.read(offset + LOCAL_HEADER_SIZE, nameLength);
    const difference = differenceOf(header, name, member);
    if (difference) doubts.add(difference);
    if (member.isEncrypted) doubts.add(`its member \`${member.name}\` is said to be encrypted`);
    return slice(packedSize < NEAR ? near : bytes, start, packedSize);
  };

  const contentOf = async (member: Member, wanted: number): Promise<Bytes | undefined> => {
    const { method, packedSize, size } = member;
    budget.spend(STEPS_A_MEMBER);
    const packed = await packedContentOf(member);
    if (!packed) return undefined;
    if (method === STORED) return packedSize === size ? packed : undefined;
    if (method !== DEFLATED) return undefined;
    if (wanted > left) {
      doubts.add(`its members unpack to more than ${MOST_UNPACKED / 1024 / 1024} MB`);
      return undefined;
    }
    const start = wanted < size ? await startOf(packed) : undefined;
    left -= start?.size ?? 0;
    budget.hold(start?.size ?? 0);
    if (start && start.size >= wanted) return slice(start, 0, wanted);
    budget.hold(wanted);
    const content = await unpacked(packed, wanted < size ? Number.POSITIVE_INFINITY : size, wanted);
    // What is unpacked in vain has been paid for as well.
    left -= content?.size ?? wanted;
    return content;
  };

  return {
    members: directory.members,
    doubts: () => [...doubts],
    open: async (member, most = MOST_UNPACKED) =>
      member.size > most && member.method !== STORED ? undefined : contentOf(member, member.size),
    openStart: (member, length) => contentOf(member, Math.min(length, member.size)),
  };
}

/** What the first of some packed bytes unpack to. */
async function startOf(packed: Bytes): Promise<Bytes | undefined> {
  try {
    return inMemory(inflateRawSync(await packed.read(0, SMALL), { finishFlush: constants.Z_SYNC_FLUSH }));
  } catch {
    return undefined;
  }
}

/** Undefined when it cannot be unpacked, or unpacks to another size than is told. */
async function unpacked(packed: Bytes, told: number, wanted: number): Promise<Bytes | undefined> {
  const content = Buffer.allocUnsafe(Math.min(told, wanted));
  let size = 0;
  try {
    for await (const piece of inflate(packed, createInflateRaw())) {
      piece.copy(content, size);
      size += piece.length;
      if (size > told) return undefined;
      if (size >= wanted && size < told) break;
    }
  } catch {
    return undefined;
  }
  if (told !== Number.POSITIVE_INFINITY && size !== told) return undefined;
  return inMemory(content.subarray(0, size));
}
