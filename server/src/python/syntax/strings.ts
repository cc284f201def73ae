/** The values of string literals. */
import { ESCAPES } from './tokens.ts';

const ESCAPE =
  /\\(?:(\r\n|[\r\n])|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{[^}]*\}|([\\'"abfnrtv]))/g;
const BYTES_ESCAPE = /\\(?:(\r\n|[\r\n])|([0-7]{1,3})|x([0-9a-fA-F]{2})|(?!)()()|([\\'"abfnrtv]))/g;
const SIMPLE: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Decodes the text between quotes as Python does. Line ends become `\n`; an unknown escape is kept. */
export function decode(written: string, flags: number, isRaw: boolean, isBytes: boolean): string {
  const text = written.includes('\r') ? written.replace(/\r\n?/g, '\n') : written;
  if ((flags & ESCAPES) === 0 || isRaw) return text;
  return text.replace(isBytes ? BYTES_ESCAPE : ESCAPE, (_all, line, octal, x, u, long, simple) => {
    if (line !== undefined) return '';
    if (simple !== undefined) return SIMPLE[simple] as string;
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & (isBytes ? 0xff : 0x1ff));
    const hex = x ?? u ?? long;
    if (hex === undefined) return '\ufffd';
    const code = Number.parseInt(hex, 16);
    return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  });
}

const DOUBLED = /\{\{|\}\}/g;
const DOUBLED_OR_NAMED = /\\N\{[^}]*\}|\{\{|\}\}/g;

/** Decodes a piece of an f-string, in which braces are doubled. */
export function decodePiece(written: string, flags: number, isRaw: boolean, isSpecification: boolean): string {
  if ((flags & ESCAPES) === 0 || isSpecification) return decode(written, flags, isRaw, false);
  const single = written.replace(isRaw ? DOUBLED : DOUBLED_OR_NAMED, (found) =>
    found.length === 2 ? found.charAt(0) : found,
  );
  return decode(single, flags, isRaw, false);
}
