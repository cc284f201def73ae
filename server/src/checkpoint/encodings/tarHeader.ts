/** A tar header as writers produce it. Anything else that Python's `tarfile` accepts is reported as a doubt. */
import { PYTHON_BLANK } from './pythonText.ts';

interface TarHeader {
  readonly name: string;
  /** An extension describes the next member. */
  readonly type: 'file' | 'folder' | 'extension' | 'other';
  /** Bytes of the content, which only files and extensions have. */
  readonly size: number;
}

/**
 * Parses a block of 512 bytes. Returns a string if readers interpret it differently: the reason, as a clause that
 * follows "Not checked:".
 */
export function tarHeaderOf(block: Buffer): TarHeader | string {
  if (!isTarHeader(block)) return 'it is cut off or damaged';
  const size = plainNumberIn(block, 124, 12);
  const isPlain =
    plainNumberIn(block, 148, 8) !== undefined && OTHER_NUMBERS.every((field) => isNumberField(block, ...field));
  if (size === undefined || !isPlain) return 'a header encodes a number in a way that no tar program does';
  const prefix = textIn(block, 345, 155);
  // GNU's own headers store dates here, which Python reads as the start of the name.
  if (prefix !== '' && block.toString('latin1', 257, 265) !== 'ustar\x0000')
    return 'it has a GNU header with a prefix, which readers interpret differently';
  const last = textIn(block, 0, 100);
  const name = prefix === '' ? last : `${prefix}/${last}`;
  if (name.includes('\ufffd')) return 'the name of a member is not valid UTF-8';
  const flag = block.toString('latin1', 156, 157);
  const type = typeOf(flag, last.endsWith('/'));
  if (type === undefined) return 'it has a file with the name of a folder, which readers treat differently';
  if (size !== 0 && (type === 'folder' || /[1-6]/.test(flag)))
    return 'it has a folder, link or device with a size, after which readers continue at different offsets';
  return { name, type, size };
}

/** Returns undefined for a file whose name ends like that of a folder, because some readers treat it as a folder. */
function typeOf(flag: string, isNamedFolder: boolean): TarHeader['type'] | undefined {
  switch (flag) {
    case '0':
      return isNamedFolder ? undefined : 'file';
    // The oldest form of the format has no type for folders.
    case '\0':
      return isNamedFolder ? 'folder' : 'file';
    case '5':
      return 'folder';
    case 'x':
    case 'g':
      return 'extension';
    default:
      return 'other';
  }
}

/** True if the block has a valid checksum in any spelling. Old writers summed its bytes as signed numbers. */
export function isTarHeader(block: Buffer): boolean {
  const expected = numberIn(block, 148, 8);
  // The checksum field itself counts as spaces.
  let sum = 8 * 0x20;
  let signed = sum;
  for (const [index, byte] of block.subarray(0, 512).entries()) {
    if (index >= 148 && index < 156) continue;
    sum += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  return expected === sum || expected === signed;
}

/**
 * Mode, owner, group, date and device. For Python, the archive ends at a header in which one of them is not a number.
 */
const OTHER_NUMBERS: readonly (readonly [start: number, length: number])[] = [
  [100, 8],
  [108, 8],
  [116, 8],
  [136, 12],
  [329, 8],
  [337, 8],
];

/** True for an octal number, an empty field, or a large number in GNU's binary form. */
function isNumberField(block: Buffer, start: number, length: number): boolean {
  const first = block[start];
  return first === 0x80 || first === 0xff || /^ *[0-7]*[\0 ]*$/.test(block.toString('latin1', start, start + length));
}

/** Reads an octal number as writers spell it: zeros or spaces, digits, then NULs or spaces. */
function plainNumberIn(block: Buffer, start: number, length: number): number | undefined {
  const [, digits] = /^ *([0-7]+)[\0 ]*$/.exec(block.toString('latin1', start, start + length)) ?? [];
  return digits === undefined ? undefined : Number.parseInt(digits, 8);
}

/** Python's `int(text.strip() or '0', 8)`. */
const PYTHON_OCTAL = new RegExp(`^${PYTHON_BLANK}*(?:([+-]?)(?:0o_?)?([0-7]+(?:_[0-7]+)*))?${PYTHON_BLANK}*$`, 'i');

/** Reads a number in any spelling that Python's `tarfile.nti` accepts. */
function numberIn(block: Buffer, start: number, length: number): number | undefined {
  const field = block.subarray(start, start + length);
  if (field[0] === 0x80 || field[0] === 0xff) {
    const value = BigInt(`0x${field.toString('hex', 1)}`);
    return Number(field[0] === 0xff ? value - 256n ** BigInt(length - 1) : value);
  }
  const match = PYTHON_OCTAL.exec(textIn(block, start, length));
  if (!match) return undefined;
  const [, sign, digits = '0'] = match;
  const value = Number.parseInt(digits.replaceAll('_', ''), 8);
  return sign === '-' ? -value : value;
}

/**
 * Returns the keywords of an extension's records, such as `30 mtime=1700000000.123456\n`. Undefined unless each record
 * has exactly its declared length.
 */
export function recordsIn(content: Buffer): string[] | undefined {
  const keywords: string[] = [];
  for (let at = 0; at < content.length; ) {
    const [head, digits, keyword] = /^([1-9]\d{0,5}) ([^=\n]+)=/.exec(content.toString('latin1', at, at + 100)) ?? [];
    if (head === undefined || keyword === undefined) return undefined;
    const end = at + Number(digits);
    const isWhole = end <= content.length && at + head.length < end && content[end - 1] === 0x0a;
    if (!isWhole) return undefined;
    keywords.push(keyword);
    at = end;
  }
  return keywords;
}

/** Returns the text of a field up to a NUL. */
function textIn(block: Buffer, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}
