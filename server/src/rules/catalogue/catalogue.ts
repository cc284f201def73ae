/** The catalogues of loaders, of readers of files and of calls that need a GPU: data beside this file, read once. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { DeviceCallable, Loader, RaisingCall, Reader } from './schema.ts';

export type { DeviceCallable, Loader, RaisingCall, Reader };

/** The sources have it as YAML, for its comments; beside the bundles it lies as JSON, since every start reads it. */
export function readCatalogue(file: 'loaders.yaml' | 'readers.yaml' | 'gpuCalls.yaml' | 'kerasReleases.yaml'): unknown {
  const built = path.join(import.meta.dirname, file.replace(/yaml$/, 'json'));
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8'));
  return parse(readFileSync(path.join(import.meta.dirname, file), 'utf8'));
}

function byName<T extends { name: string }>(entries: readonly T[]): ReadonlyMap<string, T> {
  return new Map(entries.map((entry) => [entry.name, entry]));
}

export const loaders = byName(readCatalogue('loaders.yaml') as Loader[]);
export const readers = byName(readCatalogue('readers.yaml') as Reader[]);

const gpuCalls = readCatalogue('gpuCalls.yaml') as { devices: DeviceCallable[]; raising: RaisingCall[] };
export const deviceCallables = byName(gpuCalls.devices);
export const raisingCalls = byName(gpuCalls.raising);
