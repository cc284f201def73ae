/** The bounds of a requirement, independent of the published versions. */
import { boundsOf } from '../published/bounds.ts';
import { compareVersions } from '../published/versions.ts';
import type { Requirement } from './environmentFile.ts';
import { admits } from './versions.ts';

/** True if every version that a requirement allows lies in a range of clauses such as ">=2,<3". */
export function liesWithin({ specifier, pin }: Requirement, range: string): boolean {
  if (specifier === undefined) return false;
  if (pin !== undefined && /^={2,3}[^*]+$/.test(specifier)) return admits(range, pin.text);
  const { low, high, includesHigh } = boundsOf(specifier);
  return range.split(',').every((clause) => {
    const [, operator = '', version = ''] = /^(>=|<|==|>|<=)([\w.]+?)(?:\.\*)?$/.exec(clause) ?? [];
    if (operator === '>=') return low !== undefined && compareVersions(low, version) >= 0;
    if (operator === '<') return high !== undefined && compareVersions(high, version) <= (includesHigh ? -1 : 0);
    return false;
  });
}

/** True if a requirement allows every newer version. */
export function isOpenAbove({ specifier, url }: Requirement): boolean {
  return (
    specifier !== undefined && url === undefined && boundsOf(specifier).high === undefined && !specifier.includes('==')
  );
}

/** True if a range allows every newer version. */
export function reachesNewest(range: string): boolean {
  return range.split(',').every((clause) => /^>=?/.test(clause));
}
