/** Releases of packages with one build for all that are compatible with the chosen builds. */

import type { PublishedBuild } from '../fit/build.ts';
import { gpuPackageFiles, gpuPackages } from '../published/gpuPackages.ts';
import { fits, joinedSpecifier } from '../published/specifier.ts';
import { compareVersions } from '../published/versions.ts';
import type { Needs } from './needs.ts';

/** Releases of a package that are compatible with a build. */
export interface Beside {
  readonly name: string;
  /** A PEP 440 specifier. */
  readonly specifier: string;
  /** One sentence. */
  readonly reason: string;
}

/** Version bounds that must be stated, because nothing else excludes incompatible releases. */
export function versionsBeside(builds: readonly PublishedBuild[], { packages }: Needs): Beside[] {
  const bounded = builds.flatMap(({ name }) => gpuPackageFiles()[name]?.bounds ?? []);
  const pulled = packages.flatMap(({ name }) => gpuPackageFiles()[name]?.pulls_in ?? []);
  const names = [...bounded, ...packages.map(({ name }) => name), ...pulled];
  return [...new Set(names)].flatMap(
    (name) => builds.flatMap((build) => besideBuild(name, build) ?? []).sort(tighter)[0] ?? [],
  );
}

/**
 * The releases of a package that are compatible with that build; undefined if all are, or no incompatible one is known.
 */
export function besideBuild(name: string, build: PublishedBuild): Beside | undefined {
  const version = build.versions.match(/\d+(?:\.\d+)+/)?.[0];
  if (version === undefined) return undefined;
  const { clashes, follows_torch: followers } = gpuPackages();
  const released = followers.filter((row) => row.name === name && build.name === 'torch' && row.severity === 'warning');
  const row = released.findLast((row) => fits(version, row.torch));
  if (row !== undefined)
    return {
      name,
      specifier: row.versions,
      reason: `${name}${row.versions} is released for ${build.name} ${version}.`,
    };
  const incompatible = clashes.filter(
    (row) => row.name === name && row.with === build.name && row.severity === 'warning' && fits(version, row.than),
  );
  const bounds = [
    ...released.map(({ versions }) => outside(versions)),
    ...incompatible.flatMap(({ versions, want }) => wanted(name, want) ?? outside(versions)),
  ];
  const specifier = joinedSpecifier(bounds) ?? bounds.join(',');
  if (specifier === '') return undefined;
  return {
    name,
    specifier,
    reason: `${name}${specifier}, because ${specifier.includes('<') ? 'newer' : 'other'} releases are not compatible with ${build.name} ${version}.`,
  };
}

/** The clauses of a requirement on that package: "<2" for "numpy<2" and numpy; undefined if it is on another package. */
function wanted(name: string, requirement: string): string[] | undefined {
  return requirement.startsWith(name) && /^[<>=!~]/.test(requirement.slice(name.length))
    ? requirement.slice(name.length).split(',')
    : undefined;
}

/** The clause that excludes a range of versions: "<2" for ">=2,<3", "!=2.5.8" for "==2.5.8". */
function outside(versions: string): string {
  const [, operator = '', version = ''] = /^(>=|<=|==|>|<)([^,]+)/.exec(versions) ?? [];
  return `${OPPOSITES[operator]}${version}`;
}

const OPPOSITES: Readonly<Record<string, string>> = { '>=': '<', '>': '<=', '<': '>=', '<=': '>', '==': '!=' };

/** "<1.24" before "<2". */
function tighter(left: Beside, right: Beside): number {
  const bound = ({ specifier }: Beside) => specifier.match(/<=?([\d.]+)/)?.[1] ?? '99999';
  return compareVersions(bound(left), bound(right));
}
