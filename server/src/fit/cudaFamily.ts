/** The relation between the CUDA versions of libraries that one process loads; by their major versions, of a compiler and what it compiles. */
import { compareVersions, majorOf, minorOf } from '../published/versions.ts';
import type { Fit } from './relation.ts';

/** Returns whether two CUDA versions, "12.1" or "12", share their libraries: their major versions do or, before 11, their minors. */
export function cudaBeside(one: string | null | undefined, other: string | null | undefined): Fit {
  if (!one || !other) return { fit: 'unknown', missing: 'the CUDA version' };
  const isOld = [one, other].every((each) => each.includes('.') && compareVersions(each, '11') < 0);
  const cut = isOld ? minorOf : majorOf;
  return { fit: cut(one) === cut(other) ? 'holds' : 'fails' };
}
