/**
 * The bytes of a Python file that are code. They are looked at before anything is decoded or parsed, at ten times the
 * speed of the tokenizer, so this errs to one side: what it takes for a remark is one, what it leaves may be one, too.
 */

const LF = 10;
const CR = 13;
const SPACE = 32;
const BACKSLASH = 92;

const BLANK = 1;
const LINE_END = 2;
const STRING = 3;
const COMMENT = 4;
const OPENING = 5;
const CLOSING = 6;
const CONTINUATION = 7;
/** A letter that the string of a docstring may begin with. */
const PREFIX = 8;

/** What each byte begins. */
const KINDS = new Uint8Array(256);
for (const [kind, characters] of [
  [BLANK, ' \t\f'],
  [LINE_END, '\n\r'],
  [STRING, '"\''],
  [COMMENT, '#'],
  [OPENING, '([{'],
  [CLOSING, ')]}'],
  [CONTINUATION, '\\'],
  [PREFIX, 'rRuUbB'],
] as const)
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;

/** A copy with blanks in place of comments and of strings that are statements. Only for encodings that contain ASCII. */
export function codeBytes(bytes: Uint8Array): Buffer {
  const code = Buffer.from(bytes);
  const { length } = bytes;
  let depth = 0;
  let isStart = true;
  for (let at = 0; at < length; ) {
    switch (KINDS[bytes[at] ?? 0]) {
      case BLANK:
        at++;
        break;
      case LINE_END:
        isStart = depth === 0;
        at++;
        break;
      case COMMENT: {
        const start = at;
        while (at < length && bytes[at] !== LF && bytes[at] !== CR) at++;
        code.fill(SPACE, start, at);
        break;
      }
      case STRING: {
        const end = endOfString(bytes, at);
        if (isStart && endsStatement(bytes, end)) code.fill(SPACE, at, end);
        isStart = false;
        at = end;
        break;
      }
      case OPENING:
        depth++;
        isStart = false;
        at++;
        break;
      case CLOSING:
        depth = Math.max(0, depth - 1);
        isStart = false;
        at++;
        break;
      case CONTINUATION:
        at += 2;
        break;
      case PREFIX:
        at++;
        if (KINDS[bytes[at] ?? 0] !== STRING) isStart = false;
        break;
      default:
        isStart = false;
        at++;
    }
  }
  return code;
}

/** Where the string that begins with a quote at `start` ends; one that is not closed is no more than its quote. */
function endOfString(bytes: Uint8Array, start: number): number {
  const quote = bytes[start];
  const isTriple = bytes[start + 1] === quote && bytes[start + 2] === quote;
  for (let at = start + (isTriple ? 3 : 1); at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === quote && (!isTriple || (bytes[at + 1] === quote && bytes[at + 2] === quote)))
      return at + (isTriple ? 3 : 1);
    else if (!isTriple && (byte === LF || byte === CR)) break;
  }
  return start + 1;
}

/** True where nothing but a comment follows on the line. */
function endsStatement(bytes: Uint8Array, offset: number): boolean {
  let at = offset;
  while (KINDS[bytes[at] ?? LF] === BLANK) at++;
  const kind = KINDS[bytes[at] ?? LF];
  return kind === LINE_END || kind === COMMENT;
}
