import { followedTorch } from '../../fit/followedTorch.ts';
import { gpuPackages } from '../../published/gpuPackages.ts';
import { torchFamilyReleases } from '../../published/releases/torchCompanions.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { message } from '../../rules/engine/message.ts';
import type { Requirement } from '../environmentFile.ts';
import { admits } from '../versions.ts';
import { quotedName } from './requirements.ts';

/** Returns the known releases of torch. */
const knownTorches = () => torchFamilyReleases().map((release) => release.torch);

/** Returns the known releases that a requirement allows. Cached, since a file may name torch many times. */
const admittedTorches = memoize((torch: Requirement) =>
  knownTorches().filter((version) => admits(torch.specifier, version)),
);

/** Returns the entry for a package in its pinned version. */
const pinnerOf = memoize(({ name, pin }: Requirement) =>
  gpuPackages().torch.find((each) => each.name === name && pin !== undefined && admits(each.versions, pin.text)),
);

const torchesOfPinner = memoize(
  ({ needs }: NonNullable<ReturnType<typeof pinnerOf>>) =>
    new Set(knownTorches().filter((version) => admits(needs, version))),
);

/** Returns the message for a pinned package that is released for another torch; undefined if the two are compatible. */
export function releasedWithAnother(torch: Requirement, other: Requirement): string | undefined {
  const { name, pin, manager } = other;
  if (manager !== 'pip' || torch.manager !== 'pip' || pin === undefined) return undefined;
  const found = followedTorch({ name, version: pin.text }, admittedTorches(torch));
  if (found.fit !== 'fails' || found.row.severity !== 'warning') return undefined;
  const { torch: own, effect } = found.row;
  return message`${quotedName(other)} is for torch ${own.replace(/^==|\.\*$/g, '')}, not ${quotedName(torch)}: ${effect}.`;
}

/**
 * Returns the torch that a pinned package's metadata requires, with the package's place; undefined if it requires none.
 */
export function impliedTorch(other: Requirement): Requirement | undefined {
  const needs = other.manager === 'pip' && other.url === undefined ? pinnerOf(other)?.needs : undefined;
  const version = /^==([\d.]+)$/.exec(needs ?? '')?.[1];
  if (version === undefined) return undefined;
  return { ...other, name: 'torch', specifier: `==${version}`, pin: { text: version, span: other.span }, extras: [] };
}

/** True if the metadata of a pinned package, such as vLLM, determines the version of an unpinned torch. */
export function pinsTorch(torch: Requirement, other: Requirement): boolean {
  if (torch.name !== 'torch' || torch.manager !== 'pip' || other.manager !== 'pip' || other.marker !== '') return false;
  return /^==/.test(pinnerOf(other)?.needs ?? '');
}

/**
 * Returns the message for a pinned package whose metadata requires another torch; undefined if the two are compatible.
 */
export function pinnedAgainst(torch: Requirement, other: Requirement): string | undefined {
  const { pin, manager } = other;
  if (manager !== 'pip' || torch.manager !== 'pip' || pin === undefined) return undefined;
  const row = pinnerOf(other);
  if (row === undefined) return undefined;
  const needed = torchesOfPinner(row);
  const admitted = admittedTorches(torch);
  // An unknown torch may be anything.
  if (needed.size === 0 || admitted.length === 0 || admitted.some((version) => needed.has(version))) return undefined;
  return message`${quotedName(other)} needs torch ${row.needs.replace(/^==/, '')}, not ${quotedName(torch)}.`;
}
