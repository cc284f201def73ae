import { dataOnUse } from '../dataOnUse.ts';
import { compareVersions, isAtLeast, minorOf } from '../versions.ts';

/** A release of JAX with its CUDA plug-ins. */
export interface JaxRelease {
  /** "0.8", or the first of several releases that the row applies to: "0.4.30". */
  jax: string;
  /** The oldest and the newest Python. */
  python: [oldest: string, newest: string];
  /** The cuDNN that they require, by their CUDA family: ">=9.8,<10" for "12". */
  cudnn: Readonly<Record<string, string>>;
}

/** A feature that judges check for in a JAX release: a key under `first` in the table. */
type JaxFeature = 'ptx_for_driver' | 'cudnn_9' | 'nvjitlink_by_path';

interface JaxReleases {
  first: Readonly<Record<JaxFeature, string>>;
  capabilities: Readonly<Record<string, string>>;
  releases: readonly JaxRelease[];
}

const jax = dataOnUse<JaxReleases>(import.meta.dirname, 'jaxReleases');

/** The releases from 0.4.26 on, the newest first. */
export function jaxReleases(): readonly JaxRelease[] {
  return jax().releases;
}

/** The release of a plug-in's version, such as "0.6.1"; undefined for unknown ones. */
export function jaxReleaseOf(version: string): JaxRelease | undefined {
  const minor = minorOf(version);
  return jaxReleases().find((row) => minorOf(row.jax) === minor && compareVersions(version, row.jax) >= 0);
}

/** True if a version of JAX, such as "0.4.30", has a feature. */
export function jaxHas(feature: JaxFeature, version: string): boolean {
  return isAtLeast(version, jax().first[feature]);
}

/** The minimum compute capability for JAX's builds for a CUDA family ("12"). */
export function lowestCapabilityOfJax(family: string): string | undefined {
  return jax().capabilities[family];
}
