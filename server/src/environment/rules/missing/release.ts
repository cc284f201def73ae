import { explain } from '@renovatebot/pep440';
import { type PublishedRelease, publishedReleases } from '../../../published/releases/publishedWheels.ts';
import { compareVersions, minorOf } from '../../../published/versions.ts';
import { message, type Quotation, quoted } from '../../../rules/engine/message.ts';
import type { Requirement } from '../../environmentFile.ts';
import { admits } from '../../versions.ts';
import { isOfPypi, isPublic, type Missing } from './missing.ts';

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
