/**
 * Requirement lists that a file includes, read as a part of it, since requirements that are installed together are
 * checked together. Their text follows the file's own, so an offset identifies the list.
 */

import { dirname, isAbsolute, posix, resolve } from 'node:path';
import { readProjectFile } from '../../projectFile.ts';
import type { IncludedFile, LocatedSpan } from '../environmentFile.ts';
import { decodedText } from '../text.ts';
import { logicalLines, type NamedList, readPipList, UNREAD } from './pipList.ts';

/** Returns the text of a file, by its path relative to the file that is read; undefined if it does not exist. */
export type ReadBeside = (path: string) => string | undefined;

export interface Includes {
  /** Returns the list at a path, with offsets after the file's own text. */
  readonly listAt: NamedList;
  /** Returns the text of another file, with the offset of its first character; undefined if it cannot be read. */
  readonly textAt: (path: string, named: LocatedSpan) => { readonly text: string; readonly start: number } | undefined;
  /** True if there is a file at the path. */
  readonly isThere: (path: string) => boolean;
  /** Files that have been read so far. */
  readonly files: readonly IncludedFile[];
}

/** No more lists than this are read: a few files may include each other again and again. */
const MOST_FILES = 50;

/**
 * Reads files relative to the one at that path, if they are on this machine and are no larger than such lists usually
 * are.
 */
export function readBeside(file: string): ReadBeside {
  return (path) => {
    try {
      return decodedText(readProjectFile(resolve(dirname(file), path), 'requirements'));
    } catch {
      return undefined;
    }
  };
}

/** Returns the lists that a file with that text includes. Without `read`, none of them can be read. */
export function includesOf(text: string, read: ReadBeside = () => undefined): Includes {
  const files: IncludedFile[] = [];
  let end = text.length + 1;
  const textIn = (path: string, named: LocatedSpan) => {
    // Neither an address nor a variable, and nothing that is on another machine or has an absolute path on this one.
    const isPlain = !/[:$*<>|\0]|^[\\/]{1,2}/.test(path) && !isAbsolute(path);
    if (!isPlain || files.length >= MOST_FILES) return undefined;
    const found = read(path);
    const start = end;
    files.push({ path, text: found, start, named });
    if (found === undefined) return undefined;
    end += found.length + 1;
    return { text: found, start };
  };
  const listIn = (path: string, named: LocatedSpan, open: readonly string[]): ReturnType<NamedList> => {
    const found = open.includes(path) ? undefined : textIn(path, named);
    if (found === undefined) return UNREAD;
    return readPipList(logicalLines(found.text, found.start), (inner) =>
      listIn(posix.join(posix.dirname(path), plain(inner)), named, [...open, path]),
    );
  };
  return {
    listAt: (path, named) => listIn(posix.normalize(plain(path)), named, []),
    textAt: (path, named) => textIn(posix.normalize(plain(path)), named),
    isThere: (path) => read(path) !== undefined,
    files,
  };
}

function plain(path: string): string {
  return path.replaceAll('\\', '/');
}

/** True if the files that were read or looked for have not changed. */
export function areUnchanged(files: readonly IncludedFile[], read: ReadBeside): boolean {
  return files.every(({ path, text }) => read(path) === text);
}
