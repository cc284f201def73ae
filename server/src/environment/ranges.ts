/** The bounds of a requirement, independent of the published versions. */
import { compareVersions } from '../published/versions.ts';
import type { Requirement } from './environmentFile.ts';
import { admits } from './versions.ts';

interface Bounds {
  /** The oldest allowed version, or the newest that is too old. */
  readonly low?: string;
  /** The first version that is too new; with `includesHigh`, the newest allowed version. */
  readonly high?: string;
  readonly includesHigh?: boolean;
}

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

function boundsOf(specifier: string): Bounds {
  let low: string | undefined;
  let high: string | undefined;
  let includesHigh = false;
  const raise = (version: string) => {
    if (low === undefined || compareVersions(version, low) > 0) low = version;
  };
  const lower = (version: string, includes = false) => {
    if (high !== undefined && compareVersions(version, high) >= 0) return;
    high = version;
    includesHigh = includes;
  };
  for (const clause of specifier.split(',')) {
    const [, operator = '', version = '', star] = /^(===?|~=|>=|<=|>|<|!=)([\w.]+?)(\.\*)?$/.exec(clause.trim()) ?? [];
    if (operator === '>=' || operator === '>') raise(version);
    if (operator === '<') lower(version);
    if (operator === '<=') lower(version, true);
    if (operator === '~=' || (operator === '==' && star)) {
      raise(version);
      lower(nextOf(version, operator === '~='));
    } else if (operator.startsWith('==')) {
      raise(version);
      lower(version, true);
    }
  }
  return { ...(low !== undefined && { low }), ...(high !== undefined && { high, includesHigh }) };
}

/** Returns the first version after all versions that begin the same way; for `~=`, the last number does not count. */
function nextOf(version: string, isCompatible: boolean): string {
  const parts = version.split('.').map(Number);
  const kept = isCompatible && parts.length > 1 ? parts.slice(0, -1) : parts;
  return kept.map((part, index) => (index === kept.length - 1 ? part + 1 : part)).join('.');
}
