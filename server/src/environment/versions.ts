import { satisfies, valid, validRange } from '@renovatebot/pep440';

/** Whether a specifier of PEP 440 lets a version through; one that is not understood lets all through that are versions. */
export function admits(specifier: string | undefined, version: string): boolean {
  if (specifier === undefined || specifier === '') return true;
  const cleaned = specifier.replaceAll('===', '==');
  // An exact version of fewer parts means the same as with zeros: 2.1 is 2.1.0.
  return valid(version) !== null && (!validRange(cleaned) || satisfies(version, cleaned, { prereleases: true }));
}
