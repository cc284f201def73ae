import { isAbsolute, relative, sep } from 'node:path';
import { printable } from '../printable.ts';

/**
 * True if file systems here treat `Data` and `data` as the same name, which is also Git's default for repositories made
 * here.
 */
export const IGNORES_CASE = process.platform === 'win32' || process.platform === 'darwin';

/** Returns a path with slashes, as in patterns and on other systems. */
export function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** Returns a path relative to `from`; absolute if it is elsewhere. */
export function nearestPath(path: string, from: string = process.cwd()): string {
  return path === '-' || !isBelow(path, from) ? path : relative(from, path);
}

/** Returns the same to print: control characters become pictures. */
export function shownPath(path: string, from: string = process.cwd()): string {
  return printable(nearestPath(path, from));
}

/** True for a path below the folder; on Windows the case may differ. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  // The relative path to another drive is absolute.
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** True for two spellings of one absolute path; on Windows the case may differ. */
export function isSamePath(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && relative(left, right) === '';
}
