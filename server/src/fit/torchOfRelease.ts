/** The relation between a release and the torch that its metadata require, or that it is released with. */
import { type GpuPackages, gpuPackages } from '../published/gpuPackages.ts';
import { remembering } from '../published/remembering.ts';
import { fits, isMetBy } from '../published/specifier.ts';
import type { Fit } from './relation.ts';

interface TorchDetails {
  /** The torch that it is for, as a specifier; it may be for others as well. */
  readonly needed: string;
  /** Set for a package that is released with torch, and whose metadata require none. */
  readonly follows?: GpuPackages['follows_torch'][number];
}

interface Release {
  readonly name: string;
  readonly version: string;
}

/** The torch that the published metadata of a release require, as a specifier; undefined if they require none. */
export function torchInMetadata({ name, version }: Release): string | undefined {
  return gpuPackages().torch.find((row) => row.name === name && isMetBy(row.versions, version))?.needs;
}

const detailsOf = remembering((release): readonly TorchDetails[] => {
  const [name = '', version = ''] = release.split(' ');
  const needed = torchInMetadata({ name, version });
  if (needed !== undefined) return [{ needed }];
  return gpuPackages()
    .follows_torch.filter((row) => row.name === name && fits(version, row.versions))
    .map((row) => ({ needed: row.torch, follows: row }));
});

/** Returns whether a release is for one of these releases of torch. */
export function torchOfRelease({ name, version }: Release, torches: readonly string[]): Fit<TorchDetails> {
  const details = detailsOf(`${name} ${version}`);
  const [first] = details;
  if (first === undefined || torches.length === 0) return { fit: 'unknown', missing: 'the torch' };
  const isFor = details.some(({ needed }) => torches.some((torch) => fits(torch, needed)));
  return { fit: isFor ? 'holds' : 'fails', ...first };
}
