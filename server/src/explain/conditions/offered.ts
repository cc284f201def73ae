import { compare, valid } from '@renovatebot/pep440';
import { lastTorchWith, torchReleases } from '../../published/releases/torchReleases.ts';
import { type Condition, shown } from './condition.ts';
import { systemConditions } from './system.ts';

/** pip's message about a release that it cannot find: the requested release, and those available for this Python. */
const OFFER = /requirement\s+(\S{1,60}?)==(\d[\w.]{0,20})(?:\+(\w+))?\s+\(from\s+versions:\s+(\d[^)]{0,4000})\)/;

/** True for the last version of torch that has wheels for a certain Python. */
function isLastOfPython(version: string): boolean {
  const releases = torchReleases();
  return releases.some(
    ({ versions, python }, index) =>
      versions.at(-1) === version && python[0] !== (releases[index + 1]?.python ?? python)[0],
  );
}

/** True for the last release of torch for Intel Macs. */
function isLastOfIntelMacs(version: string): boolean {
  const last = torchReleases().find(({ torch }) => torch === lastTorchWith('intel_macs'));
  return version === last?.versions.at(-1);
}

/** torch 0.1.2 on PyPI does not contain torch and installs nothing. */
const EMPTY = /^0\.1\.2\b/;

/**
 * `nearest` is the offered release nearest to the requested one: a later edition of the same release, or else the
 * release before it. For an index that does not exist, `publishedTag` is the tag of the index before it.
 */
export function offerParts(text: string): Readonly<Record<string, string>> {
  const { before } = unpublishedIn(text) ?? {};
  const { wanted, offered } = offerIn(text) ?? {};
  if (wanted === undefined || offered === undefined) return before === undefined ? {} : { publishedTag: before };
  const nearest =
    offered.findLast((each) => each.startsWith(`${wanted}.post`)) ??
    offered.findLast((each) => compare(each, wanted) < 0);
  return nearest === undefined ? {} : { nearest };
}

/** The offered releases, oldest first. */
function offerIn(
  text: string,
): { name: string; wanted: string; tag: string | undefined; offered: readonly string[] } | undefined {
  const [, name, wanted, tag, list = ''] = OFFER.exec(text) ?? [];
  if (name === undefined || wanted === undefined || !valid(wanted)) return undefined;
  const offered = list
    .split(/,\s*/)
    .filter((each) => valid(each) && !EMPTY.test(each))
    .sort(compare);
  return { name, wanted, tag, offered };
}

/** A requested PyTorch index that never existed, with the index before it, such as cu130 for cu131. */
function unpublishedIn(text: string): { missing: string; before: string | undefined } | undefined {
  const asked = [...text.matchAll(/download\.pytorch\.org\/whl\/(cu1\d\d)\b/g)].map(([, tag = '']) => tag);
  const published = [...new Set(torchReleases().flatMap(({ builds }) => [...builds.keys()]))].sort(
    (one, other) => numberOf(one) - numberOf(other),
  );
  const newest = numberOf(published.at(-1) ?? '');
  // The tables do not contain newer indexes yet.
  const missing = asked.find((tag) => !published.includes(tag) && numberOf(tag) < newest);
  if (missing === undefined) return undefined;
  return { missing, before: published.findLast((tag) => numberOf(tag) < numberOf(missing)) };
}

const numberOf = (tag: string): number => Number(tag.slice(2));

type Offer = {
  readonly name: string;
  readonly wanted: string;
  readonly tag: string | undefined;
  readonly oldest: string;
  readonly newest: string;
};

function onOffer(
  isSo: (offer: Offer, offered: readonly string[]) => boolean,
  says: (offer: Offer) => string,
): Condition {
  return ({ text }) => {
    const found = offerIn(text);
    const [oldest] = found?.offered ?? [];
    const newest = found?.offered.at(-1);
    if (found === undefined || oldest === undefined || newest === undefined) return undefined;
    const offer = { name: found.name, wanted: found.wanted, tag: found.tag, oldest, newest };
    return shown(isSo(offer, found.offered), says(offer));
  };
}

/** False if the message lists nothing. */
function onListed(...how: Parameters<typeof onOffer>): Condition {
  const condition = onOffer(...how);
  return (situation) => condition(situation) ?? shown(false);
}

/** Conditions on the releases that an index offers. */
export const offeredConditions = {
  /** Indexes keep old releases, so the releases before the listed ones are for an older Python. */
  'older-than-offered': onOffer(
    ({ wanted, oldest }) => compare(wanted, oldest) < 0,
    ({ wanted, oldest }) =>
      `according to the message, the oldest release for this Python is ${oldest}, and ${wanted} is requested`,
  ),
  'newer-than-offered': onOffer(
    ({ wanted, newest }) => compare(wanted, newest) > 0,
    ({ wanted, newest }) =>
      `according to the message, the newest release here is ${newest}, and ${wanted} is requested`,
  ),
  'left-out-of-offer': onListed(
    ({ wanted, oldest, newest }, offered) =>
      compare(oldest, wanted) < 0 &&
      compare(wanted, newest) < 0 &&
      !offered.some((each) => compare(each, wanted) === 0),
    ({ wanted, oldest, newest }) =>
      `according to the message, there are releases from ${oldest} to ${newest}, and no ${wanted}`,
  ),
  /** A list without any tags belongs to another index. */
  'tag-left-out-of-offer': onListed(
    ({ wanted, tag }, offered) =>
      tag !== undefined &&
      offered.some((each) => each.includes('+cu')) &&
      offered.some((each) => each.split('+')[0] === wanted) &&
      !offered.includes(`${wanted}+${tag}`),
    ({ wanted, tag }) => `according to the message, ${wanted} exists, but has no +${tag ?? ''} build`,
  ),
  /** If an index does not exist, pip silently uses PyPI. */
  'index-not-published': ({ text }) => {
    const { missing } = unpublishedIn(text) ?? {};
    return shown(missing !== undefined, `no torch was published for ${missing}`);
  },
  'offer-ends-with-older-python': onOffer(
    ({ name, wanted, newest }) => name === 'torch' && isLastOfPython(newest) && compare(wanted, newest) > 0,
    ({ newest }) => `according to the message, the newest release here is ${newest}`,
  ),
  'offer-ends-with-intel-macs': onListed(
    ({ name, wanted, newest }) => name === 'torch' && isLastOfIntelMacs(newest) && compare(wanted, newest) > 0,
    ({ newest }) => `according to the message, the newest release here is ${newest}`,
  ),
  /** PyPI has Triton only for Linux. */
  'triton-in-windows': (situation) =>
    situation.parts.package === 'triton' ? systemConditions['on-windows'](situation) : shown(false, ''),
} satisfies Record<string, Condition>;
