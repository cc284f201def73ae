import { dataOnUse } from '../dataOnUse.ts';
import { isAtLeast } from '../versions.ts';
import type { KerasReleases } from './kerasReleasesSchema.ts';

/** A feature that files, code and judges check for in a Keras release: a key under `first` in the table. */
export type KerasFeature = keyof KerasReleases['first'];

/** Features of Keras by release, what its classes reject, and which of them a release lacks. */
export const kerasReleases = dataOnUse<KerasReleases>(import.meta.dirname, 'kerasReleases');

/** The first release of Keras with a feature, such as "2.12". */
export function firstKerasWith(feature: KerasFeature): string {
  return kerasReleases().first[feature];
}

/** True if a version of Keras, such as "3.8.0" or "2.15.0", has a feature. */
export function kerasHas(feature: KerasFeature, version: string): boolean {
  return isAtLeast(version, firstKerasWith(feature));
}
