import { explain } from '@renovatebot/pep440';
import { type PublishedRelease, publishedReleases } from '../../../published/releases/publishedWheels.ts';
import { compareVersions, minorOf } from '../../../published/versions.ts';
import type { Requirement } from '../../environmentFile.ts';
import { admits } from '../../versions.ts';
import { isOfPypi, isPublic, type Missing } from './missing.ts';

/** A version that there is none of. */
export function missingRelease(requirement: Requirement): Missing | undefined {
  const { name, pin, sources } = requirement;
  const releases = publishedReleases(name);
  const read = pin && explain(pin.text);
  if (!releases || !pin || !read || sources.some(({ url }) => !isPublic(url))) return undefined;
  const what = `${name} ${pin.text}`;
  if (/\.post\d{3}$/.test(pin.text)) {
    return {
      message: `There is no ${what} for pip: conda-forge numbers its builds like this.`,
      version: read.base_version,
    };
  }
  const isOnlyPypi = isOfPypi(requirement);
  if (read.is_devrelease && isOnlyPypi)
    return { message: `PyPI does not keep ${what}, a development build: such ones are on indexes of their own.` };
  if (read.is_prerelease || releases.some(({ version }) => admits(`==${pin.text}`, version))) return undefined;
  const [oldest] = releases;
  if (!oldest || mayBeNew(pin.text, releases)) return undefined;
  if (compareVersions(pin.text, oldest.version) < 0)
    return isOnlyPypi
      ? { message: `PyPI has no ${what}: the oldest ${name} that it still has is ${oldest.version}.` }
      : undefined;
  return besides(what, pin.text, releases);
}

/** The last two releases may have got patches since the table was made, and newer ones may have come. */
function mayBeNew(version: string, releases: readonly PublishedRelease[]): boolean {
  const minors = [...new Set(releases.map((each) => minorOf(each.version)))];
  return (
    compareVersions(version, releases.at(-1)?.version ?? version) > 0 || minors.slice(-2).includes(minorOf(version))
  );
}

/** What there is in its place: the last patch of the same release, or the neighbours. */
function besides(what: string, version: string, releases: readonly PublishedRelease[]): Missing {
  const minor = minorOf(version);
  const last = releases.findLast((each) => `${each.version}.`.startsWith(`${minor}.`))?.version;
  if (last !== undefined && last !== version)
    return { message: `PyPI has no ${what}: the last of ${minor} is ${last}.`, version: last };
  const before = releases.findLast((each) => compareVersions(each.version, version) < 0)?.version;
  const after = releases.find((each) => compareVersions(each.version, version) > 0)?.version;
  return { message: `PyPI has no ${what}: it has ${before} and then ${after}.` };
}
