import { constants, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { Budget } from '../budget.ts';
import { type Bytes, inMemory, readingAhead, slice } from '../bytes.ts';
import { inflate } from './inflate.ts';
import { directoryIn, type Member } from './zipDirectory.ts';
import { differenceOf, LOCAL_HEADER, LOCAL_HEADER_SIZE, zipDoubts } from './zipDoubts.ts';

export type { Member } from './zipDirectory.ts';

/** A ZIP file's central directory. Members are read only on request. */
export interface Archive {
  readonly members: readonly Member[];
  /**
   * Returns a member's content; for a stored member, a view of the file. Undefined if the member has an unsupported
   * compression or encryption, lies outside the file, differs from its declared size, or needs decompression to more
   * than `most` bytes. Checksums are not verified, since PyTorch can write files without them.
   */
  open(member: Member, most?: number): Promise<Bytes | undefined>;
  /** Returns a member's first `length` bytes, regardless of its size. */
  openStart(member: Member, length: number): Promise<Bytes | undefined>;
  /**
   * Returns why other readers may find different contents in what has been opened so far, as clauses that follow "Not
   * checked:".
   */
  doubts(): readonly string[];
}

/** Maximum total size, in bytes, to which the compressed members of an archive may expand. */
const MOST_UNPACKED = 64 * 1024 * 1024;
/**
 * Number of compressed bytes that are inflated in one call for a member's beginning; they expand a thousandfold at
 * most.
 */
const SMALL = 256;

/** Cost of locating a member's content, in steps. */
const STEPS_PER_MEMBER = 300;

/** Number of bytes that are read ahead. */
const NEAR = 4096;

const STORED = 0;
const DEFLATED = 8;

/**
 * Reads a ZIP file's central directory. Returns undefined if there is none, or a clause with the reason if it cannot be
 * read.
 */
export async function readArchive(bytes: Bytes, budget: Budget): Promise<Archive | string | undefined> {
  const directory = await directoryIn(bytes, budget);
  if (directory === undefined || typeof directory === 'string') return directory;
  const doubts = new Set(await zipDoubts(bytes, directory));
  // Small members are adjacent.
  const near = readingAhead(bytes, NEAR);
  let left = MOST_UNPACKED;

  /** Locates a member's compressed content. */
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
    if (member.isEncrypted) doubts.add(`its member \`${member.name}\` is marked as encrypted`);
    return slice(packedSize < NEAR ? near : bytes, start, packedSize);
  };

  const contentOf = async (member: Member, wanted: number): Promise<Bytes | undefined> => {
    const { method, packedSize, size } = member;
    budget.spend(STEPS_PER_MEMBER);
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
    // A failed attempt costs the same as a successful one.
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

/** Inflates the first compressed bytes of a member. */
async function startOf(packed: Bytes): Promise<Bytes | undefined> {
  try {
    return inMemory(inflateRawSync(await packed.read(0, SMALL), { finishFlush: constants.Z_SYNC_FLUSH }));
  } catch {
    return undefined;
  }
}

/** Inflates a member; undefined if this fails or if the result differs from the declared size. */
async function unpacked(packed: Bytes, declared: number, wanted: number): Promise<Bytes | undefined> {
  const content = Buffer.allocUnsafe(Math.min(declared, wanted));
  let size = 0;
  try {
    for await (const piece of inflate(packed, createInflateRaw())) {
      piece.copy(content, size);
      size += piece.length;
      if (size > declared) return undefined;
      if (size >= wanted && size < declared) break;
    }
  } catch {
    return undefined;
  }
  if (declared !== Number.POSITIVE_INFINITY && size !== declared) return undefined;
  return inMemory(content.subarray(0, size));
}
