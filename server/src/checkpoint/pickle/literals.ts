/** Literals of the text opcodes of protocol 0, in Python's spelling. */
import { LONGEST_NUMBER, PickleFailure, PickleTrouble } from './opcodes.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
};

/**
 * Decodes the text of a STRING, whose escapes can spell any name. Like `PyBytes_DecodeEscape`, it keeps the backslash
 * of an invalid escape. @throws PickleFailure
 */
export function unquoted(line: string): string {
  const quoted = /^(['"])(.*)\1$/s.exec(line);
  if (!quoted) throw new PickleFailure('contains a string without quotes');
  return (quoted[2] as string).replace(/\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|(.?))/gs, (whole, hex, octal, other) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    if (other === '' || other === 'x') throw new PickleFailure('contains a string with an invalid escape');
    return ESCAPES[other] ?? whole;
  });
}

/**
 * Decodes Python's `raw-unicode-escape`, where a backslash after a backslash does not start an escape. @throws
 * PickleFailure
 */
export function unicodeUnescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.?))/gs, (whole, short, long, other) => {
    if (other !== undefined && other !== 'u' && other !== 'U') return whole;
    const code = Number.parseInt(short ?? long ?? '', 16);
    if (!(code <= 0x10ffff)) throw new PickleFailure('contains a string with an invalid escape');
    return String.fromCodePoint(code);
  });
}

/** White space that C and Python skip around a number. */
const BLANKS = ' \t\n\v\f\r';
/** Digits of a base, with single underscores between them. */
const DIGITS: Readonly<Record<string, RegExp>> = {
  d: /^\d+(_\d+)*$/,
  x: /^[0-9a-f]+(_[0-9a-f]+)*$/i,
  o: /^[0-7]+(_[0-7]+)*$/,
  b: /^[01]+(_[01]+)*$/,
};

/** A whole number, and whether picklers write it in this form. */
interface WholeNumber {
  readonly value: number | bigint;
  readonly isUsual: boolean;
}

/**
 * Parses the whole number of a text opcode as permissively as any unpickler. The C unpickler stops at a NUL and reads a
 * leading zero as octal; the Python one accepts underscores. `base` is that of `strtol` for an INT, and of Python's
 * `int` for other opcodes.
 * @throws PickleTrouble if it is too long, PickleFailure if neither accepts it
 */
export function wholeNumberIn(line: string, base: 'strtol' | 0 | 10): WholeNumber {
  if (line.length <= LONGEST_NUMBER && /^(-?[1-9]\d*|0)$/.test(line)) return { value: narrowed(line), isUsual: true };
  // C's `strtol` reads an empty text as zero.
  if (base === 'strtol' && line.startsWith('\0')) return { value: 0, isUsual: false };
  const text = trimmedLiteral(line);
  const [, sign, digits = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  const [start = '', letter = ''] = (base !== 10 && /^0(?:([xob])_?|(?=[0-7]))/i.exec(digits)) || [];
  const kind = letter.toLowerCase() || (start === '' ? 'd' : 'o');
  const body = digits.slice(start.length);
  if (!DIGITS[kind]?.test(body)) throw new PickleFailure('contains an invalid integer');
  const value = BigInt(`${kind === 'd' ? '' : `0${kind}`}${body.replaceAll('_', '')}`);
  return { value: narrowed(sign === '-' ? -value : value), isUsual: false };
}

function narrowed(value: string | bigint): number | bigint {
  const narrow = Number(value);
  return Number.isSafeInteger(narrow) ? narrow : BigInt(value);
}

/**
 * Parses a floating-point number just as permissively: the C unpickler stops at a NUL; the Python one accepts blanks
 * and underscores.
 * @throws as above
 */
export function floatIn(line: string): { readonly value: number; readonly isUsual: boolean } {
  const text = trimmedLiteral(line);
  const plain = text.replace(/(?<=\d)_(?=\d)/g, '');
  const isUsual = plain === line;
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return { value: Number(plain), isUsual };
  const [, sign, word] = /^([+-]?)(inf|infinity|nan)$/i.exec(plain) ?? [];
  if (word === undefined) throw new PickleFailure('contains an invalid number');
  const size = word.toLowerCase() === 'nan' ? Number.NaN : Number.POSITIVE_INFINITY;
  return { value: sign === '-' ? -size : size, isUsual };
}

/** Returns a line up to a NUL, without surrounding white space. */
function trimmedLiteral(line: string): string {
  if (line === '') throw new PickleFailure('contains a number without digits');
  const nul = line.indexOf('\0');
  let [start, end] = [0, nul < 0 ? line.length : nul];
  while (start < end && BLANKS.includes(line.charAt(start))) start++;
  while (end > start && BLANKS.includes(line.charAt(end - 1))) end--;
  const text = line.slice(start, end);
  if (text.length <= LONGEST_NUMBER) return text;
  if (/[^\w.+-]/.test(text)) throw new PickleFailure('contains an invalid number');
  throw new PickleTrouble('contains a number of impossible length');
}
