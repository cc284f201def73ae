import { isUtf8 } from 'node:buffer';
import { decodedText, inUtf16, type Utf16, utf16Of } from '../environment/text.ts';
import { Trouble } from './trouble.ts';

/** The encoding in which a file was read and is written. `other` can be read but not written. */
export type Encoding = 'utf-8' | 'ascii' | 'latin-1' | Utf16 | 'other';

interface Decoded {
  /** The text, including a byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
}

/** The encoding declaration of a Python file, from its first two lines (PEP 263). */
const DECLARATION = /^(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)/;

/** Decodes a Python file as CPython does. Throws a `Trouble` with the reason if it cannot be decoded. */
export function decodePython(bytes: Buffer): Decoded {
  if (utf16Of(bytes)) throw new Trouble('is UTF-16, which Python does not read: save it as UTF-8');
  if (bytes.includes(0)) throw new Trouble('is binary, not Python text');
  const declared = DECLARATION.exec(bytes.subarray(0, 1000).toString('latin1'))?.[1];
  const name = normalName(declared ?? 'utf-8');
  if (name === 'utf-8' || hasUtf8Mark(bytes)) return decodeUtf8(bytes, declared);
  if (name === 'latin-1') return { text: bytes.toString('latin1'), encoding: 'latin-1' };
  if (name === 'ascii') return { text: decodeUtf8(bytes, declared).text, encoding: 'ascii' };
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(name, { fatal: true });
  } catch {
    throw new Trouble(`declares the encoding \`${declared}\`, which is unknown`);
  }
  try {
    return { text: decoder.decode(bytes), encoding: 'other' };
  } catch {
    throw new Trouble(`is not in \`${declared}\`, the encoding that it declares`);
  }
}

/** Decodes an environment file: UTF-8, or UTF-16 with a byte order mark. Throws a `Trouble` otherwise. */
export function decodeEnvironment(bytes: Buffer): Decoded {
  const encoding = utf16Of(bytes);
  return encoding === undefined ? decodePython(bytes) : { text: decodedText(bytes), encoding };
}

/** Decodes a JSON file, which is UTF-8. Throws a `Trouble` otherwise. */
export function decodeJson(bytes: Buffer): Decoded {
  if (utf16Of(bytes)) throw new Trouble('is UTF-16: a notebook must be UTF-8');
  return decodeUtf8(bytes, undefined);
}

/** Encodes text in the encoding of its file. Throws a `Trouble` if the encoding cannot represent the text. */
export function encode(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return inUtf16(text, encoding);
  if (encoding === 'other') {
    throw new Trouble('was not changed: fixes are written only to files in UTF-8, ASCII or Latin-1');
  }
  const highest = encoding === 'ascii' ? 0x7f : 0xff;
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > highest) {
      throw new Trouble(`was not changed: a fix needs a character that its encoding, ${encoding}, does not have`);
    }
  }
  return Buffer.from(text, 'latin1');
}

/** Normalizes the name of an encoding as CPython's tokenizer does. */
function normalName(declared: string): string {
  const name = declared.toLowerCase().replaceAll('_', '-');
  if (name === 'utf8' || name === 'utf-8' || name.startsWith('utf-8-')) return 'utf-8';
  if (/^(?:latin-?1|iso-?8859-1|iso-latin-1|l1)(?:-(?:unix|dos|mac))?$/.test(name)) return 'latin-1';
  if (name === 'ascii' || name === 'us-ascii') return 'ascii';
  return name;
}

function decodeUtf8(bytes: Buffer, declared: string | undefined): Decoded {
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), encoding: 'utf-8' };
  const declares = declared === undefined ? ' and declares no other encoding' : `, although it declares ${declared}`;
  throw new Trouble(`is not UTF-8 (line ${firstBadLine(bytes)})${declares}`);
}

/** Returns the first line that is not UTF-8, 1-based. */
function firstBadLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0, end = 0; start < bytes.length; start = end, line++) {
    end = bytes.indexOf(10, start) + 1 || bytes.length;
    if (!isUtf8(bytes.subarray(start, end))) break;
  }
  return line;
}

function hasUtf8Mark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
