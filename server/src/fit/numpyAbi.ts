/** The relation between compiled code and NumPy, whose binary interface changed with NumPy 2. */
import { gpuPackages } from '../published/gpuPackages.ts';
import { releasesWithoutNumpy2 } from '../published/releases/numpyBounds.ts';
import { publishedRequirements } from '../published/releases/requirements.ts';
import { liesWithin, onlyVersion, overlap } from '../published/specifier.ts';
import { nameInRows } from '../stack/builds/installedPackages.ts';
import type { Fit } from './relation.ts';
import { type Clash, clashFor, type Releases } from './versionClash.ts';

/** The major version of NumPy that it was compiled for, or that its metadata require. */
interface NumpyDetails {
  readonly madeFor: '1' | '2';
}

/** True for a row about packages that were compiled for NumPy 1. */
export function isOfNumpy1({ name, versions }: Clash): boolean {
  return name === 'numpy' && versions === '>=2';
}

/** Returns whether releases of a package run with releases of NumPy; what was compiled for NumPy 2 runs with both. */
export function numpyAbi(build: Releases & { readonly name: string }, numpy: Releases): Fit<NumpyDetails> {
  const version = 'version' in build ? build.version.split('+')[0] : onlyVersion(build.specifier);
  const needed = version === undefined ? [] : publishedRequirements(build.name, version, 'numpy');
  const allowed = 'version' in numpy ? `==${numpy.version}` : numpy.specifier;
  if (needed.length > 0 && needed.every((each) => !overlap(each, '<2')) && liesWithin(allowed, '<2'))
    return { fit: 'fails', madeFor: '2' };
  const row = gpuPackages().clashes.find((each) => isOfNumpy1(each) && each.with === nameInRows(build.name));
  if (row === undefined) return { fit: 'unknown', missing: 'the NumPy that it was compiled for' };
  const found = clashFor(row, numpy, build);
  return found.fit === 'unknown' ? found : { ...found, madeFor: found.fit === 'fails' ? '1' : '2' };
}

/** True if the metadata of all these releases of a package exclude NumPy 2. */
export function excludesNumpy2(name: string, specifier: string | undefined): boolean {
  return releasesWithoutNumpy2(name).some((range) => liesWithin(specifier, range));
}
