import { readData } from '../../dataFiles.ts';

interface NumpyBounds {
  readonly packages: Readonly<Record<string, readonly string[]>>;
}

let table: NumpyBounds | undefined;

/** Returns the ranges of a package's releases whose metadata excludes NumPy 2. */
export function releasesWithoutNumpy2(name: string): readonly string[] {
  table ??= readData<NumpyBounds>(import.meta.dirname, 'numpyBounds');
  return Object.hasOwn(table.packages, name) ? (table.packages[name] ?? []) : [];
}
