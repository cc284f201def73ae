import {
  TORCH_COMPANIONS,
  type TorchCompanion,
  type TorchFamilyRelease,
  torchFamilyReleases,
} from '../../published/releases/torchCompanions.ts';
import { compareVersions, minorOf } from '../../published/versions.ts';
import { message } from '../../rules/engine/message.ts';
import type { Installation, Requirement } from '../environmentFile.ts';
import { mayMeet } from '../markers.ts';
import { admits } from '../versions.ts';
import type { EnvironmentRule } from './environmentRule.ts';
import { nameAndVersion, pinFix, quotedName, requiredHere, requirementsNamed } from './requirements.ts';
import { pinnedAgainst, releasedWithAnother } from './torchPinners.ts';

/**
 * GPU601: a torch requirement with a torchvision or torchaudio that is for another torch, or with a package that pins
 * another torch.
 */
export const torchFamilyMismatch: EnvironmentRule = {
  code: 'GPU601',
  name: 'torch-family-mismatch',
  summary: 'The required versions of torch, torchvision and torchaudio are not compatible.',
  reports: 'versions of torch and torchvision or torchaudio that are not compatible',
  severity: 'warning',
  check(installation, report) {
    for (const torch of torchesOf(installation)) {
      for (const other of installation.requirements) {
        const text = mayMeet(torch.marker, other.marker)
          ? (pinnedAgainst(torch, other) ?? releasedWithAnother(torch, other))
          : undefined;
        if (text !== undefined)
          report({ span: other.span, level: 'flag', message: text, related: [requiredHere(torch)] });
      }
      for (const companion of TORCH_COMPANIONS) {
        for (const other of requirementsNamed(installation, companion)) {
          if (!mayMeet(torch.marker, other.marker) || isOfNightly(torch) || isOfNightly(other)) continue;
          const mismatch = mismatchOf(torch, other, companion);
          if (mismatch === undefined) continue;
          report({
            span: other.span,
            level: 'flag',
            message: mismatch.message,
            related: [requiredHere(torch)],
            fixes: () => [...pinFix(other, mismatch.other), ...pinFix(torch, mismatch.torch)],
          });
        }
      }
    }
  },
};

/** Returns the torch requirements of pip and conda, without duplicates. */
function torchesOf(installation: Installation): Requirement[] {
  const torches = [
    ...requirementsNamed(installation, 'torch').filter(({ manager }) => manager === 'pip'),
    ...requirementsNamed(installation, 'pytorch').filter(({ manager }) => manager === 'conda'),
  ];
  const distinct = new Map<string, Requirement>();
  for (const torch of torches) {
    const key = `${torch.manager} ${nameAndVersion(torch)} ${torch.marker}`;
    if (!distinct.has(key)) distinct.set(key, torch);
  }
  return [...distinct.values()];
}

/** The version numbers of nightly builds change at different times. */
function isOfNightly({ sources }: Requirement): boolean {
  return sources.some(({ url }) => /pytorch.*\/(?:nightly|test)\b/.test(url));
}

interface Mismatch {
  readonly message: string;
  /** The versions of the companion and of torch that match. */
  readonly other: string | undefined;
  readonly torch: string | undefined;
}

function mismatchOf(torch: Requirement, other: Requirement, companion: TorchCompanion): Mismatch | undefined {
  const releases = torchFamilyReleases();
  const fitTorch = releases.filter((release) => admits(torch.specifier, release.torch));
  const fitOther = releases.filter((release) => release[companion].some((version) => admits(other.specifier, version)));
  if (fitTorch.length === 0 || fitOther.length === 0) return undefined;
  // Conda packages work with all patches of a release.
  const isExact = torch.manager === 'pip' && other.manager === 'pip';
  const key = (release: TorchFamilyRelease) => (isExact ? release.torch : minorOf(release.torch));
  const torches = new Set(fitTorch.map(key));
  if (fitOther.some((release) => torches.has(key(release)))) return undefined;
  const needs = newest(fitOther.map((release) => release.torch)) ?? '';
  const compatible = newest(fitTorch.flatMap((release) => release[companion]));
  const instead = compatible === undefined ? '' : `: use ${companion} ${compatible}`;
  const text = other.pin
    ? message`${quotedName(other)} needs torch ${isExact ? needs : minorOf(needs)}, not ${quotedName(torch)}${instead}.`
    : message`No release of ${quotedName(other)} works with ${quotedName(torch)}${instead}.`;
  return { message: text, other: compatible, torch: needs };
}

function newest(versions: readonly string[]): string | undefined {
  return [...versions].sort(compareVersions).at(-1);
}
