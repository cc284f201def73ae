/** One header of a tar archive, as writers make it. What Python's `tarfile` reads beyond that is a doubt. */
import { PYTHON_BLANK } from './pythonText.ts';

export interface TarHeader {
  readonly name: string;
  /** An extension tells of the member behind it. */
  readonly type: 'file' | 'folder' | 'extension' | 'other';
  /** Bytes of its content, which only a file and an extension have. */
  readonly size: number;
}

/** Reads a block of 512 bytes; a text says why readers differ in it, as a clause that follows "Not checked:". */
export function tarHeaderOf(block: Buffer): TarHeader | string {
  if (!isTarHeader(block)) return 'it is cut off or damaged';
  const size = plainNumberIn(block, 124, 12);
  const isPlain =
    plainNumberIn(block, 148, 8) !== undefined && OTHER_NUMBERS.every((field) => isNumber(block, ...field));
  if (size === undefined || !isPlain) return 'it has a header with a number as no writer spells it';
  const prefix = textIn(block, 345, 155);
  // GNU's own headers have dates there, which Python takes for the beginning of the name.
  if (prefix !== '' && block.toString('latin1', 257, 265) !== 'ustar\x0000')
    return 'it has a header of GNU with a prefix, which readers take differently';
  const last = textIn(block, 0, 100);
  const name = prefix === '' ? last : `${prefix}/${last}`;
  if (name.includes('\ufffd')) return 'it has a member whose name is no UTF-8';
  const flag = block.toString('latin1', 156, 157);
  const type = typeOf(flag, last.endsWith('/'));
  if (type === undefined) return 'it has a file with the name of a folder, which readers take differently';
  if (size !== 0 && (type === 'folder' || /[1-6]/.test(flag)))
    return 'it has a folder, a link or a device with a size, behind which readers go on at different places';
  return { name, type, size };
}

/** Undefined for a file whose name says that it is a folder: some readers take it for one. */
function typeOf(flag: string, isNamedFolder: boolean): TarHeader['type'] | undefined {
  switch (flag) {
    case '0':
      return isNamedFolder ? undefined : 'file';
    // The oldest form has no type for folders.
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

/** True where the checksum is that of the block, however it is spelled: old writers took its bytes for signed ones. */
export function isTarHeader(block: Buffer): boolean {
  const expected = numberIn(block, 148, 8);
  // The place of the checksum itself counts as blanks.
  let sum = 8 * 0x20;
  let signed = sum;
  for (const [index, byte] of block.subarray(0, 512).entries()) {
    if (index >= 148 && index < 156) continue;
    sum += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  return expected === sum || expected === signed;
}

/** Mode, owner, group, date and device: Python ends the archive at a header in which one of them is no number. */
const OTHER_NUMBERS: readonly (readonly [start: number, length: number])[] = [
  [100, 8],
  [108, 8],
  [116, 8],
  [136, 12],
  [329, 8],
  [337, 8],
];

/** True for a number, none, or one in GNU's form for large ones. */
function isNumber(block: Buffer, start: number, length: number): boolean {
  const first = block[start];
  return first === 0x80 || first === 0xff || /^ *[0-7]*[\0 ]*$/.test(block.toString('latin1', start, start + length));
}

/** An octal number as writers spell it: digits behind zeros or blanks, and NULs or blanks behind them. */
function plainNumberIn(block: Buffer, start: number, length: number): number | undefined {
  const [, digits] = /^ *([0-7]+)[\0 ]*$/.exec(block.toString('latin1', start, start + length)) ?? [];
  return digits === undefined ? undefined : Number.parseInt(digits, 8);
}

/** Python's `int(text.strip() or '0', 8)`. */
const PYTHON_OCTAL = new RegExp(`^${PYTHON_BLANK}*(?:([+-]?)(?:0o_?)?([0-7]+(?:_[0-7]+)*))?${PYTHON_BLANK}*$`, 'i');

/** A number in every way in which Python's `tarfile.nti` reads it. */
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
 * The keywords of the records of an extension, `30 mtime=1700000000.123456\n`, each of exactly the length that it says.
 * Undefined for anything else.
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

/** The text of a field up to a NUL. */
function textIn(block: Buffer, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}
