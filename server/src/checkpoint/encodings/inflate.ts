import { pipeline, Readable, type Transform } from 'node:stream';
import type { Bytes } from '../bytes.ts';

/**
 * Decompresses bytes with one of zlib's streams, piece by piece, so that each piece is counted before the next one is
 * produced.
 * @throws the stream's error for damaged bytes
 */
export function inflate(packed: Bytes, inflater: Transform): AsyncIterable<Buffer> {
  // Any error reaches the consumer of the pieces.
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
