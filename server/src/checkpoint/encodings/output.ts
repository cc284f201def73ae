/** Content that is unpacked without its size being known. */
export interface Output {
  content: Buffer;
  end: number;
  readonly most: number;
  /** Counts memory before it is taken. */
  readonly hold: (bytes: number) => void;
}

/** More than was allowed. */
export class OutputTooLong extends Error {
  constructor() {
    super('is too long');
  }
}

/** Creates an empty one, of at most so many bytes. */
export function createOutput(most: number, hold: (bytes: number) => void): Output {
  return { content: Buffer.alloc(0), end: 0, most, hold };
}

/** Makes place for so many bytes more. @throws OutputTooLong, or what `hold` throws */
export function reserve(output: Output, length: number): void {
  const wanted = output.end + length;
  if (wanted > output.most) throw new OutputTooLong();
  if (wanted <= output.content.length) return;
  const size = Math.min(output.most, Math.max(wanted * 2, SMALLEST));
  // What was there stays until the memory is collected.
  output.hold(size);
  const larger = Buffer.alloc(size);
  output.content.copy(larger, 0, 0, output.end);
  output.content = larger;
}

const SMALLEST = 4096;

/** Adds those bytes. @throws as `reserve` does */
export function append(output: Output, bytes: Buffer): void {
  reserve(output, bytes.length);
  bytes.copy(output.content, output.end);
  output.end += bytes.length;
}

/** Returns what was added so far. */
export function contentOf({ content, end }: Output): Buffer {
  return content.subarray(0, end);
}
