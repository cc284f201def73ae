/** What the text opcodes of protocol 0 hold, as Python spells it. */
import { LONGEST_NUMBER, PickleLimit, PickleTrouble } from './opcodes.ts';

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
 * The text of a STRING, whose escapes can spell any name, as `PyBytes_DecodeEscape` reads it: what is no escape keeps its
 * backslash. @throws PickleTrouble
 */
export function unquoted(line: string): string {
  const quoted = /^(['"])(.*)\1$/s.exec(line);
  if (!quoted) throw new PickleTrouble('holds a text without quotes');
  return (quoted[2] as string).replace(/\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|(.?))/gs, (whole, hex, octal, other) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    if (other === '' || other === 'x') throw new PickleTrouble('holds a text with an escape that is none');
    return ESCAPES[other] ?? whole;
  });
}

/** Python's `raw-unicode-escape`, in which a backslash behind a backslash begins nothing. @throws PickleTrouble */
export function unicodeUnescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.?))/gs, (whole, short, long, other) => {
    if (other !== undefined && other !== 'u' && other !== 'U') return whole;
    const code = Number.parseInt(short ?? long ?? '', 16);
    if (!(code <= 0x10ffff)) throw new PickleTrouble('holds a text with an escape that is none');
    return String.fromCodePoint(code);
  });
}

const DIGITS: Readonly<Record<string, string>> = { d: '\\d', x: '[0-9a-f]', o: '[0-7]', b: '[01]' };

/** A whole number, and whether a pickler writes it so. */
export interface WholeNumber {
  readonly value: number | bigint;
  readonly isUsual: boolean;
}

/**
 * A whole number as Python's `int()` takes it: with blanks around it, a sign, single underscores between its digits and,
 * in base 0, a prefix that names another base. @throws PickleTrouble
 */
export function wholeNumberIn(text: string, base: 0 | 10): WholeNumber {
  if (text.length > LONGEST_NUMBER) throw new PickleLimit('holds a number of an impossible length');
  if (/^(-?[1-9]\d*|0)$/.test(text)) return { value: narrowed(text), isUsual: true };
  const [, sign, digits = ''] = /^[ \t\n\v\f\r]*([+-]?)(.*?)[ \t\n\v\f\r]*$/s.exec(text) ?? [];
  // The unpickler in C takes a number that starts with a zero for an octal one, as C does.
  const [start = '', letter = ''] = (base === 0 && /^0(?:([xob])_?|(?=[0-7]))/i.exec(digits)) || [];
  const kind = letter.toLowerCase() || (start === '' ? 'd' : 'o');
  const body = digits.slice(start.length);
  const digit = DIGITS[kind];
  if (!new RegExp(`^${digit}+(_${digit}+)*$`, 'i').test(body))
    throw new PickleTrouble('holds a whole number that is none');
  const value = BigInt(`${kind === 'd' ? '' : `0${kind}`}${body.replaceAll('_', '')}`);
  return { value: narrowed(String(sign === '-' ? -value : value)), isUsual: false };
}

function narrowed(decimal: string): number | bigint {
  const value = Number(decimal);
  return Number.isSafeInteger(value) ? value : BigInt(decimal);
}

/** A number with a point as Python's unpicklers take it; that in Python takes more than that in C. @throws PickleTrouble */
export function floatIn(text: string): { readonly value: number; readonly isUsual: boolean } {
  const plain = text.trim().replace(/(?<=\d)_(?=\d)/g, '');
  const isUsual = plain === text;
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return { value: Number(plain), isUsual };
  const [, sign, word] = /^([+-]?)(inf|infinity|nan)$/i.exec(plain) ?? [];
  if (word === undefined) throw new PickleTrouble('holds a number that is none');
  const size = word.toLowerCase() === 'nan' ? Number.NaN : Number.POSITIVE_INFINITY;
  return { value: sign === '-' ? -size : size, isUsual };
}
