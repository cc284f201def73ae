/** Files of data that are a part of the program: tables of releases, catalogues of calls and of messages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/**
 * Data from the folder of the module that asks. The sources have it as YAML, for its comments; beside the bundles it lies as
 * JSON, which is read faster.
 */
export function readData<T>(folder: string, name: string): T {
  const built = path.join(folder, `${name}.json`);
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8'));
  return parse(readFileSync(path.join(folder, `${name}.yaml`), 'utf8'));
}

/** A folder of such files, by their names. Beside the bundles it is one file. */
export function readFolder<T>(folder: string, name: string): Readonly<Record<string, T>> {
  const built = path.join(folder, `${name}.json`);
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8'));
  const names = readdirSync(path.join(folder, name)).map((file) => path.basename(file, '.yaml'));
  return Object.fromEntries(names.sort().map((each) => [each, readData<T>(path.join(folder, name), each)]));
}
