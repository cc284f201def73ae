/** The objects in a stream of JSON: a single object, one per line, one after the other, or an array. */

export interface JsonEntry {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  /** False if the text ends before the object does. */
  readonly isWhole: boolean;
}

/** Maximum length of one object in code units; `gpu-doctor stack --output-format json` prints less. */
const LONGEST = 16 * 1024 * 1024;

const [QUOTE, BACKSLASH, OPEN, CLOSE, LIST, LIST_END, LINE, RETURN] = Array.from('"\\{}[]\n\r', (sign) =>
  sign.charCodeAt(0),
);

/**
 * Splits the stream without holding more than one object. An incomplete object ends where another begins at the start
 * of a line. Other text between objects is an entry without an object.
 */
export async function* jsonEntries(chunks: AsyncIterable<string>): AsyncGenerator<JsonEntry> {
  let text = '';
  /** Offset up to which the text has been scanned. */
  let at = 0;
  let start = -1;
  let depth = 0;
  let isInString = false;
  let number = 0;
  const entry = (end: number, isWhole: boolean): JsonEntry => {
    const found = { number: ++number, text: text.slice(start, end), isWhole };
    text = text.slice(end);
    at = 0;
    start = -1;
    depth = 0;
    isInString = false;
    return found;
  };
  for await (const chunk of chunks) {
    text += chunk;
    while (at < text.length) {
      const sign = text.charCodeAt(at);
      if (start < 0) {
        if (sign === OPEN) {
          start = at;
          depth = 1;
        } else if (!isBetween(sign)) start = at;
        at++;
      } else if (depth === 0) {
        if (sign === LINE) yield entry(at, false);
        else at++;
      } else if (sign === LINE && at + 1 === text.length) break;
      else if (sign === LINE && text.charCodeAt(at + 1) === OPEN) yield entry(at, false);
      else if (isInString) {
        if (sign === BACKSLASH) at++;
        else if (sign === QUOTE || sign === LINE) isInString = false;
        at++;
      } else {
        if (sign === QUOTE) isInString = true;
        else if (sign === OPEN) depth++;
        else if (sign === CLOSE) depth--;
        at++;
        if (depth === 0) yield entry(at, true);
      }
    }
    if (start >= 0 && text.length - start > LONGEST) yield entry(text.length, false);
    if (start < 0) {
      text = '';
      at = 0;
    }
  }
  if (start >= 0) yield entry(text.length, false);
}

/** White space, commas, and the brackets of an array around the objects. */
function isBetween(sign: number): boolean {
  return sign <= 32 || sign === 44 || sign === LIST || sign === LIST_END || sign === RETURN || sign === 0xfeff;
}
