import { valid, validRange } from '@renovatebot/pep440';
import { satisfies } from '../stack/releases/specifier.ts';

/** Tables of releases are held against the same few specifiers again and again, and each answer takes two parsings. */
const answers = new Map<string, boolean>();
const MOST_ANSWERS = 100_000;

/** Whether a specifier of PEP 440 lets a version through; one that is not understood lets all through that are versions. */
export function admits(specifier: string | undefined, version: string): boolean {
  if (specifier === undefined || specifier === '') return true;
  const question = `${version} ${specifier}`;
  const known = answers.get(question);
  if (known !== undefined) return known;
  if (answers.size >= MOST_ANSWERS) answers.clear();
  const answer = letsThrough(specifier, version);
  answers.set(question, answer);
  return answer;
}

function letsThrough(specifier: string, version: string): boolean {
  const cleaned = specifier.replaceAll('===', '==');
  // An exact version of fewer parts means the same as with zeros: 2.1 is 2.1.0.
  return valid(version) !== null && (!validRange(cleaned) || satisfies(version, cleaned, { prereleases: true }));
}
