/** Versions of packages, CUDA, drivers and Python, compared by PEP 440 and cut to their first numbers. */
import { compare, valid } from '@renovatebot/pep440';
import { remembering } from './remembering.ts';

/**
 * Orders versions by PEP 440: 570.26 is lower than 570.124.06, 2.6.0rc1 than 2.6, 2.6.0 than 2.6.0+cu124. What is no version of
 * PEP 440, such as a release of Ubuntu's, is compared by the numbers that it begins with.
 */
export function compareVersions(left: string, right: string): number {
  if (left === right) return 0;
  const [one, other] = [read(left), read(right)];
  if ((one.isPlain && other.isPlain) || !one.isVersion || !other.isVersion)
    return compareNumbers(one.numbers, other.numbers);
  return compare(left, right);
}

/** True if a version is of that release or a newer one: 2.10.0 and the nightly 2.6.0.dev20241101 are at least 2.6. */
export function isAtLeast(version: string, release: string): boolean {
  return compareNumbers(read(version).numbers, read(release).numbers) >= 0;
}

/** True if a version is of that release or an older one: 2.6.4 is at most 2.6. */
export function isAtMost(version: string, release: string): boolean {
  const last = read(release).numbers;
  return compareNumbers(read(version).numbers.slice(0, last.length), last) <= 0;
}

/** True if a version is of one of those releases, the last one included: 3.13.2 is within 3.9 and 3.13. */
export function isWithin(version: string, [oldest, newest]: readonly [oldest: string, newest: string]): boolean {
  return isAtLeast(version, oldest) && isAtMost(version, newest);
}

/** "12" of "12.4.1". */
export function majorOf(version: string): string {
  return version.split('.')[0] ?? version;
}

/** "2.6" of "2.6.0+cu124"; a version of one number as it is. */
export function minorOf(version: string): string {
  return MINOR.exec(version)?.[0] ?? version;
}

/** Major and minor number: [2, 16] of "2.16.1"; NaN where there are none. */
export function majorAndMinor(version: string): [major: number, minor: number] {
  const [major, minor] = version.split('.');
  return [Number.parseInt(major ?? '', 10), Number.parseInt(minor ?? '', 10)];
}

/** The numbers that a version begins with: 2, 6, 0 of `2.6.0+cu124`. */
export function numbersOf(version: string): readonly number[] {
  return read(version).numbers;
}

/** Negative if the first is the older one; numbers that one of them lacks are zero. */
export function compareNumbers(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const MINOR = /^\d+\.\d+/;
const NUMBERS = /^\s*v?(\d+(?:\.\d+)*)/;

/** Nearly all versions are numbers alone, which need no more than their numbers to be compared: that is in every keystroke. */
const read = remembering((version) => {
  const [whole, numbers = ''] = NUMBERS.exec(version) ?? [];
  const isPlain = whole === version;
  return { numbers: numbers.split('.').map(Number), isPlain, isVersion: isPlain || valid(version) !== null };
});
