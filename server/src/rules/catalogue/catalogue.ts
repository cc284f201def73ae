/** The catalogues of loaders and of calls that need a GPU: data beside this file, read once. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

export interface Loader {
  readonly name: string;
  /** For class methods: the class whose subclasses have it. */
  readonly class?: string;
  readonly 'device-parameter': string;
  /** From 0, without `self`; absent for a parameter that can only be given by keyword. */
  readonly position?: number;
  readonly rule?: string;
  readonly trap?: 'always' | 'url';
  readonly since?: string;
  readonly documentation?: string;
}

export interface DeviceCallable {
  readonly name: string;
  readonly parameter: string;
  readonly position: number;
  readonly policy?: boolean;
  readonly documentation: string;
}

export interface RaisingCall {
  readonly name: string;
  readonly value: 'none' | 'guarded';
  readonly documentation: string;
}

function read(file: string): unknown {
  return parse(readFileSync(path.join(import.meta.dirname, file), 'utf8'));
}

function byName<T extends { name: string }>(entries: readonly T[]): ReadonlyMap<string, T> {
  return new Map(entries.map((entry) => [entry.name, entry]));
}

export const loaders = byName(read('loaders.yaml') as Loader[]);

const gpuCalls = read('gpuCalls.yaml') as { devices: DeviceCallable[]; raising: RaisingCall[] };
export const deviceCallables = byName(gpuCalls.devices);
export const raisingCalls = byName(gpuCalls.raising);
