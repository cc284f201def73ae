import { companionReleases } from '../../fit/companions.ts';
import { TORCH_COMPANIONS, type TorchCompanion } from '../../published/releases/torchCompanions.ts';
import { minorOf } from '../../published/versions.ts';
import { message } from '../../rules/engine/message.ts';
import type { Installation, Requirement } from '../environmentFile.ts';
import { mayMeet } from '../markers.ts';
import { admits } from '../versions.ts';
import type { EnvironmentRule } from './environmentRule.ts';
import { nameAndVersion, pinFix, quotedName, requiredHere, requirementsNamed } from './requirements.ts';
import { pinnedAgainst } from './torchPinners.ts';

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
        const text = mayMeet(torch.marker, other.marker) ? pinnedAgainst(torch, other) : undefined;
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
  const isExact = torch.manager === 'pip' && other.manager === 'pip';
  const allows =
    ({ specifier }: Requirement) =>
    (version: string) =>
      admits(specifier, version);
  const found = companionReleases(allows(torch), companion, allows(other), isExact);
  if (found.fit !== 'fails') return undefined;
  const { needed, matching } = found;
  const instead = matching === undefined ? '' : `: use ${companion} ${matching}`;
  const text = other.pin
    ? message`${quotedName(other)} needs torch ${isExact ? needed : minorOf(needed)}, not ${quotedName(torch)}${instead}.`
    : message`No release of ${quotedName(other)} works with ${quotedName(torch)}${instead}.`;
  return { message: text, other: matching, torch: needed };
}
