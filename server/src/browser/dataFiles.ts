/** Replaces `dataFiles.ts` in a browser, where the catalogues are part of the bundle. */
import { BUNDLED } from './bundledData.ts';

export function readBuilt<T>(_folder: string, name: string): T | undefined {
  const text = BUNDLED[name];
  return text === undefined ? undefined : JSON.parse(text);
}

export function readData<T>(folder: string, name: string): T {
  const data = readBuilt<T>(folder, name);
  if (data === undefined) throw new Error(`${name} is not part of the bundle for browsers.`);
  return data;
}

export function readFolder<T>(folder: string, name: string): Readonly<Record<string, T>> {
  return readData(folder, name);
}
