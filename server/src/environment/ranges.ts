/** What a requirement lets through at its ends, without a list of the versions that there are. */
import { compareVersions } from '../published/versions.ts';
import type { Requirement } from './environmentFile.ts';
import { admits } from './versions.ts';

interface Bounds {
  /** The oldest version that is let through, or that is just too old. */
  readonly low?: string;
  /** The first version that is too new; with `includesHigh` the newest that is let through. */
  readonly high?: string;
  readonly includesHigh?: boolean;
}

/** True where every version that a requirement lets through lies in a range of clauses such as ">=2,<3". */
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

/** True where a requirement lets every newer version through. */
export function isOpenAbove({ specifier, url }: Requirement): boolean {
  return (
    specifier !== undefined && url === undefined && boundsOf(specifier).high === undefined && !specifier.includes('==')
  );
}

/** True where a range lets every newer version through. */
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

/** The first version after all that begin like one; for `~=`, like all of it but the last number. */
function nextOf(version: string, isCompatible: boolean): string {
  const parts = version.split('.').map(Number);
  const kept = isCompatible && parts.length > 1 ? parts.slice(0, -1) : parts;
  return kept.map((part, index) => (index === kept.length - 1 ? part + 1 : part)).join('.');
}
