import { satisfies as isWithin, valid } from '@renovatebot/pep440';
import { remembering } from './remembering.ts';

/** A number that the library cannot hold, and that no release has: it would read what it had written as a power of ten, and fail. */
const TOO_LONG = /\d{16}/;

/** Whether versions are within a specifier, by specifier: each answer of the library takes two parsings. */
const within = (options?: { readonly prereleases: boolean }) =>
  remembering((specifier) => {
    const isOne = !TOO_LONG.test(specifier);
    return remembering(
      (version) => isOne && !TOO_LONG.test(version) && valid(version) !== null && isWithin(version, specifier, options),
    );
  });

const plain = within();
const asAny = within({ prereleases: true });

/** Whether a version is within a specifier of PEP 440; what is none, or has a number that is too long to be one, is within none. */
export function satisfies(version: string, specifier: string): boolean {
  return plain(specifier)(version);
}

/** The same, with pre-releases for versions like others. */
export function satisfiesAsAny(version: string, specifier: string): boolean {
  return asAny(specifier)(version);
}
