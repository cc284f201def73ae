/** Packages that PyPI offers only as source code. */
import { gpuPackages } from '../../published/gpuPackages.ts';
import type { Requirement } from '../environmentFile.ts';
import { admits } from '../versions.ts';

/** Returns how the required version of a package is built; undefined if it has wheels. */
export function sourcesOf({ name, pin }: Requirement): ReturnType<typeof gpuPackages>['sources'][number] | undefined {
  return gpuPackages().sources.find(
    (row) => row.name === name && (pin === undefined || admits(row.versions, pin.text)),
  );
}

/** True if pip has to build the package: the requirement has no file, no page of wheels, and no private index. */
export function isBuilt(requirement: Requirement): boolean {
  const { manager, url, specifier, sources, local, marker } = requirement;
  if (manager !== 'pip' || url !== undefined || specifier === undefined || local !== undefined || marker !== '')
    return false;
  if (sources.some(({ kind, url: page }) => kind === 'links' || !/pypi\.org|download\.pytorch\.org/.test(page)))
    return false;
  return sourcesOf(requirement) !== undefined;
}
