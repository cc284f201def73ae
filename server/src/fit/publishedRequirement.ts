/** The relation between a published release's requirements and a version, or a range, that is declared beside it. */
import { publishedRequirements } from '../published/releases/requirements.ts';
import { overlap } from '../published/specifier.ts';
import type { Fit } from './relation.ts';

/** Returns whether a release allows any version of a range; pip refuses to install the two together if it does not. */
export function publishedFor(
  by: { readonly name: string; readonly version: string },
  on: { readonly name: string; readonly specifier: string },
): Fit<{ readonly required: string }> {
  const required = publishedRequirements(by.name, by.version, on.name);
  const last = required.at(-1);
  if (last === undefined) return { fit: 'unknown', missing: `the requirements of ${by.name} ${by.version}` };
  return { fit: required.some((each) => overlap(each, on.specifier)) ? 'holds' : 'fails', required: last };
}
