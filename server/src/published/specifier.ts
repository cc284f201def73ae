import { satisfies as isWithin, lt, valid, validRange } from '@renovatebot/pep440';
import { remembering } from './remembering.ts';
import { isAtLeast } from './versions.ts';

/**
 * A number that the library cannot represent, and that no release has: the library would format it in scientific
 * notation and then fail to parse it.
 */
const TOO_LONG = /\d{16}/;

/** Tests whether versions satisfy a specifier, with a cache: the library parses twice for each answer. */
const within = (options?: { readonly prereleases: boolean }) =>
  remembering((specifier) => {
    const isOne = !TOO_LONG.test(specifier);
    const clauses = specifier.split(',').filter((clause) => clause.trim() !== '');
    const posts = clauses.flatMap((clause) => BEFORE_POST.exec(clause)?.[1] ?? []);
    const others = clauses.filter((clause) => !BEFORE_POST.test(clause)).join(',');
    return remembering(
      (version) =>
        isOne &&
        !TOO_LONG.test(version) &&
        valid(version) !== null &&
        posts.every((post) => lt(version, post)) &&
        isWithin(version, others === '' ? '>=0' : others, options),
    );
  });

/**
 * Such as "<2.8.3.post2", which includes 2.8.3: the library does not consider a version with the same numbers lower.
 */
const BEFORE_POST = /^\s*<\s*(\S+\.?post\d+)\s*$/;

const plain = within();
const asAny = within({ prereleases: true });

/**
 * True if a version satisfies a PEP 440 specifier; false for text that is not a version, or has a number that is too
 * large.
 */
export function satisfies(version: string, specifier: string): boolean {
  return plain(specifier)(version);
}

/**
 * True if an installed version meets a requirement. Its local tag only counts if the requirement has one, and a build
 * before the release, such as NVIDIA's "2.1.0a0+nv23.06", counts as the release.
 */
export function isMetBy(specifier: string, version: string): boolean {
  if (specifier === '') return true;
  const [release = version] = version.split('+');
  const named = specifier.includes('+') ? version : release;
  if (satisfiesAsAny(named, specifier)) return true;
  const [final] = /^\d+(?:\.\d+)*(?=(?:a|b|rc|\.?dev)\d)/.exec(release) ?? [];
  return final !== undefined && satisfiesAsAny(final, specifier);
}

/** The same, with pre-releases treated like other versions. */
export function satisfiesAsAny(version: string, specifier: string): boolean {
  return asAny(specifier)(version);
}

/** True if a version satisfies a specifier; local tags such as "+cu126" count only if the specifier has one. */
export function fits(version: string, specifier: string): boolean {
  return specifier === '' || fitting(specifier)(version);
}

const fitting = remembering((specifier) => {
  const isLocal = specifier.includes('+');
  const range = specifier.replaceAll('===', '==');
  return remembering((version) => satisfies(isLocal ? version : (version.split('+')[0] ?? version), range));
});

/** True if some version satisfies both, tested at the versions that they name and directly after those. */
export function overlap(one: string, other: string): boolean {
  return overlapping(`${one}\n${other}`);
}

const overlapping = remembering((both) => {
  const [one = '', other = ''] = both.split('\n');
  const named = [...`${one},${other}`.matchAll(/(\d+(?:\.\d+)*)(?:\.\*)?((?:\.post|rc|a|b)\d+)?/g)];
  const tried = named.flatMap(([, version = '', suffix = '']) => [
    `${version}${suffix}`,
    `${version}.1`,
    `${version}.post1`,
    before(version),
  ]);
  return one === '' || other === '' || tried.some((version) => fits(version, one) && fits(version, other));
});

/** True if every version that a specifier allows lies in a range of clauses such as ">=2,<3". */
export function liesWithin(specifier: string | undefined, range: string): boolean {
  // Text that is no PEP 440 specifier allows no version.
  if (specifier === undefined || !overlap(specifier, '>=0')) return false;
  const only = onlyVersion(specifier);
  if (only !== undefined) return satisfiesAsAny(only, range);
  return range.split(',').every((clause) => {
    const [, operator = '', version = ''] = /^(>=|<)([\w.]+)$/.exec(clause) ?? [];
    return operator !== '' && !overlap(specifier, `${operator === '<' ? '>=' : '<'}${version}`);
  });
}

/**
 * The clauses of several specifiers, without those that another one implies: ">=0.9" for ">=0.9" and ">=0.7". Undefined
 * if no version satisfies them all.
 */
export function joinedSpecifier(specifiers: readonly string[]): string | undefined {
  const all = [...new Set(specifiers.flatMap((each) => each.split(',')).map((clause) => clause.trim()))];
  const clauses = all.filter((clause) => clause !== '');
  const kept = clauses.filter(
    (clause, at) =>
      !clauses.some(
        (other, place) => place !== at && liesWithin(other, clause) && (place < at || !liesWithin(clause, other)),
      ),
  );
  const joined = kept.join(',');
  return overlap(joined, '>=0') ? joined : undefined;
}

/** A version directly before that one: "2.5.99" for "2.6". */
function before(version: string): string {
  const parts = version.split('.').map(BigInt);
  while (parts.length > 1 && parts.at(-1) === 0n) parts.pop();
  const last = parts.pop() || 1n;
  return [...parts, last - 1n, 99n].join('.');
}

/**
 * True if a requirement, such as `>=2.0,<2.6`, excludes a release and all newer ones. Follows the version specifiers of
 * https://packaging.python.org/en/latest/specifications/version-specifiers/
 */
export function keepsOut(requirement: string, release: string): boolean {
  return validRange(requirement) && !overlap(requirement, `>=${release}`);
}

/** The oldest release that a requirement names and accepts; undefined if it names none. */
function oldestNamed(requirement: string): string | undefined {
  const bounds = requirement.split(',').flatMap((clause) => /^\s*(?:>=?|~=|===?|\^)\s*(\S+)/.exec(clause)?.[1] ?? []);
  return bounds.reduce<string | undefined>((a, b) => (a !== undefined && isAtLeast(a, b) ? a : b), undefined);
}

/** The version of a requirement that accepts only one, `==2.15.0`; undefined for any other. */
export function onlyVersion(requirement: string): string | undefined {
  return /^\s*===?\s*(\d[\w.]*)\s*$/.exec(requirement)?.[1];
}

/** A library's installed version and the project's requirement on it; either may be unknown. */
export interface KnownVersions {
  readonly version?: string;
  readonly requirement?: string;
}

/** True if nothing suggests that the library may be older than the release. */
export function isSince(release: string, { version, requirement }: KnownVersions): boolean {
  if (version !== undefined && !isAtLeast(version, release)) return false;
  if (requirement === undefined) return true;
  const oldest = oldestNamed(requirement);
  return oldest === undefined ? !keepsOut(requirement, release) : isAtLeast(oldest, release);
}
