/** Character classes by UTF-16 code. */

export const OPERATOR = 0;
export const LETTER = 1;
export const DIGIT = 2;
export const SPACE = 3;
export const LINE_END = 4;
export const QUOTE = 5;
export const HASH = 6;
export const BACKSLASH = 7;
const NON_ASCII = 8;

const CLASSES = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z_]/.test(character)) CLASSES[code] = LETTER;
  else if (/[0-9]/.test(character)) CLASSES[code] = DIGIT;
  else if (/[ \t\f\0]/.test(character)) CLASSES[code] = SPACE;
  else if (/[\r\n]/.test(character)) CLASSES[code] = LINE_END;
  else if (/["']/.test(character)) CLASSES[code] = QUOTE;
  else if (character === '#') CLASSES[code] = HASH;
  else if (character === '\\') CLASSES[code] = BACKSLASH;
}

export function classOf(code: number): number {
  return code < 128 ? (CLASSES[code] as number) : NON_ASCII;
}

/** True for an ASCII character that may continue a name. */
export function isNamePart(code: number): boolean {
  return code < 128 && (CLASSES[code] as number) - 1 < 2 && (CLASSES[code] as number) !== 0;
}

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Returns the offset of the line end at or after an offset, or the text's length. Lines end at LF, CRLF or CR. */
export function endOfLine(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) break;
  }
  return at;
}

/** Returns the offset after the line end at an offset. */
export function afterLineEnd(text: string, at: number): number {
  return text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
}
