import {
  cudaOfTag,
  type TorchRelease,
  torchReleaseOf,
  torchReleases,
} from '../../../published/releases/torchReleases.ts';
import { compareVersions } from '../../../published/versions.ts';
import { message, quoted } from '../../../rules/engine/message.ts';
import type { Requirement } from '../../environmentFile.ts';
import { torchBuildOf } from '../../torchBuild.ts';
import { isPublic, type Missing } from './missing.ts';

/**
 * Reports a CUDA version that is older or newer than every build of the release, or whose builds ended before the
 * release. Builds in between may exist without being announced.
 */
export function missingBuild(requirement: Requirement): Missing | undefined {
  const { name, pin, sources } = requirement;
  const build = torchBuildOf(requirement);
  const release = name === 'torch' && pin ? torchReleaseOf(pin.text) : undefined;
  if (!build || !release || release === torchReleases().at(-1) || !/^cu\d+$/.test(build.tag)) return undefined;
  const isOnlySource = !build.isIndex || sources.some(({ kind, span }) => kind === 'index' && span === build.span);
  const tags = [...release.builds.keys()].map(cudaOfTag).sort(compareVersions);
  const cuda = cudaOfTag(build.tag);
  const isBetween = compareVersions(cuda, tags[0] ?? cuda) >= 0 && compareVersions(cuda, tags.at(-1) ?? cuda) <= 0;
  if (!isOnlySource || (isBetween && !hasEnded(build.tag, release)) || sources.some(({ url }) => !isPublic(url)))
    return undefined;
  return {
    message: message`torch ${quoted(pin?.text ?? '')} was not built for CUDA ${cuda}, only for ${tags.join(', ')}.`,
    related: build.isIndex ? [{ span: build.span, message: 'The index is chosen here.' }] : [],
  };
}

/** True if the last release with such builds is older than this one. */
function hasEnded(tag: string, release: TorchRelease): boolean {
  const releases = torchReleases();
  const last = releases.findLastIndex(({ builds }) => builds.has(tag));
  return last >= 0 && last < releases.indexOf(release);
}
