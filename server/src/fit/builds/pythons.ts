import { wheelSystemOf } from '../../published/platforms.ts';
import { publishedReleases } from '../../published/releases/publishedWheels.ts';
import { fits } from '../../published/specifier.ts';
import type { PublishedBuild } from '../build.ts';
import type { PlanTarget } from '../target.ts';

/** The Python versions with wheels on PyPI for any of those releases; null if unknown. */
export function pythonsOf(name: string, versions: string, { os, architecture }: PlanTarget): PublishedBuild['python'] {
  const system = wheelSystemOf(os, architecture);
  const ranges = (publishedReleases(name) ?? [])
    .filter(({ version }) => fits(version, versions))
    .flatMap(({ wheels }) => (system && wheels.get(system)) ?? []);
  if (ranges.length === 0) return null;
  const newest = Math.max(...ranges);
  return [`3.${Math.min(...ranges)}`, newest === Infinity ? '3.99' : `3.${newest}`];
}
