import { pipeline, Readable, type Transform } from 'node:stream';
import type { Bytes } from '../bytes.ts';

/**
 * What packed bytes unpack to by one of zlib's streams, piece by piece, so that none is made before the one before it was
 * counted. @throws what the stream throws for damaged bytes
 */
export function inflate(packed: Bytes, inflater: Transform): AsyncIterable<Buffer> {
  // What goes wrong is thrown where the pieces are taken.
  return pipeline(Readable.from(piecesOf(packed)), inflater, () => {});
}

async function* piecesOf(bytes: Bytes): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.size; ) {
    const piece = await bytes.read(at, 64 * 1024);
    if (piece.length === 0) return;
    at += piece.length;
    yield piece;
  }
}
