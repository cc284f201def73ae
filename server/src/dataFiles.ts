/** The program's data files: tables of releases, catalogues of calls and of messages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { parse } from 'yaml';

/**
 * Reads a data file from the folder of the calling module. In the sources it is YAML, for its comments; beside the
 * bundles it is JSON, which is faster to read, compressed more than an archive would.
 */
export function readData<T>(folder: string, name: string): T {
  const built = readBuilt<T>(folder, name);
  if (built !== undefined) return built;
  const json = path.join(folder, `${name}.json`);
  if (existsSync(json)) return JSON.parse(readFileSync(json, 'utf8'));
  return parse(readFileSync(path.join(folder, `${name}.yaml`), 'utf8'));
}

/** Returns the compressed data of that name beside the bundles; undefined if there is none, as in the sources. */
export function readBuilt<T>(folder: string, name: string): T | undefined {
  const built = path.join(folder, `${name}.json.br`);
  return existsSync(built) ? JSON.parse(brotliDecompressSync(readFileSync(built)).toString('utf8')) : undefined;
}

/** Reads a folder of data files, by name. Beside the bundles it is one file. */
export function readFolder<T>(folder: string, name: string): Readonly<Record<string, T>> {
  const built = readBuilt<Record<string, T>>(folder, name);
  if (built !== undefined) return built;
  const names = readdirSync(path.join(folder, name)).map((file) => path.basename(file, '.yaml'));
  return Object.fromEntries(names.sort().map((each) => [each, readData<T>(path.join(folder, name), each)]));
}
