import { readData } from '../dataFiles.ts';

/** Returns a function that reads a data file when it is called for the first time. */
export function dataOnUse<T>(folder: string, name: string): () => T {
  let data: T | undefined;
  return () => {
    data ??= readData<T>(folder, name);
    return data;
  };
}
