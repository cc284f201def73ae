import type { IncomingMessage } from 'node:http';
import { type Budget, createBudget } from './budget.ts';
import { type Bytes, inMemory } from './bytes.ts';
import type { Checkpoint } from './checkpoint.ts';
import { createGet, type Get, RemoteTrouble } from './httpGet.ts';
import { readBytes, readCheckpoint } from './read.ts';
import { readShards, shardsIn } from './shards.ts';
import { unfinishedCheckpoint, withFallback } from './unreadCheckpoint.ts';

/** Number of bytes per request, and number of such pieces that are kept. */
const PIECE = 256 * 1024;
const MOST_PIECES = 256;
/** Maximum size, in bytes, of a read that is fetched separately. A format's signature may be in many places. */
const LONGEST_SIGN = 64;
/** Maximum number of bytes fetched per file, and the size limit for a server without range support. */
const MOST_FETCHED = 512 * 1024 * 1024;
const LARGEST_WHOLE = 1024 * 1024;
/** Time limit in milliseconds for all requests for one file, including those for the files that an index lists. */
const TIMEOUT_MS = 120_000;

/** True for an HTTP or HTTPS address. */
export function isRemote(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** Reads the checkpoint at a path or at an address. */
export const readAnywhere = (path: string, budget: Budget): Promise<Checkpoint> =>
  isRemote(path) ? readRemote(path, budget) : readCheckpoint(path, budget);

/**
 * Reads the description of a file on a server through HTTP range requests, which fetch only the bytes that describe it.
 * Also reads the files that an index lists. @throws RemoteTrouble
 */
export async function readRemote(url: string, budget: Budget = createBudget()): Promise<Checkpoint> {
  const get = createGet(AbortSignal.timeout(TIMEOUT_MS));
  const bytes = await openRemote(url, get);
  const checkpoint = await readBytes(bytes, undefined, budget);
  if (checkpoint.format !== 'json') return checkpoint;
  const readShard = async (shard: string) =>
    readBytes(await openRemote(siblingUrl(url, shard), get), undefined, budget);
  const read = async () => {
    const shards = await shardsIn(bytes, budget);
    return shards ? readShards(shards, budget, readShard) : checkpoint;
  };
  return withFallback(read, (why) => unfinishedCheckpoint('json', checkpoint.size, why));
}

function siblingUrl(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `${address.pathname.slice(0, address.pathname.lastIndexOf('/') + 1)}${encodeURIComponent(name)}`;
  return address.href;
}

/** Opens a file on a server. @throws RemoteTrouble for any other response from the server, also from `read`. */
async function openRemote(url: string, get: Get): Promise<Bytes> {
  const first = await fetchPart(get, url, 0, PIECE);
  if (first.size === undefined) return inMemory(first.content);
  const { size, version } = first;
  const pieces = new Map([[0, first.content]]);
  let fetched = first.content.length;

  const part = async (start: number, end: number): Promise<Part> => {
    if (fetched > MOST_FETCHED) throw new RemoteTrouble('requires a larger download than a description should need');
    const found = await fetchPart(get, url, start, end);
    if (found.size !== size || found.version !== version) throw new RemoteTrouble('changed while it was read');
    fetched += found.content.length;
    return found;
  };
  const pieceAt = async (index: number): Promise<Buffer> => {
    const known = pieces.get(index);
    if (known) return known;
    const { content } = await part(index * PIECE, Math.min(size, (index + 1) * PIECE));
    if (pieces.size >= MOST_PIECES) pieces.clear();
    pieces.set(index, content);
    return content;
  };

  return {
    size,
    async read(offset, length) {
      const end = Math.min(size, offset + length);
      const isKnown = pieces.has(Math.floor(offset / PIECE));
      if (length <= LONGEST_SIGN && offset < end && !isKnown) return (await part(offset, end)).content;
      const parts: Buffer[] = [];
      for (let at = offset; at < end; ) {
        const start = at % PIECE;
        const piece = await pieceAt(Math.floor(at / PIECE));
        const content = piece.subarray(start, start + end - at);
        if (content.length === 0) throw new RemoteTrouble('is shorter than the server declared');
        parts.push(content);
        at += content.length;
      }
      return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    },
  };
}

interface Part {
  readonly content: Buffer;
  /** Size of the whole file; undefined if `content` is the whole file. */
  readonly size: number | undefined;
  readonly version: string | null;
}

/** Fetches the bytes from `start` up to, but not including, `end`. */
async function fetchPart(get: Get, url: string, start: number, end: number): Promise<Part> {
  const range = { range: `bytes=${start}-${end - 1}`, 'accept-encoding': 'identity', 'user-agent': 'gpu-doctor' };
  try {
    const answer = await get(url, range);
    const { headers, statusCode = 0, statusMessage = '' } = answer;
    const version = headers.etag ?? headers['last-modified'] ?? null;
    // An empty file has no first byte to request.
    if (statusCode === 416 && headers['content-range'] === 'bytes */0') {
      answer.destroy();
      return { content: Buffer.alloc(0), size: undefined, version };
    }
    if (statusCode === 206) {
      const size = /^bytes \d+-\d+\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1];
      if (size === undefined) throw refused(answer, 'the server does not report its size');
      return { content: await contentOf(answer, end - start), size: Number(size), version };
    }
    if (statusCode < 200 || statusCode > 299)
      throw refused(answer, `the server responded ${statusCode} ${statusMessage}`.trimEnd());
    const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
    if (length <= LARGEST_WHOLE) return { content: await contentOf(answer, LARGEST_WHOLE), size: undefined, version };
    answer.destroy();
    throw new RemoteTrouble(
      'cannot be read in parts: its server does not support range requests. Download the file first',
    );
  } catch (error) {
    if (error instanceof RemoteTrouble) throw error;
    throw new RemoteTrouble(`cannot be fetched: ${messageOf(error)}`);
  }
}

/** Discards a response and returns an error with the reason. */
function refused(answer: IncomingMessage, why: string): RemoteTrouble {
  answer.destroy();
  return new RemoteTrouble(`cannot be read: ${why}`);
}

/** Returns the body of a response, which must not exceed the requested length. */
async function contentOf(answer: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    size += chunk.length;
    if (size > most) throw refused(answer, 'the server sent more than requested');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return `it took longer than ${TIMEOUT_MS / 1000} seconds`;
  // If a host has several addresses, each of them failed.
  const [first = error] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? first.message : error.message;
}
