/** The text of a file that describes an environment. */

/**
 * Byte order marks of UTF-16: PowerShell writes the output of `pip freeze > requirements.txt` in it, and pip reads it.
 */
const MARKS = { 'utf-16le': Buffer.from([0xff, 0xfe]), 'utf-16be': Buffer.from([0xfe, 0xff]) } as const;

export type Utf16 = keyof typeof MARKS;

/** Returns the UTF-16 encoding that the byte order mark indicates; undefined without a mark. */
export function utf16Of(bytes: Buffer): Utf16 | undefined {
  return (Object.keys(MARKS) as Utf16[]).find((encoding) => MARKS[encoding].equals(bytes.subarray(0, 2)));
}

/** Returns the text without its byte order mark: decoded as UTF-16 if marked, else as UTF-8. */
export function decodedText(bytes: Buffer): string {
  const encoding = utf16Of(bytes);
  if (encoding === undefined) return bytes.toString('utf8');
  const content = bytes.subarray(2, bytes.length - (bytes.length % 2));
  return (encoding === 'utf-16le' ? content : Buffer.from(content).swap16()).toString('utf16le');
}

/** Returns the bytes of text encoded as UTF-16, with the byte order mark. */
export function inUtf16(text: string, encoding: Utf16): Buffer {
  const content = Buffer.from(text, 'utf16le');
  return Buffer.concat([MARKS[encoding], encoding === 'utf-16le' ? content : content.swap16()]);
}
