/** The relation between a release of a package that is released with torch, and releases of torch. */
import { type GpuPackages, gpuPackages } from '../published/gpuPackages.ts';
import { fits } from '../published/specifier.ts';
import type { Fit } from './relation.ts';

interface Followed {
  /** The release, with the torch that it is for. */
  readonly row: GpuPackages['follows_torch'][number];
}

/** Returns whether a release of a package is for one of these releases of torch; it may be for several. */
export function followedTorch(
  { name, version }: { readonly name: string; readonly version: string },
  torches: readonly string[],
): Fit<Followed> {
  const rows = gpuPackages().follows_torch.filter((row) => row.name === name && fits(version, row.versions));
  const [row] = rows;
  if (row === undefined || torches.length === 0) return { fit: 'unknown', missing: 'the release' };
  const isFor = rows.some((each) => torches.some((torch) => fits(torch, each.torch)));
  return { fit: isFor ? 'holds' : 'fails', row };
}
