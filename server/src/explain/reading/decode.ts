import { TextDecoder } from 'node:util';

/**
 * Decodes bytes as text from any console or editor: UTF-8, or UTF-16 as written by PowerShell redirection. Never fails.
 */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/**
 * Decodes text in chunks in the same way and encodes it as UTF-8, so that words can be found in the bytes of its lines.
 */
export async function* asUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    const encoding = isFirst ? encodingOf(chunk) : undefined;
    if (encoding !== undefined && encoding !== 'utf-8') decoder = new TextDecoder(encoding);
    isFirst = false;
    yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk;
  }
}

/** True if the start of the decoded bytes is text; text in a legacy encoding keeps its ASCII letters. */
export function isText(decoded: string): boolean {
  const beginning = decoded.slice(0, 4096);
  return (beginning.match(/[\uFFFD\0]/g)?.length ?? 0) <= beginning.length / 3;
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, 512);
  const zeros = (from: number) => sample.filter((byte, index) => index % 2 === from && byte === 0).length;
  if (zeros(1) > sample.length / 4 && zeros(0) === 0) return 'utf-16le';
  if (zeros(0) > sample.length / 4 && zeros(1) === 0) return 'utf-16be';
  return 'utf-8';
}
