/** The bounds of a requirement, independent of the published versions. */
import { overlap } from '../published/specifier.ts';
import type { Requirement } from './environmentFile.ts';

/** True if a requirement allows every newer version. */
export function isOpenAbove({ specifier, url }: Requirement): boolean {
  return specifier !== undefined && url === undefined && !specifier.includes('==') && overlap(specifier, '>=999999');
}

/** True if a range allows every newer version. */
export function reachesNewest(range: string): boolean {
  return range.split(',').every((clause) => /^>=?/.test(clause));
}
