import { compareVersions } from './cudaDriver.ts';
import { readData } from './releaseData.ts';

/** What a release of JAX's plug-ins for CUDA needs. */
export interface JaxRelease {
  since: string;
  until: string;
  /** The oldest Python. */
  python: string;
  /** The lowest cuDNN. */
  cudnn: string;
}

let table: readonly JaxRelease[] | undefined;

/** The release of a plug-in's version, such as "0.6.1"; undefined for those that nobody has looked into. */
export function jaxReleaseOf(version: string): JaxRelease | undefined {
  table ??= readData<{ releases: JaxRelease[] }>(import.meta.dirname, 'jaxReleases').releases;
  return table.find(({ since, until }) => compareVersions(version, since) >= 0 && compareVersions(version, until) < 0);
}
