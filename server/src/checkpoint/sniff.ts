import type { Budget } from './budget.ts';
import type { Bytes } from './bytes.ts';
import type { Format } from './checkpoint.ts';
import type { SniffedFile } from './formats/declaration.ts';
import { FORMAT_IDS, FORMATS } from './formats/index.ts';
import { isJoblib } from './formats/pickle/joblib.ts';
import { startsWith } from './formats/signs.ts';
import { interpretPickle } from './pickle/interpret.ts';
import { threatOf } from './pickle/readPickle.ts';
import { standingOf } from './pickle/standing.ts';

/** How far into a file the signs of its format lie. */
const HEAD = 512;

/**
 * The formats as which a file can be read, by its content; its name says nothing. The first is what it is shown as. There
 * is more than one only where readers differ: some look at the beginning, some at the end, and some skip what does not
 * belong to them. Archives are only recognized as archives: their readers look at the members.
 */
export async function formatsOf(bytes: Bytes, budget: Budget): Promise<readonly [Format, ...Format[]]> {
  if (bytes.size === 0) return ['empty'];
  const head = await bytes.read(0, HEAD);
  const [first, ...others] = await signedFormatsOf({ head, bytes, budget });
  return first === undefined ? [await unsignedFormatOf(head)] : [first, ...others];
}

/** The formats of which the file has the sign. */
async function signedFormatsOf(file: SniffedFile): Promise<Format[]> {
  const { head } = file;
  const formats: Format[] = [];
  for (const format of FORMAT_IDS) if (await FORMATS[format].isSigned?.(file)) formats.push(format);
  for (const format of FORMAT_IDS)
    if (!formats.includes(format) && (await FORMATS[format].isSignedAtEnd?.(file))) formats.push(format);
  // An unpickler without a way to look persistent things up fails on the first: ZIP files begin like one.
  if (startsWith(head, 'P') || formats.includes('torch-legacy')) return formats;
  if (!(await isPickle(file, formats.length > 0))) return formats;
  const isMarked = head[0] === 0x80;
  return isMarked ? ['pickle', ...formats] : [...formats, 'pickle'];
}

/** The format of a file without a sign, by how it begins. */
async function unsignedFormatOf(head: Buffer): Promise<Format> {
  for (const format of FORMAT_IDS) if (await FORMATS[format].looksAlike?.(head)) return format;
  return 'unknown';
}

/**
 * Pickles of protocol 2 and newer start with its number. Those of 0 and 1 have no sign: they are what an unpickler gets
 * through or acts on. With a sign of another format, it is a pickle as well if an unpickler would run what is not known
 * to be harmless.
 */
async function isPickle({ head, bytes, budget }: SniffedFile, hasOtherSign: boolean): Promise<boolean> {
  if (head[0] === 0x80 && head[1] !== undefined && head[1] <= 5) return true;
  if (hasOtherSign) return (await threatOf(bytes, budget)) !== undefined;
  const pickle = await interpretPickle(bytes, 0, budget);
  // Where only the reader stops, an unpickler goes on.
  if (!pickle.fails || isJoblib(pickle)) return true;
  return [...pickle.globals.values()].some((global) => standingOf(global) === 'dangerous');
}
