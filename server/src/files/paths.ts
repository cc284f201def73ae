import { isAbsolute, relative, sep } from 'node:path';

/**
 * True if file systems here treat `Data` and `data` as the same name, which is also Git's default for repositories made
 * here.
 */
export const IGNORES_CASE = process.platform === 'win32' || process.platform === 'darwin';

/** A path as patterns and other systems see it, with slashes. */
export function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** The path as a person at `from` would write it; absolute when it lies elsewhere. */
export function shownPath(path: string, from: string = process.cwd()): string {
  return path === '-' || !isBelow(path, from) ? path : relative(from, path);
}

/** True for a file or folder below the folder; on Windows in whatever case either is written. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  // The way to another drive is that drive's path.
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** True for two ways to write one absolute path; on Windows the case may differ. */
export function isSamePath(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && relative(left, right) === '';
}
