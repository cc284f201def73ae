import { readData } from '../../dataFiles.ts';
import { dataOnUse } from '../../published/dataOnUse.ts';
import { computedOnce } from '../../published/remembering.ts';

/** A package name that is misleading or retired. */
export interface DeadName {
  readonly name: string;
  readonly manager: 'pip' | 'conda';
  /** The entry applies if the requirement allows this version; if absent, it always applies. */
  readonly when?: string;
  /** The rest of the message, which follows the name. */
  readonly why: string;
  readonly instead?: string;
  /** True if the other name installs the same package. */
  readonly same?: boolean;
  /** True if the package still works. */
  readonly quiet?: boolean;
}

export interface DeadExtra extends Omit<DeadName, 'manager' | 'same' | 'quiet'> {
  /** A regular expression. */
  readonly extra: string;
}

interface DeadNames {
  readonly names: readonly DeadName[];
  readonly extras: readonly DeadExtra[];
}

export const deadNames = dataOnUse<DeadNames>(import.meta.dirname, 'deadNames');

/** An image that cannot be pulled. */
interface RemovedImage {
  readonly repository: string;
  /** A regular expression for the whole tag, which is empty for an image without a tag. */
  readonly tag: string;
  /** The rest of the message, which follows the image's name. */
  readonly why: string;
  readonly instead?: string;
}

/** An image that contains the old key of NVIDIA's repository, which has since been replaced. */
interface OldKey {
  readonly repository: string;
  /** A regular expression for the whole tag; its group captures the framework's version. */
  readonly tag: string;
  readonly versions: string;
}

interface StaleImages {
  readonly removed: readonly RemovedImage[];
  readonly old_keys: readonly OldKey[];
}

export const staleImages = dataOnUse<StaleImages>(import.meta.dirname, 'staleImages');

interface TorchBuilds {
  /** Owner and name, in lower case. */
  readonly repositories: readonly string[];
}

const known = computedOnce(() => new Set(readData<TorchBuilds>(import.meta.dirname, 'torchBuilds').repositories));

/** True for a GitHub repository whose build imports torch without declaring it. */
export function buildsWithTorch(repository: string): boolean {
  return known().has(repository.toLowerCase());
}
