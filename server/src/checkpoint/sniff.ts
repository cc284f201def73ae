import type { Budget } from './budget.ts';
import type { Bytes } from './bytes.ts';
import type { Format } from './checkpoint.ts';
import type { SniffedFile } from './formats/declaration.ts';
import { FORMAT_IDS, FORMATS } from './formats/index.ts';
import { isJoblib } from './formats/pickle/joblib.ts';
import { startsWith } from './formats/signature.ts';
import { interpretPickle } from './pickle/interpret.ts';
import { threatOf } from './pickle/readPickle.ts';
import { standingOf } from './pickle/standing.ts';
import { isHarmless } from './verdicts.ts';

/** Bytes at the beginning of a file that may hold the signature of its format. */
const HEAD_BYTES = 512;

/**
 * Returns the formats that can read a file, based on its content; its name does not matter. The first one is the format
 * shown. Several formats match only if readers differ: some look at the beginning, some at the end, and some skip
 * foreign bytes. Archives are only recognized as archives here; their readers inspect the members.
 */
export async function formatsOf(bytes: Bytes, budget: Budget): Promise<readonly [Format, ...Format[]]> {
  if (bytes.size === 0) return ['empty'];
  const head = await bytes.read(0, HEAD_BYTES);
  const [first, ...others] = await signedFormatsOf({ head, bytes, budget });
  return first === undefined ? [await unsignedFormatOf(head)] : [first, ...others];
}

/** Returns the formats whose signature the file has. */
async function signedFormatsOf(file: SniffedFile): Promise<Format[]> {
  const { head } = file;
  const formats: Format[] = [];
  for (const format of FORMAT_IDS) if (await FORMATS[format].hasSignature?.(file)) formats.push(format);
  for (const format of FORMAT_IDS)
    if (!formats.includes(format) && (await FORMATS[format].hasSignatureAtEnd?.(file))) formats.push(format);
  // ZIP files begin like a pickle whose first opcode is a persistent id, on which an unpickler without
  // `persistent_load` fails.
  if (startsWith(head, 'P') || formats.includes('torch-legacy')) return formats;
  if (formats.includes('safetensors') && (await isWholeSafetensors(file))) return readingsOfSafetensors(file, formats);
  if (!(await isPickle(file, formats.length > 0))) return formats;
  const isMarked = head[0] === 0x80;
  return isMarked ? ['pickle', ...formats] : [...formats, 'pickle'];
}

/** True if every requirement of the safetensors library holds: the header, the offsets and the file's size. */
async function isWholeSafetensors({ bytes, budget }: SniffedFile): Promise<boolean> {
  const { readSafetensors } = await import('./formats/safetensors/safetensors.ts');
  const { problems, safety } = await readSafetensors(bytes, budget);
  return problems.length === 0 && isHarmless(safety);
}

/**
 * Returns the readings of a whole safetensors file. Its first eight bytes are a number, which may look like a pickle or
 * like compressed data: these count only if a loader gets through them.
 */
async function readingsOfSafetensors({ head, bytes, budget }: SniffedFile, formats: Format[]): Promise<Format[]> {
  const { failsToUnpack } = await import('./formats/compressed.ts');
  const isNoise = await failsToUnpack(head, bytes);
  const others = formats.filter(
    (format) => format !== 'safetensors' && !(isNoise && (format === 'gzip' || format === 'compressed')),
  );
  const threat = await threatOf(bytes, budget);
  return ['safetensors', ...others, ...(threat === undefined ? [] : (['pickle'] as const))];
}

/** Returns the format of a file without a signature, based on its beginning. */
async function unsignedFormatOf(head: Buffer): Promise<Format> {
  for (const format of FORMAT_IDS) if (await FORMATS[format].looksLikeIt?.(head)) return format;
  return 'unknown';
}

/**
 * True if a file is a pickle. Pickles of protocol 2 and newer start with a signature. Those of protocols 0 and 1 have
 * none, so they are recognized by what an unpickler gets through or acts on. A file with the signature of another
 * format is also a pickle if an unpickler would run something that is not known to be harmless.
 */
async function isPickle({ head, bytes, budget }: SniffedFile, hasOtherSign: boolean): Promise<boolean> {
  if (head[0] === 0x80 && head[1] !== undefined && head[1] <= 5) return true;
  if (hasOtherSign) return (await threatOf(bytes, budget)) !== undefined;
  const pickle = await interpretPickle(bytes, 0, budget);
  // If only this reader stops, an unpickler may continue.
  if (!pickle.fails || isJoblib(pickle)) return true;
  return [...pickle.globals.values()].some((global) => standingOf(global) === 'dangerous');
}
