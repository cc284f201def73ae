import type { LocatedToml } from '../../located/toml.ts';
import type { PackageSource } from '../environmentFile.ts';
import { tableOf } from './texts.ts';

/** Where an option of a table of TOML has packages come from: an address, a table with one as its `url`, or a list of such. */
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
