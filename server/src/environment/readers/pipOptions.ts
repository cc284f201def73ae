import type { PackageSource } from '../environmentFile.ts';

/** pip's source options in requirement files and commands. */
const KINDS: Readonly<Record<string, PackageSource['kind']>> = {
  '-i': 'index',
  '--index-url': 'index',
  '--pypi-url': 'index',
  '--default-index': 'index',
  '--extra-index-url': 'extra',
  '--index': 'extra',
  '-f': 'links',
  '--find-links': 'links',
};

/** Returns the kind of source that an option names. */
export function sourceOption(option: string): PackageSource['kind'] | undefined {
  return Object.hasOwn(KINDS, option) ? KINDS[option] : undefined;
}

/** Returns the sources in an option line of a requirements file. */
export function sourcesIn(line: string, start: number): PackageSource[] {
  if (!/^\s*-/.test(line)) return [];
  return [...line.matchAll(/(?<=^|\s)(-i|-f|--[a-z-]+)(?:\s+|\s*=\s*)([^\s-]\S*)/g)].flatMap(
    ({ 0: all, 1: option = '', 2: url = '', index }) => {
      const kind = sourceOption(option);
      return kind === undefined ? [] : [{ url, kind, span: { start: start + index, end: start + index + all.length } }];
    },
  );
}
