/** Detection of the Python versions that can read a function's code in `marshal` format. The code is never run. */
import type { Pythons } from '../../kerasModel.ts';

/**
 * Layouts of code objects: leading numbers, objects, one number (the first line), trailing objects. From
 * `Python/marshal.c` of CPython 2.7 to 3.14. Only layouts with the same number of leading numbers can be mistaken for
 * each other.
 */
const LAYOUTS: readonly (Pythons & { readonly numbers: number; readonly behind: number })[] = [
  { since: '2.3', until: '2.7', numbers: 4, behind: 1 },
  { since: '3.0', until: '3.7', numbers: 5, behind: 1 },
  { since: '3.8', until: '3.10', numbers: 6, behind: 1 },
  { since: '3.11', numbers: 5, behind: 2 },
];
/** Number of objects before the first line, in each layout. */
const OBJECTS = 8;

const LONGEST_CODE = 1024 * 1024;
const DEEPEST = 100;

/**
 * Returns the Python versions that can read this code, which is base64-encoded as Keras writes it; undefined for an
 * unknown layout.
 */
export function pythonsOf(code: string): Pythons | undefined {
  if (code.length > LONGEST_CODE) return undefined;
  const bytes = Buffer.from(code, 'base64');
  const layout = LAYOUTS.find((each) => endOfCode(bytes, 0, each, 0) === bytes.length);
  return layout && { since: layout.since, ...(layout.until !== undefined && { until: layout.until }) };
}

type Layout = (typeof LAYOUTS)[number];

/** Bit in an object's type byte that marks it as referenced later. */
const FLAG = 0x80;
/** Sizes of fixed-size objects, then widths of the length field of strings and containers. */
const FIXED: Readonly<Record<string, number>> = {
  0: 0,
  N: 0,
  F: 0,
  T: 0,
  S: 0,
  '.': 0,
  i: 4,
  I: 8,
  g: 8,
  y: 16,
  r: 4,
  R: 4,
};
const TEXTS: Readonly<Record<string, number>> = { s: 4, t: 4, u: 4, a: 4, A: 4, z: 1, Z: 1, f: 1 };
const LISTS: Readonly<Record<string, number>> = { '(': 4, '[': 4, '<': 4, '>': 4, ')': 1 };

/** Returns the end of the code object at `at`; undefined if the object does not have the layout. */
function endOfCode(bytes: Buffer, at: number, layout: Layout, depth: number): number | undefined {
  if (((bytes[at] ?? 0) & ~FLAG) !== 0x63) return undefined;
  const objects = endOfObjects(bytes, at + 1 + 4 * layout.numbers, OBJECTS, layout, depth);
  return objects === undefined ? undefined : endOfObjects(bytes, objects + 4, layout.behind, layout, depth);
}

function endOfObjects(bytes: Buffer, at: number, count: number, layout: Layout, depth: number): number | undefined {
  let end: number | undefined = at;
  for (let left = count; left > 0 && end !== undefined; left--) end = endOfObject(bytes, end, layout, depth + 1);
  return end;
}

function endOfObject(bytes: Buffer, at: number, layout: Layout, depth: number): number | undefined {
  const byte = bytes[at];
  if (byte === undefined || depth > DEEPEST) return undefined;
  const type = String.fromCharCode(byte & ~FLAG);
  if (type === 'c') return endOfCode(bytes, at, layout, depth);
  const fixed = FIXED[type];
  if (fixed !== undefined) return at + 1 + fixed;
  const width = TEXTS[type] ?? LISTS[type] ?? (type === 'l' ? 4 : 0);
  if (width === 0 || at + 1 + width > bytes.length) return undefined;
  const length = width === 1 ? (bytes[at + 1] ?? 0) : bytes.readInt32LE(at + 1);
  const start = at + 1 + width;
  // A long's length carries its sign and counts two-byte digits.
  if (type === 'l') return start + 2 * Math.abs(length);
  if (length < 0 || length > bytes.length) return undefined;
  return type in TEXTS ? start + length : endOfObjects(bytes, start, length, layout, depth);
}
