import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/**
 * A table of releases or packages. The sources have it as YAML, for its comments; beside the bundles it lies as JSON.
 * The folder is that of the module that asks.
 */
export function readData<T>(folder: string, name: string): T {
  const built = path.join(folder, `${name}.json`);
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8'));
  return parse(readFileSync(path.join(folder, `${name}.yaml`), 'utf8'));
}

/** A folder of such tables, by their names. Beside the bundles it is one file. */
export function readFolder<T>(folder: string, name: string): Readonly<Record<string, T>> {
  const built = path.join(folder, `${name}.json`);
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8'));
  const names = readdirSync(path.join(folder, name)).map((file) => path.basename(file, '.yaml'));
  return Object.fromEntries(names.sort().map((each) => [each, readData<T>(path.join(folder, name), each)]));
}

const dates = new Map<string, string>();

/** The month in which a table of releases was last held against its sources, such as "2026-11". */
export function asOf(name: string): string {
  const known = dates.get(name) ?? readData<{ as_of: string }>(import.meta.dirname, name).as_of;
  dates.set(name, known);
  return known;
}

/** "sm_80" and "compute_90" for the words of "80 +90". */
export function architecturesOf(code: string): string[] {
  return String(code)
    .split(' ')
    .map((each) => (each.startsWith('+') ? `compute_${each.slice(1)}` : `sm_${each}`));
}
