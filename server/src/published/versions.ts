/** Versions of packages, CUDA, drivers and Python, compared by PEP 440 and shortened to their first numbers. */
import { compare, valid } from '@renovatebot/pep440';
import { remembering } from './remembering.ts';

/**
 * Orders versions by PEP 440: 570.26 is lower than 570.124.06, 2.6.0rc1 than 2.6, 2.6.0 than 2.6.0+cu124. Anything that
 * is not a PEP 440 version, such as an Ubuntu release, is compared by its leading numbers.
 */
export function compareVersions(left: string, right: string): number {
  if (left === right) return 0;
  const [one, other] = [read(left), read(right)];
  if ((one.isPlain && other.isPlain) || !one.isVersion || !other.isVersion)
    return compareNumbers(one.numbers, other.numbers);
  return compare(left, right);
}

/**
 * True if a version belongs to that release or a newer one: 2.10.0 and the nightly 2.6.0.dev20241101 are at least 2.6.
 */
export function isAtLeast(version: string, release: string): boolean {
  return compareNumbers(read(version).numbers, read(release).numbers) >= 0;
}

/** True if a version belongs to that release or an older one: 2.6.4 is at most 2.6. */
export function isAtMost(version: string, release: string): boolean {
  const last = read(release).numbers;
  return compareNumbers(read(version).numbers.slice(0, last.length), last) <= 0;
}

/** True if a version is in that range of releases, including the last one: 3.13.2 is within 3.9 and 3.13. */
export function isWithin(version: string, [oldest, newest]: readonly [oldest: string, newest: string]): boolean {
  return isAtLeast(version, oldest) && isAtMost(version, newest);
}

/** "12" for "12.4.1". */
export function majorOf(version: string): string {
  return version.split('.')[0] ?? version;
}

/** "2.6" for "2.6.0+cu124"; a version of one number is unchanged. */
export function minorOf(version: string): string {
  return MINOR.exec(version)?.[0] ?? version;
}

/** Major and minor number: [2, 16] for "2.16.1"; NaN if missing. */
export function majorAndMinor(version: string): [major: number, minor: number] {
  const [major, minor] = version.split('.');
  return [Number.parseInt(major ?? '', 10), Number.parseInt(minor ?? '', 10)];
}

/** Negative if the first is older; missing numbers are zero. */
function compareNumbers(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const MINOR = /^\d+\.\d+/;
const NUMBERS = /^\s*v?(\d+(?:\.\d+)*)/;

/** Nearly all versions consist only of numbers, which are sufficient to compare them; this runs on every keystroke. */
const read = remembering((version) => {
  const [whole, numbers = ''] = NUMBERS.exec(version) ?? [];
  const isPlain = whole === version;
  return { numbers: numbers.split('.').map(Number), isPlain, isVersion: isPlain || valid(version) !== null };
});
