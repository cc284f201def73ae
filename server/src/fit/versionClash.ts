/** The relation between releases that fail together although the metadata of both allow it. */
import type { GpuPackages } from '../published/gpuPackages.ts';
import { liesWithin, overlap, satisfies } from '../published/specifier.ts';
import type { Fit } from './relation.ts';

/** A row about two packages. */
export type Clash = GpuPackages['clashes'][number];

/** A release, or the releases that a requirement allows. */
export type Releases = { readonly version: string } | { readonly specifier: string };

/** Returns whether releases of the package of a row work with those of the other one. */
export function clashFor(row: Clash, own: Releases, other: Releases): Fit {
  const sides = [
    [own, row.versions],
    [other, row.than],
  ] as const;
  if (sides.every(([side, range]) => areWithin(side, range))) return { fit: 'fails' };
  const isOne = sides.every(([side, range]) =>
    'version' in side ? areWithin(side, range) : overlap(side.specifier, range),
  );
  return isOne ? { fit: 'unknown', missing: 'the release' } : { fit: 'holds' };
}

/** True if all of these releases lie in a range. */
function areWithin(side: Releases, range: string): boolean {
  return 'version' in side ? satisfies(side.version, range) : liesWithin(side.specifier, range);
}
