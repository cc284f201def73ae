import { torchInMetadata, torchOfRelease } from '../../fit/torchOfRelease.ts';
import { torchFamilyReleases } from '../../published/releases/torchCompanions.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { message } from '../../rules/engine/message.ts';
import type { Requirement } from '../environmentFile.ts';
import { admits } from '../versions.ts';
import { quotedName } from './requirements.ts';

/** Returns the known releases of torch that a requirement allows. Cached, since a file may name torch many times. */
const admittedTorches = memoize(({ specifier }: Requirement) =>
  torchFamilyReleases().flatMap(({ torch }) => (admits(specifier, torch) ? [torch] : [])),
);

/** Returns the message for a pinned package that is for another torch; undefined if the two are compatible. */
export function pinnedAgainst(torch: Requirement, other: Requirement): string | undefined {
  const { name, pin, manager } = other;
  if (manager !== 'pip' || torch.manager !== 'pip' || pin === undefined) return undefined;
  const found = torchOfRelease({ name, version: pin.text }, admittedTorches(torch));
  if (found.fit !== 'fails' || found.follows?.severity === 'information') return undefined;
  const needed = found.needed.replace(/^==|\.\*$/g, '');
  return found.follows === undefined
    ? message`${quotedName(other)} needs torch ${needed}, not ${quotedName(torch)}.`
    : message`${quotedName(other)} is for torch ${needed}, not ${quotedName(torch)}: ${found.follows.effect}.`;
}

/**
 * Returns the torch that a pinned package's metadata requires, with the package's place; undefined if it requires none.
 */
export function impliedTorch(other: Requirement): Requirement | undefined {
  const { name, pin, manager, url, span } = other;
  if (manager !== 'pip' || url !== undefined || pin === undefined) return undefined;
  const version = /^==([\d.]+)$/.exec(torchInMetadata({ name, version: pin.text }) ?? '')?.[1];
  if (version === undefined) return undefined;
  return { ...other, name: 'torch', specifier: `==${version}`, pin: { text: version, span }, extras: [] };
}
