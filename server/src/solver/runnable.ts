import type { PublishedBuild } from '../fit/build.ts';
import { gpusWithoutCudnn } from '../fit/cudnn.ts';
import { runsWell } from '../fit/gpuCode.ts';
import { capabilitiesOf, type NvidiaTarget } from '../fit/target.ts';
import { mayRunIn } from '../fit/wheelTags.ts';
import { compareVersions } from '../published/versions.ts';
import { startsOn } from './constraints.ts';

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
  return builds.filter(
    (build) =>
      mayRunIn(build, python) &&
      startsOn(build, gpu) &&
      capabilities.every((each) => runsWell(build, each)) &&
      gpusWithoutCudnn(build, gpu).length === 0,
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
