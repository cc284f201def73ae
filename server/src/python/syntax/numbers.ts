/** Number literals: their extent and their value. */
import { isDigit, isNamePart } from './characters.ts';
import { FLOAT, IMAGINARY, PLAIN_INT, PREFIXED_INT, PYTHON2_INT } from './tokens.ts';

const PREFIXED = /0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)/y;
const MAX_DIGITS = 4300;

/** The end of the number that starts at an offset, and its kind. */
export function endOfNumber(text: string, start: number): { end: number; kind: number } {
  let at = start;
  let kind = PLAIN_INT;
  if (text.charCodeAt(at) === 48) {
    PREFIXED.lastIndex = at;
    if (PREFIXED.test(text)) return longInt(text, PREFIXED.lastIndex, PREFIXED_INT);
  }
  at = endOfDigits(text, at);
  if (text.charCodeAt(at) === 46) {
    kind = FLOAT;
    at = endOfDigits(text, at + 1);
  }
  if ((text.charCodeAt(at) | 32) === 101) {
    const sign = text.charCodeAt(at + 1);
    const digits = sign === 43 || sign === 45 ? at + 2 : at + 1;
    if (isDigit(text.charCodeAt(digits))) {
      kind = FLOAT;
      at = endOfDigits(text, digits);
    }
  }
  if ((text.charCodeAt(at) | 32) === 106 && !isNamePart(text.charCodeAt(at + 1)))
    return { end: at + 1, kind: IMAGINARY };
  if (kind !== PLAIN_INT) return { end: at, kind };
  if (text.charCodeAt(start) === 48 && at - start > 1 && /[1-9]/.test(text.slice(start, at))) kind = PYTHON2_INT;
  return longInt(text, at, kind);
}

function longInt(text: string, at: number, kind: number): { end: number; kind: number } {
  const isLong = (text.charCodeAt(at) | 32) === 108 && !isNamePart(text.charCodeAt(at + 1));
  return isLong ? { end: at + 1, kind: PYTHON2_INT } : { end: at, kind };
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (isDigit(text.charCodeAt(at))) at++;
    else if (text.charCodeAt(at) === 95 && at > from && isDigit(text.charCodeAt(at + 1))) at += 2;
    else return at;
  }
}

/** The value of a number; undefined for an int with more digits than Python accepts. */
export function numberValue(text: string, start: number, end: number, kind: number): number | bigint | undefined {
  if (kind === PLAIN_INT && end - start < 10) {
    let value = 0;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code !== 95) value = value * 10 + code - 48;
    }
    return value;
  }
  let written = text.slice(start, end).replaceAll('_', '');
  if (kind === IMAGINARY) return Number(written.slice(0, -1));
  if (kind === FLOAT) return Number(written);
  if (kind === PYTHON2_INT) {
    written = written.replace(/l$/i, '');
    if (/^0[0-7]+$/.test(written)) written = `0o${written}`;
  }
  if (/^\d/.test(written) && !/^0[xob]/i.test(written) && written.length > MAX_DIGITS) return undefined;
  const value = Number(written);
  return Number.isSafeInteger(value) ? value : BigInt(written);
}
