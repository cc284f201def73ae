import { readData } from '../../dataFiles.ts';

/** An image that cannot be pulled. */
export interface RemovedImage {
  readonly repository: string;
  /** A regular expression for the whole tag, which is empty for an image without a tag. */
  readonly tag: string;
  /** The rest of the message, which follows the image's name. */
  readonly why: string;
  readonly instead?: string;
}

/** An image that contains the old key of NVIDIA's repository, which has since been replaced. */
export interface OldKey {
  readonly repository: string;
  /** A regular expression for the whole tag; its group captures the framework's version. */
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
