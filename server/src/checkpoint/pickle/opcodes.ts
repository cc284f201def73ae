/** The pickle opcodes of protocols 0 to 5 and their lengths, from CPython's `Lib/pickletools.py`. */
import type { Raw, UnknownValue } from './symbols.ts';

export const OP = {
  MARK: 0x28,
  STOP: 0x2e,
  POP: 0x30,
  POP_MARK: 0x31,
  DUP: 0x32,
  FLOAT: 0x46,
  INT: 0x49,
  BININT: 0x4a,
  BININT1: 0x4b,
  LONG: 0x4c,
  BININT2: 0x4d,
  NONE: 0x4e,
  PERSID: 0x50,
  BINPERSID: 0x51,
  REDUCE: 0x52,
  STRING: 0x53,
  BINSTRING: 0x54,
  SHORT_BINSTRING: 0x55,
  UNICODE: 0x56,
  BINUNICODE: 0x58,
  APPEND: 0x61,
  BUILD: 0x62,
  GLOBAL: 0x63,
  DICT: 0x64,
  EMPTY_DICT: 0x7d,
  APPENDS: 0x65,
  GET: 0x67,
  BINGET: 0x68,
  INST: 0x69,
  LONG_BINGET: 0x6a,
  LIST: 0x6c,
  EMPTY_LIST: 0x5d,
  OBJ: 0x6f,
  PUT: 0x70,
  BINPUT: 0x71,
  LONG_BINPUT: 0x72,
  SETITEM: 0x73,
  TUPLE: 0x74,
  EMPTY_TUPLE: 0x29,
  SETITEMS: 0x75,
  BINFLOAT: 0x47,
  BINBYTES: 0x42,
  SHORT_BINBYTES: 0x43,
  PROTO: 0x80,
  NEWOBJ: 0x81,
  EXT1: 0x82,
  EXT2: 0x83,
  EXT4: 0x84,
  TUPLE1: 0x85,
  TUPLE2: 0x86,
  TUPLE3: 0x87,
  NEWTRUE: 0x88,
  NEWFALSE: 0x89,
  LONG1: 0x8a,
  LONG4: 0x8b,
  SHORT_BINUNICODE: 0x8c,
  BINUNICODE8: 0x8d,
  BINBYTES8: 0x8e,
  EMPTY_SET: 0x8f,
  ADDITEMS: 0x90,
  FROZENSET: 0x91,
  NEWOBJ_EX: 0x92,
  STACK_GLOBAL: 0x93,
  MEMOIZE: 0x94,
  FRAME: 0x95,
  BYTEARRAY8: 0x96,
  NEXT_BUFFER: 0x97,
  READONLY_BUFFER: 0x98,
} as const;

/** An opcode's argument: a number, text, or the location of its bytes. Null for opcodes without an argument. */
export type Operand = null | number | bigint | string | Raw | UnknownValue;

/** A number that is too long to keep. */
const UNKNOWN: UnknownValue = { kind: 'unknown' };

export interface Instruction {
  code: number;
  operand: Operand;
  /** Length in bytes, including the payload. */
  length: number;
}

/** Maximum number of bytes in text that is kept; no name is that long. */
const LONGEST_TEXT = 16 * 1024;
/**
 * Maximum number of digits in a whole number: the limit of CPython 3.11 and newer. A program can remove it, and older
 * versions lack it.
 */
export const LONGEST_NUMBER = 4300;

/**
 * The reason why a pickle is not read further, as a clause. An unpickler may continue at that point, unless it is a
 * `PickleFailure`.
 */
export class PickleTrouble extends Error {}

/**
 * An error at which every unpickler fails: CPython's C and Python unpicklers, since 3.8. Each use was checked by
 * reading both, and `test/checkpoint/fuzz/cpython.test.ts` tests them.
 */
export class PickleFailure extends PickleTrouble {}

/** Returns an operand that is a line of text. @throws PickleTrouble for a line that is too long to keep. */
export function operandLine(operand: Operand): string {
  if (typeof operand === 'string') return operand;
  throw new PickleTrouble('contains a number of impossible length');
}

/** Sets an instruction's operand and length; returns false if the window ends too early. */
type Decoder = (into: Instruction, window: Buffer, at: number, offset: number) => boolean;

function take(into: Instruction, operand: Operand, length: number): true {
  into.operand = operand;
  into.length = length;
  return true;
}

const plain: Decoder = (into) => take(into, null, 1);

function fixed(bytes: number, read: (window: Buffer, at: number) => number): Decoder {
  return (into, window, at) => at + 1 + bytes <= window.length && take(into, read(window, at + 1), 1 + bytes);
}

/** Decodes a length of 1, 4 or 8 bytes and a payload that may extend beyond the window. */
function counted(bytes: 1 | 4 | 8, holds: 'bytes' | 'text' | 'text of Python 2'): Decoder {
  const isText = holds !== 'bytes';
  const isEncoded = holds === 'text of Python 2';
  return (into, window, at, offset) => {
    const start = at + 1 + bytes;
    if (start > window.length) return false;
    const length =
      bytes === 1
        ? window.readUInt8(at + 1)
        : bytes === 4
          ? window.readUInt32LE(at + 1)
          : Number(window.readBigUInt64LE(at + 1));
    if (isText && length <= LONGEST_TEXT) {
      if (start + length > window.length) return false;
      const text = window.toString('utf8', start, start + length);
      if (!isEncoded || isAscii(text)) return take(into, text, 1 + bytes + length);
    }
    return take(into, { kind: 'raw', isText, isEncoded, offset: offset + start, length }, 1 + bytes + length);
  };
}

