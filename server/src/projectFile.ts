/** The one way to read a file that a project brings: its programs, settings, requirements and ignore files. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';

const KIB = 2 ** 10;
const MIB = 2 ** 20;

/** The largest file of each kind that is read, in bytes. */
const LARGEST = {
  /** People write settings, ignore patterns and licenses by hand; the longest have a few thousand lines. */
  settings: MIB,
  /** A list that `pip freeze` or `pip-compile --generate-hashes` writes for a thousand packages has half of it. */
  requirements: MIB,
  /** A recorded stack is written by GPU Doctor and has a few KiB. */
  record: MIB,
  /** A finding takes about 300 bytes, so this is room for 50,000. */
  baseline: 16 * MIB,
  /** Larger programs are generated data, and other files learn nothing from them. */
  importedProgram: 2 * MIB,
  /** The file that a user asks about. CPython needs minutes for larger programs. */
  program: 16 * MIB,
  /** Most of a notebook is output. Larger ones cannot be pushed to GitHub. */
  notebook: 100 * MIB,
  /** A branch or a commit by name. */
  name: 4 * KIB,
} as const;

export type ProjectFileKind = keyof typeof LARGEST;

/** A file that is not read because of its kind or size. The message is a clause that follows "it" or a name. */
export class Unreadable extends Error {}

/**
 * @throws Unreadable for anything but a file or a folder: opening a pipe may wait forever, and reading a device may
 * never end.
 */
export function refuseSpecial(entry: Pick<Stats, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket'>): void {
  if (entry.isFile() || entry.isDirectory()) return;
  const kind = entry.isFIFO() ? 'pipe' : entry.isSocket() ? 'socket' : 'device';
  throw new Unreadable(`is a ${kind}, not a regular file, and is not opened`);
}

/** @throws Unreadable for a size above the limit of its kind. */
export function refuseLarge(kind: ProjectFileKind, bytes: number): void {
  const most = LARGEST[kind];
  if (bytes <= most) return;
  const shown = most >= MIB ? `${most / MIB} MiB` : `${most / KIB} KiB`;
  throw new Unreadable(`is too large: ${Math.ceil(bytes / MIB)} MiB, at most ${shown} are read`);
}

/**
 * Reads a regular file without waiting for it.
 *
 * @throws Unreadable, or the system's error.
 */
export function readProjectFile(path: string, kind: ProjectFileKind): Buffer {
  // Opening a device may have side effects.
  refuseSpecial(statSync(path));
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const entry = fstatSync(file);
    refuseSpecial(entry);
    refuseLarge(kind, entry.size);
    const buffer = Buffer.allocUnsafe(entry.size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = readSync(file, buffer, length, buffer.length - length, null);
    // Files in `/proc` have no size and may never end.
    if (length > entry.size) throw new Unreadable('is larger than the system says');
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Reads a text in UTF-8; undefined if there is none that can be read. */
export function projectText(path: string, kind: ProjectFileKind): string | undefined {
  try {
    return readProjectFile(path, kind).toString('utf8');
  } catch {
    return undefined;
  }
}
