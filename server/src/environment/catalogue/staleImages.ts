import { readData } from '../../dataFiles.ts';

/** An image that can no longer be pulled. */
export interface RemovedImage {
  readonly repository: string;
  /** A regular expression for the whole tag; the tag is empty for an image without one. */
  readonly tag: string;
  /** The rest of the message, after the image's name. */
  readonly why: string;
  readonly instead?: string;
}

/** An image with the old key of NVIDIA's repository, which was replaced. */
export interface OldKey {
  readonly repository: string;
  /** A regular expression for the whole tag; its group is the version of the framework. */
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
