/** Releases, builds and extras that were never published. */
import { explain } from '@renovatebot/pep440';
import { hasBuildsOfTorch } from '../../../published/knownPackages.ts';
import { type PublishedRelease, publishedReleases } from '../../../published/releases/publishedWheels.ts';
import { tensorflowReleaseOf } from '../../../published/releases/tensorflowReleases.ts';
import {
  cudaOfTag,
  hasIndex,
  type TorchRelease,
  torchReleaseOf,
  torchReleases,
} from '../../../published/releases/torchReleases.ts';
import { compareVersions, minorOf } from '../../../published/versions.ts';
import { message, type Quotation, quoted } from '../../../rules/engine/message.ts';
import type { EnvironmentFile, Installation, Requirement } from '../../environmentFile.ts';
import { torchBuildOf } from '../../torchBuild.ts';
import { admits, minorsOf } from '../../versions.ts';
import { isOfPypi, isPublic, type Missing } from './system.ts';

/** Reports a version that was never published. */
export function missingRelease(requirement: Requirement): Missing | undefined {
  const { name, pin, sources } = requirement;
  const releases = publishedReleases(name);
  const read = pin && explain(pin.text);
  if (!releases || !pin || !read || sources.some(({ url }) => !isPublic(url))) return undefined;
  const what = quoted(`${name} ${pin.text}`);
  if (/\.post\d{3}$/.test(pin.text)) {
    return {
      message: message`pip finds no ${what}: only conda-forge numbers its builds like this.`,
      version: read.base_version,
    };
  }
  const isOnlyPypi = isOfPypi(requirement);
  if (read.is_devrelease && isOnlyPypi)
    return { message: message`PyPI has no ${what}: development builds are on separate indexes.` };
  if (read.is_prerelease || releases.some(({ version }) => admits(`==${pin.text}`, version))) return undefined;
  const [oldest] = releases;
  if (!oldest || mayBeNew(pin.text, releases)) return undefined;
  if (compareVersions(pin.text, oldest.version) < 0)
    return isOnlyPypi ? { message: message`PyPI has no ${what}: its oldest release is ${oldest.version}.` } : undefined;
  return alternativesTo(what, pin.text, releases);
}

/** The last two releases may have received new patches since the table was made, and newer releases may exist. */
function mayBeNew(version: string, releases: readonly PublishedRelease[]): boolean {
  const minors = [...new Set(releases.map((each) => minorOf(each.version)))];
  return (
    compareVersions(version, releases.at(-1)?.version ?? version) > 0 || minors.slice(-2).includes(minorOf(version))
  );
}

/** Names what exists instead: the last patch of the same release, or the neighboring releases. */
function alternativesTo(what: Quotation, version: string, releases: readonly PublishedRelease[]): Missing {
  const minor = minorOf(version);
  const last = releases.findLast((each) => `${each.version}.`.startsWith(`${minor}.`))?.version;
  if (last !== undefined && last !== version)
    return { message: message`PyPI has no ${what}: the last ${minor} release is ${last}.`, version: last };
  const before = releases.findLast((each) => compareVersions(each.version, version) < 0)?.version;
  const after = releases.find((each) => compareVersions(each.version, version) > 0)?.version;
  return { message: message`PyPI has no ${what}: its releases skip from ${before ?? ''} to ${after ?? ''}.` };
}

/** Reports an `and-cuda` of TensorFlow that pins a package of which PyPI has no such release, or no wheel. */
export function missingExtra(requirement: Requirement, { python }: Installation): Missing | undefined {
  const { name, pin, extras } = requirement;
  const release = name === 'tensorflow' && pin ? tensorflowReleaseOf(pin.text) : undefined;
  if (!pin || !release?.andCuda || !extras.some(({ text }) => text === 'and-cuda') || !isOfPypi(requirement))
    return undefined;
  const what = quoted(`tensorflow[and-cuda] ${pin.text}`);
  if (release.noAndCuda !== undefined && compareVersions(pin.text, release.noAndCuda) === 0) {
    const patches = (publishedReleases(name) ?? []).filter(({ version }) =>
      version.startsWith(`${release.tensorflow}.`),
    );
    const version = patches.at(-1)?.version ?? '';
    return {
      message: message`pip cannot install ${what}: it needs a TensorRT that PyPI lacks. Use ${version}.`,
      version,
    };
  }
  const minors = python ? minorsOf(python.specifier) : [];
  const last = Number(release.andCudaUntil.split('.')[1]);
  if (minors.length === 0 || minors.some((minor) => minor <= last)) return undefined;
  return {
    message: message`pip cannot install ${what}: it needs a TensorRT without wheels for Python 3.${last + 1} and newer.`,
    related: python ? [{ span: python.span, message: 'Python is chosen here.' }] : [],
  };
}

/**
 * Reports a build such as `+cu118` without PyTorch's index, since PyPI does not have such builds. A conda environment
 * file contains all of pip's options; for other files, the command may name the index, so the finding is informational.
 * In an image, variables may name the index.
 */
export function missingIndex(
  requirement: Requirement,
  { requirements }: Installation,
  { kind }: EnvironmentFile,
): Missing | undefined {
  if (!lacksIndex(requirement) || kind === 'dockerfile' || kind === 'devcontainer') return undefined;
  // Only the first one is reported.
  if (requirements.find(lacksIndex) !== requirement) return undefined;
  const tag = requirement.local?.text ?? '';
  const isOld = !hasIndex(tag);
  const page = `https://download.pytorch.org/whl/${isOld ? 'torch_stable.html' : tag}`;
  const option = `${isOld ? '--find-links' : '--extra-index-url'} ${page}`;
  return {
    message: message`${quoted(`\`+${tag}\``)} builds are not on PyPI: add \`${option}\`.`,
    severity: kind === 'conda' ? 'warning' : 'information',
    ...(kind === 'requirements' && { before: { title: `Add \`${option}\``, text: `${option}\n` } }),
  };
}

function lacksIndex({ name, manager, local, sources, url, pin }: Requirement): boolean {
  if (!hasBuildsOfTorch(name) || manager !== 'pip' || url !== undefined || pin === undefined) return false;
  return sources.length === 0 && /^(?:cu\d{2,3}|cpu|rocm[\d.]+|xpu)$/.test(local?.text ?? '');
}

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
