/** The catalogues of loaders, file readers and calls that need a GPU: YAML data in this folder, read once. */
import { readData } from '../../dataFiles.ts';
import type { Loader } from './loaderSchema.ts';
import type { DeviceCallable, GpuCalls, GpuNeed, RaisingCall, Reader } from './schema.ts';

export type { DeviceCallable, GpuNeed, RaisingCall, Reader };

/** The content of the catalogue's file. */
export function readCatalogue<T>(name: 'loaders' | 'readers' | 'gpuCalls'): T {
  return readData(import.meta.dirname, name);
}

function byName<T extends { name: string }>(entries: readonly T[]): ReadonlyMap<string, T> {
  return new Map(entries.map((entry) => [entry.name, entry]));
}

export const loaders = byName(readCatalogue<Loader[]>('loaders'));
export const readers = byName(readCatalogue<Reader[]>('readers'));

const gpuCalls = readCatalogue<GpuCalls>('gpuCalls');
export const deviceCallables = byName(gpuCalls.devices);
export const raisingCalls = byName(gpuCalls.raising);
/** Libraries whose programs use a number for `device` to mean a GPU. */
export const numberedDevices: ReadonlySet<string> = new Set(gpuCalls.numbered);
/** Calls that need a GPU, because of an argument or in any case. */
export const gpuNeeds: readonly GpuNeed[] = gpuCalls.needs;
/** APIs that work only on a GPU. */
export const gpuOnly = gpuCalls['gpu-only'];
