import { readData } from '../../dataFiles.ts';

/** A torch, with the companion releases that were compiled against it. */
export interface TorchFamilyRelease {
  /** "2.1.0". */
  readonly torch: string;
  readonly torchvision: readonly string[];
  /** Empty if it has none. */
  readonly torchaudio: readonly string[];
}

let table: readonly TorchFamilyRelease[] | undefined;

/**
 * The releases of torch from 1.4 on, the oldest first, each with the torchvision and torchaudio releases that require
 * it.
 */
export function torchFamilyReleases(): readonly TorchFamilyRelease[] {
  table ??= readData<{ releases: TorchFamilyRelease[] }>(import.meta.dirname, 'torchCompanions').releases;
  return table;
}
