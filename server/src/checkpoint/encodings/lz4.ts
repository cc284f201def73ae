import { append, contentOf, createOutput, type Output, reserve } from './output.ts';

/** LZ4 frames: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md and `lz4_Block_format.md` next to it. */

const FRAME = 0x184d2204;
/** This bit in a block's size marks an uncompressed block. */
const STORED = 0x80000000;
/** Shortest match, in bytes. */
const SHORTEST_COPY = 4;
/** Value of a 4-bit length that continues in the following bytes. */
const GOES_ON = 15;

class Lz4Trouble extends Error {}

/**
 * Unpacks a file of LZ4 frames without checking checksums. `hold` counts memory before it is allocated.
 * @throws Lz4Trouble for damaged bytes, OutputTooLong for more than `most` bytes
 */
export function unpackLz4(packed: Buffer, most: number, hold: (bytes: number) => void = () => {}): Buffer {
  const output = createOutput(most, hold);
  for (let at = 0; at < packed.length; ) at = unpackFrame(packed, at, output);
  return contentOf(output);
}

/** Unpacks one frame and returns where it ends. */
function unpackFrame(packed: Buffer, start: number, output: Output): number {
  // Magic number (4 bytes), flags, block size, optional content size and dictionary id, header checksum.
  if (start + 7 > packed.length || packed.readUInt32LE(start) !== FRAME) throw new Lz4Trouble('is not an LZ4 frame');
  const flags = packed.readUInt8(start + 4);
  const [hasBlockSums, hasSize, hasSum, hasDictionary] = [0x10, 0x08, 0x04, 0x01].map((bit) => (flags & bit) !== 0);
  if (flags >> 6 !== 1 || hasDictionary) throw new Lz4Trouble('has an unsupported version');
  const first = output.end;
  let at = start + 7 + (hasSize ? 8 : 0);
  for (;;) {
    if (at + 4 > packed.length) throw new Lz4Trouble('is cut off');
    const declared = packed.readUInt32LE(at);
    at += 4;
    if (declared === 0) return at + (hasSum ? 4 : 0);
    const block = packed.subarray(at, at + (declared % STORED));
    if (block.length < declared % STORED) throw new Lz4Trouble('is cut off');
    if (declared >= STORED) append(output, block);
    else unpackBlock(block, output, first);
    at += block.length + (hasBlockSums ? 4 : 0);
  }
}

/** Unpacks one block: literal bytes alternate with copies of earlier bytes of the frame. */
function unpackBlock(block: Buffer, output: Output, first: number): void {
  let at = 0;
  const next = () => {
    const byte = block[at++];
    if (byte === undefined) throw new Lz4Trouble('is cut off');
    return byte;
  };
  const lengthOf = (bits: number) => {
    let length = bits;
    for (let byte = bits === GOES_ON ? 255 : 0; byte === 255; length += byte) byte = next();
    return length;
  };
  while (at < block.length) {
    const token = next();
    const literals = lengthOf(token >> 4);
    if (at + literals > block.length) throw new Lz4Trouble('is damaged');
    append(output, block.subarray(at, at + literals));
    at += literals;
    // The last sequence of a block has no copy.
    if (at === block.length) return;
    const distance = next() + next() * 256;
    if (distance === 0 || distance > output.end - first) throw new Lz4Trouble('is damaged');
    appendCopy(output, distance, lengthOf(token & GOES_ON) + SHORTEST_COPY);
  }
}

/** A copy may overlap its own output, which is then repeated. */
function appendCopy(output: Output, distance: number, length: number): void {
  reserve(output, length);
  const { content } = output;
  for (const end = output.end + length; output.end < end; output.end++)
    content[output.end] = content[output.end - distance] as number;
}
