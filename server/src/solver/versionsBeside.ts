/** Which releases of packages that come in one build for all go with the builds that were chosen. */
import { gpuPackageFiles, gpuPackages } from '../published/gpuPackages.ts';
import { compareVersions } from '../published/versions.ts';
import type { Build } from './builds/build.ts';
import { fits, type Needs } from './needs.ts';

/** Releases of a package that go with a build. */
export interface Beside {
  readonly name: string;
  /** Of PEP 440. */
  readonly specifier: string;
  /** One sentence. */
  readonly reason: string;
}

/** What the builds pull in by themselves, in the newest release. */
const PULLED_IN = ['numpy', 'protobuf', 'h5py'];

/** What has to be said of versions, since nothing else would keep the others away. */
export function versionsBeside(builds: readonly Build[], { packages }: Needs): Beside[] {
  const pulled = packages.flatMap(({ name }) => gpuPackageFiles()[name]?.pulls_in ?? []);
  const names = [...PULLED_IN, ...packages.map(({ name }) => name), ...pulled];
  return [...new Set(names)].flatMap(
    (name) => builds.flatMap((build) => besideBuild(name, build) ?? []).sort(tighter)[0] ?? [],
  );
}

/** The releases of a package that go with that build; undefined where all do, or none is known that does not. */
export function besideBuild(name: string, build: Build): Beside | undefined {
  const version = build.versions.match(/\d+(?:\.\d+)+/)?.[0];
  if (version === undefined) return undefined;
  const { clashes, companions } = gpuPackages();
  const companion = companions.findLast(
    (row) => row.name === name && build.name === 'torch' && row.severity === 'warning' && fits(version, row.torch),
  );
  if (companion !== undefined)
    return {
      name,
      specifier: companion.versions,
      reason: `${name}${companion.versions} is released for ${build.name} ${version}.`,
    };
  const bounds = clashes
    .filter(
      (row) => row.name === name && row.with === build.name && row.severity === 'warning' && fits(version, row.than),
    )
    .flatMap(({ versions, want }) =>
      want.startsWith(`${name}<`) ? want.slice(name.length + 1) : (versions.match(/^>=([^,]+)/)?.[1] ?? []),
    )
    .sort(compareVersions);
  if (bounds[0] === undefined) return undefined;
  const specifier = `<${bounds[0]}`;
  return {
    name,
    specifier,
    reason: `${name}${specifier}, because newer releases do not go with ${build.name} ${version}.`,
  };
}

/** "<1.24" before "<2". */
function tighter(left: Beside, right: Beside): number {
  const bound = ({ specifier }: Beside) => specifier.match(/<([\d.]+)$/)?.[1] ?? '0';
  return compareVersions(bound(left), bound(right));
}
