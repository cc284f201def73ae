import type { Budget } from './budget.ts';
import type { Bytes } from './bytes.ts';
import type { Format } from './checkpoint.ts';
import { isTar } from './encodings/tar.ts';
import { hasTable } from './encodings/zipDirectory.ts';
import { packingOf } from './formats/compressed.ts';
import { isCoreMl } from './formats/coreml/coreml.ts';
import { isJoblib } from './formats/joblib.ts';
import { isOnnx } from './formats/onnx/onnx.ts';
import { isKerasMetadata } from './formats/tensorflow/kerasMetadata.ts';
import { isTable } from './formats/tensorflow/table.ts';
import { isTflite } from './formats/tflite.ts';
import { interpretPickle } from './pickle/interpret.ts';
import { isTorchLegacy } from './pickle/legacy.ts';
import { threatOf } from './pickle/readPickle.ts';
import { standingOf } from './pickle/standing.ts';

/** How far into a file the signs of its format lie. */
const HEAD = 512;

const HDF5 = Buffer.from('894844460d0a1a0a', 'hex');

/**
 * The formats as which a file can be read, by its content; its name says nothing. The first is what it is shown as. There
 * is more than one only where readers differ: some look at the beginning, some at the end, and some skip what does not
 * belong to them. What a ZIP file or a tar archive holds is told by its members.
 */
export async function formatsOf(bytes: Bytes, budget: Budget): Promise<readonly [Format, ...Format[]]> {
  if (bytes.size === 0) return ['empty'];
  const head = await bytes.read(0, HEAD);
  const [first, ...others] = await signedFormatsOf(bytes, head, budget);
  return first === undefined ? [unsignedFormatOf(head)] : [first, ...others];
}

/** The formats of which the file has the sign. */
async function signedFormatsOf(bytes: Bytes, head: Buffer, budget: Budget): Promise<Format[]> {
  const starts = (signature: string, encoding: BufferEncoding = 'latin1') => {
    const wanted = Buffer.from(signature, encoding);
    return head.subarray(0, wanted.length).equals(wanted);
  };
  const isZip = starts('504b0304', 'hex') || starts('504b0506', 'hex');
  // An unpickler without a way to look persistent things up fails on the first: ZIP files begin like one.
  const isPersistent = starts('P');
  const isLegacy = !isPersistent && (await isTorchLegacy(bytes, budget));
  const packing = packingOf(head);
  const found: (Format | false | undefined)[] = [
    isZip && 'zip',
    isLegacy && 'torch-legacy',
    starts('GGUF') && 'gguf',
    isTflite(head) && 'tflite',
    packing && (packing.name === 'gzip' ? 'gzip' : 'compressed'),
    starts('934e554d5059', 'hex') && 'numpy',
    isTar(head) && 'tar',
    (await isHdf5(bytes)) && 'hdf5',
    isSafetensors(head) && 'safetensors',
    starts('version https://git-lfs.github.com/spec/v1') && 'git-lfs-pointer',
    (await isTable(bytes)) && 'tensorflow-checkpoint',
    !isZip && (await hasTable(bytes)) && 'zip',
  ];
  const formats = found.filter((format) => format !== false && format !== undefined);
  if (isPersistent || isLegacy || !(await isPickle(bytes, head, budget, formats.length > 0))) return formats;
  const isMarked = head[0] === 0x80;
  return isMarked ? ['pickle', ...formats] : [...formats, 'pickle'];
}

/** What has no sign of its own. */
function unsignedFormatOf(head: Buffer): Format {
  if (isOnnx(head)) return 'onnx';
  if (isCoreMl(head)) return 'coreml';
  if (isKerasMetadata(head)) return 'keras-metadata';
  const text = textOf(head);
  if (text !== undefined && /^\s*<(!doctype|html|head|\?xml)/i.test(text)) return 'html';
  if (text !== undefined && /^\s*[{[]/.test(text)) return 'json';
  return text === undefined ? 'unknown' : 'text';
}

/** An HDF5 file may start behind a block of a user's own, at 512 bytes and all of its doublings. */
async function isHdf5(bytes: Bytes): Promise<boolean> {
  const starts = [0];
  for (let start = 512; start < bytes.size; start *= 2) starts.push(start);
  const found = await Promise.all(starts.map((start) => bytes.read(start, HDF5.length)));
  return found.some((content) => HDF5.equals(content));
}

/**
 * Pickles of protocol 2 and newer start with its number. Those of 0 and 1 have no sign: they are what an unpickler gets
 * through or acts on. With a sign of another format, it is a pickle as well if an unpickler would run what is not known
 * to be harmless.
 */
async function isPickle(bytes: Bytes, head: Buffer, budget: Budget, hasOtherSign: boolean): Promise<boolean> {
  if (head[0] === 0x80 && head[1] !== undefined && head[1] <= 5) return true;
  if (hasOtherSign) return (await threatOf(bytes, budget)) !== undefined;
  const pickle = await interpretPickle(bytes, 0, budget);
  // Where only the reader stops, an unpickler goes on.
  if (!pickle.fails || isJoblib(pickle)) return true;
  return [...pickle.globals.values()].some((global) => standingOf(global) === 'dangerous');
}

function isSafetensors(head: Buffer): boolean {
  if (head.length < 9) return false;
  const length = head.readBigUInt64LE(0);
  // The format wants the brace there; the library takes blanks before it.
  return length <= 100_000_000n && length > 0n && /^[ \t\r\n]*\{/.test(head.toString('latin1', 8));
}

/** The head as text; undefined when it holds bytes that no text does. */
function textOf(head: Buffer): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what tells binary data from text.
  return /[\x00-\x08\x0e-\x1f]/.test(head.toString('latin1')) ? undefined : head.toString('utf8');
}
