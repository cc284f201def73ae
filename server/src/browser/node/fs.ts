/** Replaces `node:fs` in a browser: read-only access to the files that the editor has sent. */
import { basename, join } from 'node:path';
import { heldFile, namesInFolder } from '../files.ts';
import { Buffer } from './buffer.ts';

/** A file or folder, both as the result of `stat` and as an entry of a folder. */
class Entry {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly #isFolder: boolean;

  constructor(path: string) {
    const file = heldFile(path);
    this.name = basename(path);
    this.size = file?.content.length ?? 0;
    this.mtimeMs = file?.changed ?? 0;
    this.#isFolder = file === undefined;
  }

  isFile(): boolean {
    return !this.#isFolder;
  }

  isDirectory(): boolean {
    return this.#isFolder;
  }

  isSymbolicLink(): boolean {
    return false;
  }

  isCharacterDevice(): boolean {
    return false;
  }

  isFIFO(): boolean {
    return false;
  }

  isSocket(): boolean {
    return false;
  }
}

function absent(path: string, code: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path });
}

export function existsSync(path: string): boolean {
  return heldFile(path) !== undefined || namesInFolder(path) !== undefined;
}

export function statSync(path: string, { throwIfNoEntry = true } = {}): Entry | undefined {
  if (existsSync(path)) return new Entry(path);
  if (throwIfNoEntry) throw absent(path, 'ENOENT');
  return undefined;
}

export function readFileSync(path: string, encoding?: 'utf8') {
  const file = heldFile(path);
  if (!file) throw absent(path, namesInFolder(path) ? 'EISDIR' : 'ENOENT');
  const bytes = Buffer.from(file.content);
  return encoding === undefined ? bytes : bytes.toString(encoding);
}

/** A file in memory needs no descriptor: its path is one. */
export const constants = { O_RDONLY: 0, O_NONBLOCK: 0 };
export const openSync = (path: string): string => path;
export const fstatSync = statSync;
export function closeSync(): void {}

export function readSync(path: string, buffer: Uint8Array, offset: number, length: number): number {
  const content = heldFile(path)?.content.subarray(offset, offset + length) ?? new Uint8Array();
  buffer.set(content, offset);
  return content.length;
}

export function readdirSync(path: string, { withFileTypes = false } = {}) {
  const names = namesInFolder(path);
  if (!names) throw absent(path, heldFile(path) ? 'ENOTDIR' : 'ENOENT');
  const sorted = [...names].sort();
  return withFileTypes ? sorted.map((name) => new Entry(join(path, name))) : sorted;
}
