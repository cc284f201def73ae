import { pipeline, Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { type Bytes, inMemory, slice } from './bytes.ts';
import { type Member, membersIn } from './zipDirectory.ts';

export type { Member } from './zipDirectory.ts';

/** A ZIP file's table of contents; none of its members is read before it is asked for. */
export interface Archive {
  readonly members: readonly Member[];
  /**
   * A member's content; of a stored one, where it lies. Undefined when it cannot be had: packed in an unknown
   * way, outside of the file, or larger than `most` bytes when it has to be unpacked. What the file says of checksums,
   * encryption and second names is not looked at, since PyTorch does not look at it either.
   */
  open(member: Member, most?: number): Promise<Bytes | undefined>;
  /** The same of a member's first `length` bytes, however large it is. */
  openStart(member: Member, length: number): Promise<Bytes | undefined>;
}

/** Bytes to which a packed member may unpack. */
const MOST_UNPACKED = 64 * 1024 * 1024;

const STORED = 0;
const DEFLATED = 8;

/** Reads a ZIP file's table of contents; undefined when it has none that can be read, as after a broken download. */
export async function readArchive(bytes: Bytes): Promise<Archive | undefined> {
  const members = await membersIn(bytes);
  return (
    members && {
      members,
      open: async (member, most = MOST_UNPACKED) =>
        member.size > most && member.method !== STORED ? undefined : contentOf(bytes, member, member.size),
      openStart: (member, length) => contentOf(bytes, member, length),
    }
  );
}

const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_SIZE = 30;

/** A member's content, at least its first `wanted` bytes. */
async function contentOf(bytes: Bytes, member: Member, wanted: number): Promise<Bytes | undefined> {
  const { offset, method, packedSize, size } = member;
  const header = await bytes.read(offset, LOCAL_HEADER_SIZE);
  if (header.length < LOCAL_HEADER_SIZE || header.readUInt32LE(0) !== LOCAL_HEADER) return undefined;
  const start = offset + LOCAL_HEADER_SIZE + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + packedSize > bytes.size) return undefined;
  const content = slice(bytes, start, packedSize);
  if (method === STORED) return content;
  return method === DEFLATED ? unpacked(content, size, wanted) : undefined;
}

/** Undefined when it cannot be unpacked, or unpacks to more than the directory tells. */
async function unpacked(packed: Bytes, told: number, wanted: number): Promise<Bytes | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // What goes wrong is thrown where the chunks are taken.
    for await (const chunk of pipeline(Readable.from(chunksOf(packed)), createInflateRaw(), () => {})) {
      size += chunk.length;
      if (size > told) return undefined;
      chunks.push(chunk);
      if (size >= wanted) break;
    }
  } catch {
    return undefined;
  }
  return inMemory(Buffer.concat(chunks));
}

async function* chunksOf(bytes: Bytes): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.size; ) {
    const chunk = await bytes.read(at, 64 * 1024);
    if (chunk.length === 0) return;
    at += chunk.length;
    yield chunk;
  }
}
