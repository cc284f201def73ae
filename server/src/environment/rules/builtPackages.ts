/** Packages that PyPI has as sources alone. */
import { gpuPackages } from '../../published/gpuPackages.ts';
import type { Requirement } from '../environmentFile.ts';
import { admits } from '../versions.ts';

/** How the sources of a package are built, in the version that is requested; undefined for one that has wheels. */
export function sourcesOf({ name, pin }: Requirement): ReturnType<typeof gpuPackages>['sources'][number] | undefined {
  return gpuPackages().sources.find(
    (row) => row.name === name && (pin === undefined || admits(row.versions, pin.text)),
  );
}

/** True where pip has to build it: no file, no page that lists wheels, and no index of somebody's own. */
export function isBuilt(requirement: Requirement): boolean {
  const { manager, url, specifier, sources, local, marker } = requirement;
  if (manager !== 'pip' || url !== undefined || specifier === undefined || local !== undefined || marker !== '')
    return false;
  if (sources.some(({ kind, url: page }) => kind === 'links' || !/pypi\.org|download\.pytorch\.org/.test(page)))
    return false;
  return sourcesOf(requirement) !== undefined;
}
