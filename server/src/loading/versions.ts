/** Versions of libraries, and what a requirement says of them. */

/** The numbers that a version begins with: 2, 6, 0 of `2.6.0+cu124`. */
function numbersOf(version: string): number[] {
  return (/^\s*v?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? '').split('.').map(Number);
}

/** Negative when the first is the older one; numbers that one of them lacks are zero. */
function compare(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** True for a version of that release or a newer one: `2.10.0` is at least `2.6`. */
export function isAtLeast(version: string, release: string): boolean {
  return compare(numbersOf(version), numbersOf(release)) >= 0;
}

/** True for a version of that release or an older one: `2.6.4` is at most `2.6`. */
export function isAtMost(version: string, release: string): boolean {
  const last = numbersOf(release);
  return compare(numbersOf(version).slice(0, last.length), last) <= 0;
}

/**
 * True when a requirement, such as `>=2.0,<2.6`, keeps out a release and all that are newer. By the version specifiers of
 * https://packaging.python.org/en/latest/specifications/version-specifiers/
 */
export function keepsOut(requirement: string, release: string): boolean {
  const wanted = numbersOf(release);
  return requirement.split(',').some((clause) => {
    const [, operator, version = ''] = /^\s*(===?|~=|<=|<)\s*(\S+)/.exec(clause) ?? [];
    const numbers = numbersOf(version);
    switch (operator) {
      case '<':
        return compare(numbers, wanted) <= 0;
      case '~=':
        return compare(numbers.slice(0, -1), wanted.slice(0, numbers.length - 1)) < 0;
      case '==':
        if (version.endsWith('*')) return compare(numbers, wanted.slice(0, numbers.length)) < 0;
        return compare(numbers, wanted) < 0;
      case '===':
      case '<=':
        return compare(numbers, wanted) < 0;
      default:
        return false;
    }
  });
}

/** The oldest release that a requirement names as one that it admits; undefined where it names none. */
function oldestNamed(requirement: string): string | undefined {
  const bounds = requirement.split(',').flatMap((clause) => /^\s*(?:>=?|~=|===?|\^)\s*(\S+)/.exec(clause)?.[1] ?? []);
  return bounds.reduce<string | undefined>((a, b) => (a !== undefined && isAtLeast(a, b) ? a : b), undefined);
}

/** The version of a requirement that admits just one, `==2.15.0`; undefined for any other. */
export function onlyVersion(requirement: string): string | undefined {
  return /^\s*===?\s*(\d[\w.]*)\s*$/.exec(requirement)?.[1];
}

/** A library as it is installed, and as the project requires it; either may be unknown. */
export interface Known {
  readonly version?: string;
  readonly requirement?: string;
}

/** True where nothing tells that the library may be older than the release. */
export function isSince(release: string, { version, requirement }: Known): boolean {
  if (version !== undefined && !isAtLeast(version, release)) return false;
  if (requirement === undefined) return true;
  const oldest = oldestNamed(requirement);
  return oldest === undefined ? !keepsOut(requirement, release) : isAtLeast(oldest, release);
}
