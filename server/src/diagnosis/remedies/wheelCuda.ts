import { type GpuPackages, gpuPackages } from '../../published/gpuPackages.ts';
import { cudaOfTag, torchReleaseOf } from '../../published/releases/torchReleases.ts';
import { satisfies } from '../../published/specifier.ts';
import { majorOf } from '../../published/versions.ts';
import type { Package } from '../../stack/facts/facts.ts';

/**
 * The major version of CUDA that a package's PyPI wheel is compiled for, such as "13": that of PyPI's torch that it
 * pins. Undefined for other wheels: a version with a local tag does not come from PyPI.
 */
export function cudaOfWheel({ name, version, builtFor }: Package): string | undefined {
  if (builtFor !== undefined || version.includes('+')) return undefined;
  const row = rowsOf(name).find((each) => satisfies(version, each.versions));
  return row && cudaOfRow(row);
}

/** The newest releases whose PyPI wheels are compiled for a major version of CUDA, as a specifier. */
export function releasesForCuda(name: string, cuda: string): string | undefined {
  return rowsOf(name).findLast((row) => cudaOfRow(row) === cuda)?.versions;
}

type Row = GpuPackages['torch'][number];

/** Rows of packages with GPU code. */
function rowsOf(name: string): Row[] {
  const { torch, gpus } = gpuPackages();
  return gpus.some((row) => row.name === name) ? torch.filter((row) => row.name === name) : [];
}

function cudaOfRow({ needs, cuda }: Row): string | undefined {
  const pypi = needs.startsWith('==') ? torchReleaseOf(needs.slice(2))?.pypi : undefined;
  return cuda ?? (pypi && majorOf(cudaOfTag(pypi)));
}