function wholeNumber(bytes: 1 | 4): Decoder {
  return (into, window, at) => {
    const start = at + 1 + bytes;
    if (start > window.length) return false;
    const length = bytes === 1 ? window.readUInt8(at + 1) : window.readInt32LE(at + 1);
    if (length < 0) throw new PickleFailure('contains a number of negative length');
    if (length > LONGEST_NUMBER) return take(into, UNKNOWN, 1 + bytes + length);
    if (start + length > window.length) return false;
    const operand = length > 6 ? bigOf(window.subarray(start, start + length)) : smallOf(window, start, length);
    return take(into, operand, 1 + bytes + length);
  };
}

function smallOf(window: Buffer, start: number, length: number): number {
  return length === 0 ? 0 : window.readIntLE(start, length);
}

function bigOf(bytes: Buffer): bigint {
  const unsigned = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
  return BigInt.asIntN(bytes.length * 8, unsigned);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are ASCII, too.
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text);

/** Decodes two lines of text, joined with a line feed. */
const twoLines: Decoder = (into, window, at) => {
  const first = window.indexOf(0x0a, at + 1);
  const end = first < 0 ? -1 : window.indexOf(0x0a, first + 1);
  return end >= 0 && take(into, window.toString('utf8', at + 1, end), end + 1 - at);
};

/** Decodes a line of text; a line that matches `raw`, or is long, is not kept. */
function line(raw?: RegExp): Decoder {
  return (into, window, at, offset) => {
    const start = at + 1;
    const end = window.indexOf(0x0a, start);
    if (end < 0) return false;
    const text = window.toString('latin1', start, end);
    if (raw === undefined || (text.length <= LONGEST_TEXT && !raw.test(text))) return take(into, text, end + 1 - at);
    const operand: Raw = { kind: 'raw', isText: true, isEncoded: true, offset: offset + start, length: end - start };
    return take(into, operand, end + 1 - at);
  };
}

/** Bytes and escapes in Python 2 text that are not ASCII. */
const NOT_ASCII = /[\x80-\xff]|\\(x[89a-f]|[2-7][0-7][0-7])/i;
/** Matches nothing: only long texts are dropped. */
const NOTHING = /(?!)/;

const decoders: (Decoder | undefined)[] = [];
for (const code of Object.values(OP)) decoders[code] = plain;
for (const code of [OP.FLOAT, OP.INT, OP.LONG, OP.PERSID, OP.GET, OP.PUT]) decoders[code] = line();
decoders[OP.STRING] = line(NOT_ASCII);
decoders[OP.UNICODE] = line(NOTHING);
for (const code of [OP.GLOBAL, OP.INST]) decoders[code] = twoLines;
for (const code of [OP.BININT1, OP.BINGET, OP.BINPUT, OP.PROTO, OP.EXT1])
  decoders[code] = fixed(1, (window, at) => window.readUInt8(at));
for (const code of [OP.BININT2, OP.EXT2]) decoders[code] = fixed(2, (window, at) => window.readUInt16LE(at));
for (const code of [OP.BININT, OP.EXT4]) decoders[code] = fixed(4, (window, at) => window.readInt32LE(at));
for (const code of [OP.LONG_BINGET, OP.LONG_BINPUT]) decoders[code] = fixed(4, (window, at) => window.readUInt32LE(at));
decoders[OP.BINFLOAT] = fixed(8, (window, at) => window.readDoubleBE(at));
decoders[OP.FRAME] = fixed(8, (window, at) => Number(window.readBigUInt64LE(at)));
decoders[OP.LONG1] = wholeNumber(1);
decoders[OP.LONG4] = wholeNumber(4);
decoders[OP.SHORT_BINSTRING] = counted(1, 'text of Python 2');
decoders[OP.BINSTRING] = counted(4, 'text of Python 2');
decoders[OP.SHORT_BINUNICODE] = counted(1, 'text');
decoders[OP.BINUNICODE] = counted(4, 'text');
decoders[OP.BINUNICODE8] = counted(8, 'text');
decoders[OP.SHORT_BINBYTES] = counted(1, 'bytes');
decoders[OP.BINBYTES] = counted(4, 'bytes');
decoders[OP.BINBYTES8] = counted(8, 'bytes');
decoders[OP.BYTEARRAY8] = counted(8, 'bytes');

/**
 * Decodes the instruction at `at` into `into`. `windowOffset` is the offset of the window's first byte in the source.
 * Returns false if the window ends too early, except within payloads that are not kept. @throws PickleTrouble
 */
export function decodeInstruction(into: Instruction, window: Buffer, at: number, windowOffset: number): boolean {
  const code = window[at];
  if (code === undefined) return false;
  const decoder = decoders[code];
  if (!decoder) throw new PickleFailure(`contains 0x${code.toString(16).padStart(2, '0')}, which is not an opcode`);
  into.code = code;
  return decoder(into, window, at, windowOffset);
}
