import type { Budget } from '../budget.ts';

/**
 * Objects are lists of entries, since keys may occur twice. Integers above 2^53 are `bigint`; other numbers are NaN.
 */
export type Json = string | number | bigint | boolean | null | readonly Json[] | Entries;
export class Entries {
  readonly entries: (readonly [key: string, value: Json])[] = [];
}

/** A problem with the text, as a clause that follows "it". */
export class JsonTrouble extends Error {
  /** True if the text is not JSON, false if it exceeds this reader's limits. */
  readonly isDamaged: boolean;

  constructor(message: string, isDamaged = false) {
    super(message);
    this.isDamaged = isDamaged;
  }
}

const STEPS_PER_VALUE = 30;
const DEEPEST = 127;
/**
 * V8 hashes strings longer than this only by their length, so a lookup compares a key with all others of the same
 * length.
 */
const LONG_KEY = 16_000;
/** Maximum number of keys longer than LONG_KEY. */
const MOST_LONG_KEYS = 100;
/** Bytes of the longest string that is kept; longer ones are checked and dropped. */
const LONGEST_TEXT = 64 * 1024;

export interface Limits {
  /** Maximum number of values in the whole text, which bounds the time. */
  readonly values: number;
  /**
   * Maximum number of values in one entry of the outermost object, which bounds the memory, because earlier entries are
   * not kept.
   */
  readonly inEntry: number;
}

/**
 * Reads a JSON object in UTF-8 as strictly as serde, which safetensors uses (https://www.rfc-editor.org/rfc/rfc8259),
 * and passes its entries to `visit` in order. Returns the first duplicate key in any object, if there is one: parsers
 * differ in which of the duplicates they use.
 * @throws JsonTrouble, also if the text is not an object
 */
export function readStrictly(
  text: Buffer,
  { values, inEntry }: Limits,
  budget: Budget,
  visit: (key: string, value: Json) => void,
): string | undefined {
  let at = 0;
  let left = 0;
  let total = values;
  let longKeys = 0;
  let duplicate: string | undefined;
  // One step per byte.
  budget.spend(text.length);

  const fail = (): never => {
    throw new JsonTrouble(`is not valid JSON at byte ${at}`, true);
  };
  const skipBlanks = () => {
    while (BLANK[text[at] ?? 0] === 1) at++;
  };
  const string = (): string => {
    if (text[at] !== QUOTE) fail();
    const start = at++;
    let isPlain = true;
    for (let byte = text[at]; byte !== QUOTE; byte = text[at]) {
      if (byte === undefined || byte < 0x20) fail();
      if (byte === BACKSLASH) {
        isPlain = false;
        at += escapeLength(text, at) || fail();
      } else at++;
    }
    at++;
    if (at - start > LONGEST_TEXT) return '';
    return isPlain ? text.toString('utf8', start + 1, at - 1) : JSON.parse(text.toString('utf8', start, at));
  };
  const number = (): number | bigint => {
    const start = at;
    // Fast path for small integers, which are the most frequent values.
    let small = 0;
    for (let byte = text[at] ?? 0; byte >= 0x30 && byte <= 0x39; byte = text[at] ?? 0) {
      small = small * 10 + byte - 0x30;
      at++;
    }
    const isSmall = at > start && at - start < 16 && (text[start] !== 0x30 || at - start === 1);
    if (isSmall && !NUMERIC.includes(text[at] ?? 0)) return small;
    while (NUMERIC.includes(text[at] ?? 0)) at++;
    const written = text.toString('latin1', start, at);
    if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(written) || !Number.isFinite(Number(written))) fail();
    if (!/^\d{1,20}$/.test(written)) return Number.NaN;
    const value = Number(written);
    return Number.isSafeInteger(value) ? value : BigInt(written);
  };
  const word = <T>(expected: string, value: T): T => {
    if (text.toString('latin1', at, at + expected.length) !== expected) fail();
    at += expected.length;
    return value;
  };
  /** Reads the items between brackets. */
  const items = (close: number, depth: number, item: () => void) => {
    if (depth >= DEEPEST) throw new JsonTrouble(`nests deeper than ${DEEPEST} levels`, true);
    at++;
    skipBlanks();
    if (text[at] === close) return void at++;
    for (;;) {
      item();
      skipBlanks();
      const byte = text[at++];
      if (byte === close) return;
      if (byte !== COMMA) fail();
      skipBlanks();
    }
  };
  /** Reads the entries of an object. `isKnown` checks each key for duplicates before its value is read. */
  const entries = (depth: number, isKnown: (key: string) => boolean, take: (key: string, value: Json) => void) =>
    items(BRACE_CLOSE, depth, () => {
      const start = at;
      const key = string();
      if (at - start > LONG_KEY && ++longKeys > MOST_LONG_KEYS)
        throw new JsonTrouble(`has more than ${MOST_LONG_KEYS} keys of ${LONG_KEY} bytes, more than GPU Doctor reads`);
      if (isKnown(key)) duplicate ??= key;
      skipBlanks();
      if (text[at++] !== COLON) fail();
      take(key, parse(depth + 1));
    });
  const object = (depth: number): Entries => {
    const found = new Entries();
    // Most objects of a header are small and need no set.
    let keys: Set<string> | undefined;
    const isKnown = (key: string) => {
      if (found.entries.length < 8) return found.entries.some(([known]) => known === key);
      keys ??= new Set(found.entries.map(([known]) => known));
      return keys.has(key) || !keys.add(key);
    };
    entries(depth, isKnown, (key, value) => found.entries.push([key, value]));
    return found;
  };
  const array = (depth: number): Json[] => {
    const found: Json[] = [];
    items(BRACKET_CLOSE, depth, () => found.push(parse(depth + 1)));
    return found;
  };
  const parse = (depth: number): Json => {
    budget.spend(STEPS_PER_VALUE);
    if (left-- <= 0 || total-- <= 0) {
      const most = left < 0 ? `${inEntry} values in one entry` : `${values} values`;
      throw new JsonTrouble(`has more than ${most}, more than GPU Doctor reads`);
    }
    skipBlanks();
    switch (text[at]) {
      case BRACE:
        return object(depth);
      case BRACKET:
        return array(depth);
      case QUOTE:
        return string();
      case 0x74:
        return word('true', true);
      case 0x66:
        return word('false', false);
      case 0x6e:
        return word('null', null);
      default:
        return number();
    }
  };

  skipBlanks();
  if (text[at] !== BRACE) throw new JsonTrouble('is not a JSON object', true);
  const keys = new Set<string>();
  const isKnown = (key: string) => {
    left = inEntry;
    return keys.has(key) || !keys.add(key);
  };
  entries(0, isKnown, visit);
  skipBlanks();
  if (at !== text.length) fail();
  return duplicate;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [BRACE, BRACE_CLOSE, BRACKET, BRACKET_CLOSE] = [0x7b, 0x7d, 0x5b, 0x5d];
const NUMERIC = Buffer.from('0123456789+-.eE');
const BLANK = new Uint8Array(256);
for (const byte of Buffer.from(' \t\n\r')) BLANK[byte] = 1;

/** Returns the number of bytes in an escape; 0 if it is invalid, which includes lone surrogates. */
function escapeLength(text: Buffer, at: number): number {
  const kind = String.fromCharCode(text[at + 1] ?? 0);
  if ('"\\/bfnrt'.includes(kind)) return 2;
  const escapes = text.toString('latin1', at, at + 12);
  if (/^\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/.test(escapes)) return 12;
  return /^\\u(?![dD][89a-fA-F])[\da-fA-F]{4}/.test(escapes) ? 6 : 0;
}
