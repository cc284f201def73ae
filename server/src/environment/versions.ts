import { valid, validRange } from '@renovatebot/pep440';
import { remembering } from '../published/remembering.ts';
import { satisfiesAsAny } from '../published/specifier.ts';

const admitted = remembering((specifier) => {
  // An exact version with fewer parts is padded with zeros: 2.1 is 2.1.0.
  const cleaned = specifier.replaceAll('===', '==');
  const isOne = validRange(cleaned);
  return remembering((version) => valid(version) !== null && (!isOne || satisfiesAsAny(version, cleaned)));
});

/** True if a PEP 440 specifier allows a version; an invalid specifier allows all valid versions. */
export function admits(specifier: string | undefined, version: string): boolean {
  return specifier === undefined || specifier === '' || admitted(specifier)(version);
}

const MINORS = Array.from({ length: 17 }, (_, minor) => minor + 4);
const PATCHES = Array.from({ length: 26 }, (_, patch) => patch);

/** Returns the minor versions of Python 3 of which a specifier allows at least one patch. */
export function minorsOf(specifier: string): number[] {
  return MINORS.filter((minor) => PATCHES.some((patch) => admits(specifier, `3.${minor}.${patch}`)));
}
