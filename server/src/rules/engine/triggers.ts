/** Which files can a rule report on at all? Only those are parsed. */
import { loaders, readers } from '../catalogue/catalogue.ts';
import { codeBytes } from './codeBytes.ts';

/** What names a GPU: strings, functions and variables. */
const GPU_WORDS = ['cuda', 'CUDA', 'Cuda', 'gpu', 'GPU', 'Gpu'];

const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1);

/** What rules about checkpoints begin with, as whole words. */
const CALLS = [
  ...new Set([...loaders.keys(), ...readers.keys()].map(lastPart)),
  'save',
  'safe_mode',
  'enable_unsafe_deserialization',
];

/** A number where a device is taken, which is a GPU's: `.to(1)`, `device=0`, `DataParallel(model, [0])`. */
const NUMBERED = [
  /to\(\s*\d/,
  /device(?:s|_ids)?\s*=\s*[[(]?\s*\d/,
  /DataParallel\w*\(.*[[,]\s*\d/,
  /DDP\(.*[[,]\s*\d/,
  /data_parallel\(.*[[,]\s*\d/,
];
/** A name in the same places, and names that are assigned numbers. */
const NAMED = [
  /to\(\s*(?:device\s*=\s*)?(?:\w+\.)*([A-Za-z_]\w*)/g,
  /device(?:s|_ids)?\s*=\s*(?:\w+\.)*([A-Za-z_]\w*)/g,
];
const ASSIGNED = /^[^\S\n]*([\w.]+(?:[^\S\n]*,[^\S\n]*[\w.]+)*)[^\S\n]*(?::[^=\n]*)?=[^\S\n]*[[(]?\s*\d/gm;

/**
 * False for a file whose code no rule can report on, whatever stands in its comments and docstrings. `more` are names of
 * the project's own loaders. Only for encodings that contain ASCII.
 */
export function hasTrigger(bytes: Buffer, more: readonly string[] = []): boolean {
  // What is said to GPU Doctor is answered.
  if (bytes.includes('gpu-doctor')) return true;
  const code = codeBytes(bytes);
  if (GPU_WORDS.some((word) => code.includes(word))) return true;
  if (CALLS.some((word) => hasWord(code, word)) || more.some((word) => hasWord(code, word))) return true;
  const text = code.toString('latin1');
  return NUMBERED.some((pattern) => pattern.test(text)) || isNumberNamed(text);
}

/** True where a name that a device is taken from is assigned a number. */
function isNumberNamed(text: string): boolean {
  const names = new Set(NAMED.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, name = '']) => name)));
  if (names.size === 0) return false;
  for (const [, targets = ''] of text.matchAll(ASSIGNED))
    if (targets.split(/[\s,.]+/).some((name) => names.has(name))) return true;
  return false;
}

function hasWord(code: Buffer, word: string): boolean {
  for (let at = code.indexOf(word); at >= 0; at = code.indexOf(word, at + 1)) {
    if (!isWordByte(code[at - 1]) && !isWordByte(code[at + word.length])) return true;
  }
  return false;
}

/** Letters, digits, the underscore, and what is part of a character beyond ASCII. */
function isWordByte(byte = 32): boolean {
  return (
    (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || (byte >= 48 && byte <= 57) || byte === 95 || byte > 127
  );
}
