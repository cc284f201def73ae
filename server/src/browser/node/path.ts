/** Replaces `node:path` in a browser: POSIX paths. */

export const sep = '/';
export const delimiter = ':';

export function isAbsolute(path: string): boolean {
  return path.startsWith('/');
}

export function normalize(path: string): string {
  if (path === '') return '.';
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    const last = kept.at(-1);
    if (part !== '..') kept.push(part);
    else if (last !== undefined && last !== '..') kept.pop();
    else if (!isAbsolute(path)) kept.push(part);
  }
  const end = path.endsWith('/') && kept.length > 0 ? '/' : '';
  const normal = `${isAbsolute(path) ? '/' : ''}${kept.join('/')}${end}`;
  return normal === '' ? (path.endsWith('/') ? './' : '.') : normal;
}

export function join(...parts: readonly string[]): string {
  return normalize(parts.filter((part) => part !== '').join('/'));
}

/** Relative paths start at the root, because a browser has no current folder. */
export function resolve(...parts: readonly string[]): string {
  let path = '';
  for (const part of parts.toReversed()) {
    if (part !== '') path = path === '' ? part : `${part}/${path}`;
    if (isAbsolute(path)) break;
  }
  const normal = normalize(isAbsolute(path) ? path : `/${path}`);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}

export function dirname(path: string): string {
  const bare = path.replace(/\/+$/, '');
  if (bare === '') return path === '' ? '.' : '/';
  const end = bare.lastIndexOf('/');
  if (end < 0) return '.';
  return bare.slice(0, end).replace(/\/+$/, '') || (bare.startsWith('//') && end === 1 ? '//' : '/');
}

export function basename(path: string, suffix = ''): string {
  const bare = path.replace(/\/+$/, '');
  const name = bare.slice(bare.lastIndexOf('/') + 1);
  return suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

export function extname(path: string): string {
  const name = basename(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 || name === '..' ? '' : name.slice(dot);
}

export function relative(from: string, to: string): string {
  const [start, end] = [resolve(from), resolve(to)].map((path) => path.split('/').filter((part) => part !== ''));
  if (!start || !end) return '';
  let common = 0;
  while (common < start.length && start[common] === end[common]) common++;
  return [...start.slice(common).map(() => '..'), ...end.slice(common)].join('/');
}

export function parse(path: string) {
  const root = isAbsolute(path) ? '/' : '';
  const base = basename(path);
  const ext = extname(path);
  const dir = path.includes('/') ? dirname(path) : '';
  return { root, dir, base, ext, name: ext === '' ? base : base.slice(0, -ext.length) };
}

export const posix = {
  sep,
  delimiter,
  isAbsolute,
  normalize,
  join,
  resolve,
  dirname,
  basename,
  extname,
  relative,
  parse,
};
export default posix;
