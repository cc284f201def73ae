import { dataOnUse } from '../dataOnUse.ts';

type NumpyBounds = { readonly packages: Readonly<Record<string, readonly string[]>> };

const bounds = dataOnUse<NumpyBounds>(import.meta.dirname, 'numpyBounds');

/** Returns the ranges of a package's releases whose metadata excludes NumPy 2. */
export function releasesWithoutNumpy2(name: string): readonly string[] {
  const { packages } = bounds();
  return Object.hasOwn(packages, name) ? (packages[name] ?? []) : [];
}
