import { readData } from '../dataFiles.ts';
import { computedOnce } from './remembering.ts';

/** Returns a function that reads a data file when it is called for the first time. */
export function dataOnUse<T>(folder: string, name: string): () => T {
  return computedOnce(() => readData<T>(folder, name));
}
