import { dataOnUse } from '../dataOnUse.ts';
import { torchReleaseOf } from './torchReleases.ts';

/** A torch, with the companion releases that were compiled against it. */
export interface TorchFamilyRelease {
  /** "2.1.0". */
  readonly torch: string;
  readonly torchvision: readonly string[];
  /** Empty if it has none. */
  readonly torchaudio: readonly string[];
}

/** The packages that are released with torch, each release compiled against one torch. */
export const TORCH_COMPANIONS = ['torchvision', 'torchaudio'] as const;
export type TorchCompanion = (typeof TORCH_COMPANIONS)[number];

export function isTorchCompanion(name: string): name is TorchCompanion {
  return TORCH_COMPANIONS.some((each) => each === name);
}

/** The newest companion that was compiled against exactly that torch; undefined if the table has none. */
export function lastCompanion(torch: string, name: TorchCompanion): string | undefined {
  return torchFamilyReleases()
    .find((each) => each.torch === torch)
    ?.[name].at(-1);
}

/** The requirement for the companion of a torch, otherwise for any of the matching release; undefined if unknown. */
export function companionOf(torch: string, name: TorchCompanion): string | undefined {
  const exact = lastCompanion(torch, name);
  const release = torchReleaseOf(torch)?.[name];
  return exact ? `${name}==${exact}` : release && `${name}==${release}.*`;
}

const data = dataOnUse<{ releases: TorchFamilyRelease[] }>(import.meta.dirname, 'torchCompanions');

/**
 * The releases of torch from 1.4 on, the oldest first, each with the torchvision and torchaudio releases that require
 * it.
 */
export function torchFamilyReleases(): readonly TorchFamilyRelease[] {
  return data().releases;
}
