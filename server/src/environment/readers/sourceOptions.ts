import type { LocatedToml } from '../../located/toml.ts';
import type { PackageSource } from '../environmentFile.ts';
import { tableOf } from './texts.ts';

/** Reads the sources in an option of a TOML table: an address, a table with a `url`, or a list of these. */
export function sourcesOfOption(
  located: LocatedToml,
  path: readonly string[],
  table: Readonly<Record<string, unknown>>,
  option: string,
  kind: PackageSource['kind'],
): PackageSource[] {
  const value = table[option];
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  return entries.flatMap((entry, index) => {
    const url = typeof entry === 'string' ? entry : tableOf(entry).url;
    if (typeof url !== 'string') return [];
    return [{ url, kind, span: located.valueAt([...path, option, ...(Array.isArray(value) ? [index] : [])]) }];
  });
}
