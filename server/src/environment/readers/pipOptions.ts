import type { PackageSource } from '../environmentFile.ts';

/** What pip's options in requirement files and commands say of where packages come from. */
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

/** The kind of source that an option names. */
export function sourceOption(option: string): PackageSource['kind'] | undefined {
  return Object.hasOwn(KINDS, option) ? KINDS[option] : undefined;
}

/** The source that a line of a requirements file names, if it is such an option. */
export function sourcesIn(line: string, start: number): PackageSource[] {
  const [, before = '', option = '', url] = /^(\s*)(-i|-f|--[a-z-]+)(?:\s+|\s*=\s*)(\S+)/.exec(line) ?? [];
  const kind = sourceOption(option);
  if (kind === undefined || url === undefined) return [];
  return [{ url, kind, span: { start: start + before.length, end: start + line.trimEnd().length } }];
}
