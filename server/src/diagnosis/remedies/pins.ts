import { gpuPackages } from '../../published/gpuPackages.ts';
import { satisfies } from '../../published/specifier.ts';
import { knownValue, type Package, type StackFacts } from '../../stack/facts/facts.ts';
import { cudaOfWheel } from './wheelCuda.ts';

/** What an installed package requires of torch. */
export interface Pin {
  /** The one that requires, such as "vllm". */
  name: string;
  version: string;
  /** Of PEP 440, such as "==2.1.2" or ">=2.0,<2.6". */
  specifier: string;
  /** The family of CUDA that its code is compiled for, where that is known. */
  cuda?: string;
  source: string;
}

/**
 * What installed packages require of torch: as their metadata say, else as the torch that their code was compiled for,
 * else as the catalogue knows their releases. What is released with torch moves along with it and pins nothing.
 */
export function pinsOnTorch(facts: StackFacts): Pin[] {
  const os = knownValue(facts.os);
  return (knownValue(facts.packages) ?? []).flatMap((each) => {
    const cuda = os?.family === 'linux' ? cudaOfWheel(each) : undefined;
    return specifiersOf(each).map((pin) => ({ name: each.name, version: each.version, ...pin, ...(cuda && { cuda }) }));
  });
}

/** The releases of a package that were made for a torch, as a specifier; undefined where the catalogue knows of none. */
export function releasesForTorch(name: string, torch: string): string | undefined {
  const [release = ''] = torch.split('+');
  const fits = gpuPackages().torch.filter((each) => each.name === name && satisfies(release, each.needs));
  return fits.findLast(({ needs }) => needs.startsWith('=='))?.versions;
}

function specifiersOf({
  name,
  version,
  folder,
  requires = [],
  builtFor,
}: Package): Pick<Pin, 'specifier' | 'source'>[] {
  const own = requires.filter((each) => each.name === 'torch' && each.specifier !== '');
  if (builtFor?.torch) {
    const [release = ''] = builtFor.torch.split('+');
    const specifier = release.split('.').length > 2 ? `==${release}` : `==${release}.*`;
    return [{ specifier, source: builtFor.source }];
  }
  if (own.length > 0) return own.map(({ specifier }) => ({ specifier, source: folder }));
  const row = gpuPackages().torch.find((each) => each.name === name && satisfies(version, each.versions));
  return row === undefined ? [] : [{ specifier: row.needs, source: `releases of ${name}` }];
}
