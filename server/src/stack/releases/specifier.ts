import { satisfies as isWithin, valid } from '@renovatebot/pep440';

/** A number that the library cannot hold, and that no release has: it would read what it had written as a power of ten, and fail. */
const TOO_LONG = /\d{16}/;

/** Whether a version is within a specifier of PEP 440; what is none, or has a number that is too long to be one, is within none. */
export function satisfies(version: string, specifier: string, options?: { readonly prereleases: boolean }): boolean {
  const isOne = !TOO_LONG.test(version) && valid(version) !== null;
  return isOne && !TOO_LONG.test(specifier) && isWithin(version, specifier, options);
}
