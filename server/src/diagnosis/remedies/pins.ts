import { torchesFor } from '../../fit/torchAbi.ts';
import { torchInMetadata } from '../../fit/torchOfRelease.ts';
import { type GpuPackages, gpuPackages } from '../../published/gpuPackages.ts';
import { cudaOfTag, torchReleaseOf } from '../../published/releases/torchReleases.ts';
import { satisfies } from '../../published/specifier.ts';
import { majorOf } from '../../published/versions.ts';
import { requirementsOf } from '../../stack/builds/installedPackages.ts';
import { knownValue, type Package, type StackFacts } from '../../stack/facts/facts.ts';

/** The torch that an installed package requires. */
export interface Pin {
  /** The requiring package, such as "vllm". */
  name: string;
  version: string;
  /** A PEP 440 specifier, such as "==2.1.2" or ">=2.0,<2.6". */
  specifier: string;
  /** The major version of CUDA that its code is compiled for, if known. */
  cuda?: string;
  source: string;
}

/**
 * Returns the torch requirements of installed packages: from their metadata, otherwise from the torch that their code
 * was compiled for, otherwise from the catalogue. Packages that are released with torch are updated with it and pin
 * nothing.
 */
export function pinsOnTorch(facts: StackFacts): Pin[] {
  const os = knownValue(facts.os);
  return (knownValue(facts.packages) ?? []).flatMap((each) => {
    const cuda = os?.family === 'linux' ? cudaOfWheel(each) : undefined;
    return specifiersOf(each, facts).map((pin) => ({
      name: each.name,
      version: each.version,
      ...pin,
      ...(cuda && { cuda }),
    }));
  });
}

/** The releases of a package for a torch, as a specifier; undefined if the catalogue has none. */
export function releasesForTorch(name: string, torch: string): string | undefined {
  const [release = ''] = torch.split('+');
  const fits = gpuPackages().torch.filter((each) => each.name === name && satisfies(release, each.needs));
  return fits.findLast(({ needs }) => needs.startsWith('=='))?.versions;
}

function specifiersOf(
  { name, version, folder, builtFor }: Package,
  facts: StackFacts,
): Pick<Pin, 'specifier' | 'source'>[] {
  const own = requirementsOf(facts, name).filter((each) => each.name === 'torch' && each.specifier !== '');
  if (builtFor?.torch) {
    return [{ specifier: torchesFor(builtFor.torch), source: builtFor.source }];
  }
  if (own.length > 0) return own.map(({ specifier }) => ({ specifier, source: folder }));
  const published = torchInMetadata({ name, version });
  return published === undefined ? [] : [{ specifier: published, source: `releases of ${name}` }];
}

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
