import { relative, sep } from 'node:path';

/** A path as patterns see it, with slashes. */
export function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** The path as a person at `from` would write it; absolute when it lies elsewhere. */
export function shownPath(path: string, from: string = process.cwd()): string {
  const way = relative(from, path);
  return path === '-' || way === '' || way.startsWith('..') ? path : way;
}
