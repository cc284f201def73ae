import { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { type Bytes, inMemory, readingAhead, slice } from './bytes.ts';

/** A ZIP file's table of contents; none of its members is read before it is asked for. */
export interface Archive {
  readonly members: readonly Member[];
  /**
   * A member's content; of a stored one, where it lies. Undefined when it cannot be had: encrypted, packed in an
   * unknown way, outside of the file, or larger than `most` bytes when it has to be unpacked.
   */
  open(member: Member, most?: number): Promise<Bytes | undefined>;
  /** The same of a member's first `length` bytes, however large it is. */
  openStart(member: Member, length: number): Promise<Bytes | undefined>;
}

export interface Member {
  readonly name: string;
  /** In bytes, unpacked. */
  readonly size: number;
  readonly entry: Entry;
}

/** Members of the largest archives are a storage each. */
const MOST_MEMBERS = 500_000;
/** Bytes to which a packed member may unpack. */
const MOST_UNPACKED = 64 * 1024 * 1024;

/** Reads a ZIP file's table of contents; undefined when it has none that can be read, as after a broken download. */
export async function readArchive(bytes: Bytes): Promise<Archive | undefined> {
  const reader = new ReaderOf(bytes);
  try {
    const zip = await reader.guard(
      fromRandomAccessReaderPromise(reader, bytes.size, { autoClose: false, validateEntrySizes: false }),
    );
    const members = await reader.guard(membersOf(zip));
    if (!members) return undefined;
    return {
      members,
      open: async (member, most = MOST_UNPACKED) =>
        member.size > most && member.entry.compressionMethod !== 0 ? undefined : open(zip, reader, bytes, member),
      openStart: (member, length) => open(zip, reader, bytes, member, length),
    };
  } catch {
    return undefined;
  }
}

async function membersOf(zip: ZipFile): Promise<Member[] | undefined> {
  const members: Member[] = [];
  if (zip.entryCount > MOST_MEMBERS) return undefined;
  for await (const entry of zip.eachEntry())
    members.push({ name: entry.fileName, size: entry.uncompressedSize, entry });
  return members;
}

async function open(
  zip: ZipFile,
  reader: ReaderOf,
  bytes: Bytes,
  { entry }: Member,
  start = Number.POSITIVE_INFINITY,
): Promise<Bytes | undefined> {
  if (entry.isEncrypted() || !entry.canDecodeFileData()) return undefined;
  try {
    const { fileDataStart } = await reader.guard(zip.readLocalFileHeaderPromise(entry, { minimal: true }));
    if (entry.compressionMethod === 0) return slice(bytes, fileDataStart, entry.compressedSize);
    return await reader.guard(unpacked(await zip.openReadStreamPromise(entry), entry.uncompressedSize, start));
  } catch {
    return undefined;
  }
}

/** The first `start` bytes, or all; undefined when it unpacks to more than the directory says. */
async function unpacked(stream: Readable, told: number, start: number): Promise<Bytes | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > told) return undefined;
    chunks.push(chunk);
    if (size >= start) break;
  }
  return inMemory(Buffer.concat(chunks));
}

/** Lets yauzl read from bytes, a little ahead of what it asks for. */
class ReaderOf extends RandomAccessReader {
  readonly #bytes: Bytes;
  readonly #failure: Promise<never>;
  #fail: (error: unknown) => void = () => {};

  constructor(bytes: Bytes) {
    super();
    this.#bytes = readingAhead(bytes);
    this.#failure = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.#failure.catch(() => {});
  }

  /** Fails with the work when that throws in a callback, where no one could catch it. */
  guard<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#failure]);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(chunksOf(this.#bytes, start, end));
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.#bytes
      .read(position, length)
      .then((content) => {
        content.copy(buffer, offset);
        done(content.length < length ? new Error('the file ends before') : null);
      })
      .catch(this.#fail);
  }
}

async function* chunksOf(bytes: Bytes, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const chunk = await bytes.read(at, Math.min(64 * 1024, end - at));
    if (chunk.length === 0) return;
    at += chunk.length;
    yield chunk;
  }
}
