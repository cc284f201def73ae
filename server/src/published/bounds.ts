import { compareVersions } from './versions.ts';

interface Bounds {
  /** The oldest allowed version, or the newest that is too old. */
  readonly low?: string;
  /** The first version that is too new; with `includesHigh`, the newest allowed version. */
  readonly high?: string;
  readonly includesHigh?: boolean;
}

/** Returns the bounds that the clauses of a PEP 440 specifier set together. */
export function boundsOf(specifier: string): Bounds {
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
    const [, operator = '', version = '', star] =
      /^(===?|~=|>=|<=|>|<|!=)\s*([\w.+]+?)(\.\*)?$/.exec(clause.trim()) ?? [];
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
  return { low, ...(high !== undefined && { high, includesHigh }) };
}

/** Returns the first version after all versions that begin the same way; for `~=`, the last number does not count. */
function nextOf(version: string, isCompatible: boolean): string {
  const parts = version.split('.').map(Number);
  const kept = isCompatible && parts.length > 1 ? parts.slice(0, -1) : parts;
  return kept.map((part, index) => (index === kept.length - 1 ? part + 1 : part)).join('.');
}
