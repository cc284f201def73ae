/** Files of data that are a part of the program: tables of releases, catalogues of calls and of messages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { parse } from 'yaml';

/**
 * Data from the folder of the module that asks. The sources have it as YAML, for its comments; beside the bundles it lies as
 * JSON, which is read faster, and packed more closely than an archive would.
 */
export function readData<T>(folder: string, name: string): T {
  const built = readBuilt<T>(folder, name);
  if (built !== undefined) return built;
  const json = path.join(folder, `${name}.json`);
  if (existsSync(json)) return JSON.parse(readFileSync(json, 'utf8'));
  return parse(readFileSync(path.join(folder, `${name}.yaml`), 'utf8'));
}

/** What lies packed beside the bundles by a name; undefined where there is none, as in the sources. */
export function readBuilt<T>(folder: string, name: string): T | undefined {
  const built = path.join(folder, `${name}.json.br`);
  return existsSync(built) ? JSON.parse(brotliDecompressSync(readFileSync(built)).toString('utf8')) : undefined;
}

/** A folder of such files, by their names. Beside the bundles it is one file. */
export function readFolder<T>(folder: string, name: string): Readonly<Record<string, T>> {
  const built = readBuilt<Record<string, T>>(folder, name);
  if (built !== undefined) return built;
  const names = readdirSync(path.join(folder, name)).map((file) => path.basename(file, '.yaml'));
  return Object.fromEntries(names.sort().map((each) => [each, readData<T>(path.join(folder, name), each)]));
}
