import type { PublishedBuild } from '../fit/build.ts';
import { cudnn } from '../fit/cudnn.ts';
import { runsWell } from '../fit/gpuCode.ts';
import { failures } from '../fit/relation.ts';
import { fits } from '../fit/specifiers.ts';
import { capabilitiesOf, type NvidiaTarget } from '../fit/target.ts';
import { gpuPackageFiles, gpuPackages } from '../published/gpuPackages.ts';
import { compareVersions, isWithin } from '../published/versions.ts';
import { startsOn } from './constraints.ts';
import type { Needs } from './needs.ts';

/**
 * The builds that run on a machine, whatever else is installed: with wheels for its Python ("3.12"; undefined: any), a
 * sufficient driver, code for every GPU, and a cuDNN that supports them.
 */
export function runnable<B extends PublishedBuild>(
  builds: readonly B[],
  gpu: NvidiaTarget,
  python: string | undefined,
): B[] {
  const capabilities = capabilitiesOf(gpu);
  const surroundings = { target: { gpu }, beside: [] };
  return builds.filter(
    (build) =>
      (python === undefined || build.python === null || isWithin(python, build.python)) &&
      startsOn(build, gpu) &&
      capabilities.every((each) => runsWell(build, each)) &&
      failures(cudnn, build, surroundings).length === 0,
  );
}

/**
 * The same builds, ordered by the installed version, its release, the next newer releases and the next older ones, so
 * that code keeps the API that it was written for. Builds of one version keep their order.
 */
export function inUseFirst<B extends PublishedBuild>(builds: readonly B[], inUse: string | undefined): readonly B[] {
  const version = inUse?.match(/^\d+\.\d+(?:\.\d+)?/)?.[0];
  if (version === undefined) return builds;
  const release = releaseOf(version);
  const group = (own: string) =>
    own === version ? 0 : releaseOf(own) === release ? 1 : compareVersions(own, version) > 0 ? 2 : 3;
  return builds
    .map((build) => ({ build, own: versionOf(build) }))
    .sort((left, right) => {
      const [one, other] = [group(left.own), group(right.own)];
      if (one !== other) return one - other;
      const order = compareVersions(releaseOf(left.own), releaseOf(right.own));
      return one === 2 ? order : -order;
    })
    .map(({ build }) => build);
}

/** The version of a build, or the oldest of several. */
export function versionOf({ versions }: PublishedBuild): string {
  return versions.match(/\d+(?:\.\d+)+/)?.[0] ?? '0';
}

function releaseOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

/** Releases of packages with one build for all that are compatible with the chosen builds. */

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
    .map(({ versions, want }) => (want.startsWith(`${name}<`) ? want.slice(name.length) : outside(versions)));
  const [highest] = bounds
    .filter((each) => each.startsWith('<'))
    .sort((one, other) => compareVersions(bare(one), bare(other)));
  const others = bounds.filter((each) => !each.startsWith('<'));
  const specifier = [...new Set([...(highest === undefined ? [] : [highest]), ...others])].join(',');
  if (specifier === '') return undefined;
  return {
    name,
    specifier,
    reason: `${name}${specifier}, because ${highest === undefined ? 'other' : 'newer'} releases are not compatible with ${build.name} ${version}.`,
  };
}

/** The clause that excludes a range of versions: "<2" for ">=2,<3", "!=2.5.8" for "==2.5.8". */
function outside(versions: string): string {
  const [, operator = '', version = ''] = /^(>=|<=|==|>|<)([^,]+)/.exec(versions) ?? [];
  return `${OPPOSITES[operator]}${version}`;
}

const OPPOSITES: Readonly<Record<string, string>> = { '>=': '<', '>': '<=', '<': '>=', '<=': '>', '==': '!=' };

function bare(clause: string): string {
  return clause.replace(/^[<=]+/, '');
}

/** "<1.24" before "<2". */
function tighter(left: Beside, right: Beside): number {
  const bound = ({ specifier }: Beside) => specifier.match(/<=?([\d.]+)/)?.[1] ?? '99999';
  return compareVersions(bound(left), bound(right));
}
