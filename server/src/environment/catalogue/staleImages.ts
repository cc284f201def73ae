import { readData } from '../../dataFiles.ts';

/** An image that cannot be pulled any more. */
export interface RemovedImage {
  readonly repository: string;
  /** A regular expression for the whole tag, which is empty for an image without one. */
  readonly tag: string;
  /** Goes on after the image's name. */
  readonly why: string;
  readonly instead?: string;
}

/** An image whose key for NVIDIA's repository is the one that was replaced. */
export interface OldKey {
  readonly repository: string;
  /** A regular expression for the whole tag, whose group is the version of what is in it. */
  readonly tag: string;
  readonly versions: string;
}

interface StaleImages {
  readonly removed: readonly RemovedImage[];
  readonly old_keys: readonly OldKey[];
}

let table: StaleImages | undefined;

export function staleImages(): StaleImages {
  table ??= readData<StaleImages>(import.meta.dirname, 'staleImages');
  return table;
}
