/** What the text opcodes of protocol 0 hold, as Python spells it. */
import { LONGEST_NUMBER, PickleTrouble } from './opcodes.ts';

/** The text of a Python string literal, whose escapes can spell any name. */
export function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|(.))/gs, (_, hex, octal, other) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    return ESCAPES[other] ?? (other === '\n' ? '' : other);
  });
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', f: '\f', v: '\v' };

/** Python's `raw-unicode-escape`. */
export function unicodeUnescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/g, (whole, short, long) => {
    const code = Number.parseInt(short ?? long, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** A whole number in decimal digits. @throws PickleTrouble */
export function numberIn(text: string): number | bigint {
  if (text.length > LONGEST_NUMBER) throw new PickleTrouble('holds a number of an impossible length');
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  try {
    return BigInt(text);
  } catch {
    throw new PickleTrouble('holds a whole number that is none');
  }
}
