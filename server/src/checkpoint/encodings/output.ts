/** A growing buffer for decompressed content of unknown size. */
interface Output {
  content: Buffer;
  end: number;
  readonly most: number;
  /** Counts memory before it is allocated. */
  readonly hold: (bytes: number) => void;
}

/** The content exceeds the allowed size. */
class OutputTooLong extends Error {
  constructor() {
    super('is too long');
  }
}

/** Creates an empty output that holds at most `most` bytes. */
export function createOutput(most: number, hold: (bytes: number) => void): Output {
  return { content: Buffer.alloc(0), end: 0, most, hold };
}

/** Makes room for `length` more bytes. @throws OutputTooLong, or the error of `hold` */
function reserve(output: Output, length: number): void {
  const wanted = output.end + length;
  if (wanted > output.most) throw new OutputTooLong();
  if (wanted <= output.content.length) return;
  const size = Math.min(output.most, Math.max(wanted * 2, SMALLEST));
  // The old buffer stays in memory until it is collected, so the whole size counts.
  output.hold(size);
  const larger = Buffer.alloc(size);
  output.content.copy(larger, 0, 0, output.end);
  output.content = larger;
}

const SMALLEST = 4096;

/** Appends bytes. @throws as `reserve` does */
export function append(output: Output, bytes: Buffer): void {
  reserve(output, bytes.length);
  bytes.copy(output.content, output.end);
  output.end += bytes.length;
}

/** Returns everything appended so far. */
export function contentOf({ content, end }: Output): Buffer {
  return content.subarray(0, end);
}
