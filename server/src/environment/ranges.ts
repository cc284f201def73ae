/** The bounds of a requirement, independent of the published versions. */
import { overlap } from '../published/specifier.ts';
import type { Requirement } from './environmentFile.ts';
import { admits } from './versions.ts';

/** True if every version that a requirement allows lies in a range of clauses such as ">=2,<3". */
export function liesWithin({ specifier, pin }: Requirement, range: string): boolean {
  // Text that is no PEP 440 specifier allows no version.
  if (specifier === undefined || !overlap(specifier, '>=0')) return false;
  if (pin !== undefined && /^={2,3}[^*]+$/.test(specifier)) return admits(range, pin.text);
  return range.split(',').every((clause) => {
    const [, operator = '', version = ''] = /^(>=|<)([\w.]+)$/.exec(clause) ?? [];
    return operator !== '' && !overlap(specifier, `${operator === '<' ? '>=' : '<'}${version}`);
  });
}

/** True if a requirement allows every newer version. */
export function isOpenAbove({ specifier, url }: Requirement): boolean {
  return specifier !== undefined && url === undefined && !specifier.includes('==') && overlap(specifier, '>=999999');
}

/** True if a range allows every newer version. */
export function reachesNewest(range: string): boolean {
  return range.split(',').every((clause) => /^>=?/.test(clause));
}
