import type { Bytes } from './bytes.ts';
import type { Format } from './checkpoint.ts';
import { isOnnx } from './onnx.ts';
import { interpretPickle } from './pickle/interpret.ts';
import { standingOf } from './pickle/standing.ts';
import { isTable } from './tensorflow/table.ts';
import { isTorchLegacy } from './torchLegacy.ts';

/** How far into a file the signs of its format lie. */
const HEAD = 512;

/** An HDF5 file may start behind a block of a user's own, at 512 bytes and its doublings. */
const HDF5_STARTS = [0, 512, 1024, 2048, 4096];
const HDF5 = Buffer.from('894844460d0a1a0a', 'hex');

/** A file's format by its content; its name says nothing. What a ZIP file holds is told by its members. */
export async function sniff(bytes: Bytes): Promise<Format> {
  if (bytes.size === 0) return 'empty';
  const head = await bytes.read(0, HEAD);
  const starts = (signature: string, encoding: BufferEncoding = 'latin1', at = 0) => {
    const wanted = Buffer.from(signature, encoding);
    return head.subarray(at, at + wanted.length).equals(wanted);
  };
  if (starts('504b0304', 'hex') || starts('504b0506', 'hex')) return 'zip';
  if (await isTorchLegacy(bytes)) return 'torch-legacy';
  if (starts('GGUF')) return 'gguf';
  if (starts('1f8b', 'hex')) return 'gzip';
  if (starts('934e554d5059', 'hex')) return 'numpy';
  if (starts('ustar', 'latin1', 257)) return 'tar';
  for (const start of HDF5_STARTS) if (HDF5.equals(await bytes.read(start, HDF5.length))) return 'hdf5';
  if (isSafetensors(head)) return 'safetensors';
  if (starts('version https://git-lfs.github.com/spec/v1')) return 'git-lfs-pointer';
  if (head[0] === 0x80 && head[1] !== undefined && head[1] <= 5) return 'pickle';
  if (isOnnx(head)) return 'onnx';
  if (await isTable(bytes)) return 'tensorflow-checkpoint';
  const text = textOf(head);
  if (text !== undefined && /^\s*<(!doctype|html|head|\?xml)/i.test(text)) return 'html';
  if (text !== undefined && /^\s*[{[]/.test(text)) return 'json';
  if (await isUnmarkedPickle(bytes)) return 'pickle';
  return text === undefined ? 'unknown' : 'text';
}

/** The pickles of protocols 0 and 1 have no sign of their own: they are what an unpickler gets through or acts on. */
async function isUnmarkedPickle(bytes: Bytes): Promise<boolean> {
  const { trouble, globals } = await interpretPickle(bytes);
  return trouble === undefined || [...globals.values()].some((global) => standingOf(global) === 'dangerous');
}

function isSafetensors(head: Buffer): boolean {
  if (head.length < 9) return false;
  const length = head.readBigUInt64LE(0);
  return head[8] === 0x7b && length <= 100_000_000n && length > 0n;
}

/** The head as text; undefined when it holds bytes that no text does. */
function textOf(head: Buffer): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what tells binary data from text.
  return /[\x00-\x08\x0e-\x1f]/.test(head.toString('latin1')) ? undefined : head.toString('utf8');
}
