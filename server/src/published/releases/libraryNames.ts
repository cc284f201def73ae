import { dataOnUse } from '../dataOnUse.ts';

type Library = 'diffusers' | 'nemo' | 'onnxruntime';

const table = dataOnUse<Readonly<Record<Library, string>>>(import.meta.dirname, 'libraryNames');
const sets = new Map<Library, ReadonlySet<string>>();

/** True for a name of a library's own that descriptions of models may use. */
export function isNameIn(library: Library, name: string): boolean {
  const names = sets.get(library) ?? new Set(table()[library].split(' '));
  sets.set(library, names);
  return names.has(name);
}
