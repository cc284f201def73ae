import { dataOnUse } from '../dataOnUse.ts';
import type { WheelSystem } from '../platforms.ts';
import { minorOf } from '../versions.ts';

/** The minor versions of Python 3; the last one is Infinity if it includes all from the first one on. */
export type Pythons = readonly [oldest: number, newest: number];

/** A release's files on PyPI. */
export interface PublishedRelease {
  readonly version: string;
  readonly wheels: ReadonlyMap<WheelSystem, Pythons>;
  /** True if it has a source distribution. */
  readonly hasSource: boolean;
}

interface Table {
  readonly packages: Readonly<Record<string, readonly { versions: string; wheels: string }[]>>;
}

const table = dataOnUse<Table>(import.meta.dirname, 'publishedWheels');
const read = new Map<string, readonly PublishedRelease[]>();

/** A package's releases on PyPI, the oldest first; undefined for a package that is not in the table. */
export function publishedReleases(name: string): readonly PublishedRelease[] | undefined {
  const { packages } = table();
  const rows = Object.hasOwn(packages, name) ? packages[name] : undefined;
  if (rows === undefined) return undefined;
  const known = read.get(name) ?? rows.flatMap(releasesOfRow);
  read.set(name, known);
  return known;
}

/**
 * A requirement for a version, or for its release if PyPI no longer has exactly that version:
 * "onnxruntime-gpu==1.20.*".
 */
export function pinTo(name: string, version: string): string {
  const releases = publishedReleases(name);
  const isThere = releases === undefined || releases.some((each) => each.version === version);
  return isThere ? `${name}==${version}` : `${name}==${minorOf(version)}.*`;
}

/** The letters of the table. */
const SYSTEMS: Readonly<Record<string, WheelSystem>> = {
  l: 'linux',
  a: 'linux-arm',
  w: 'windows',
  m: 'macos',
  i: 'macos-intel',
};

function releasesOfRow({ versions, wheels }: { versions: string; wheels: string }): PublishedRelease[] {
  const systems = new Map<WheelSystem, Pythons>();
  for (const [, letters = '', oldest, newest] of wheels.matchAll(/([laiwm]+)(\d+)-(\d*)/g))
    for (const letter of letters) {
      const system = SYSTEMS[letter];
      if (system !== undefined) systems.set(system, [Number(oldest), newest === '' ? Infinity : Number(newest)]);
    }
  const hasSource = /\bs$/.test(wheels);
  return versions.split(' ').map((version) => ({ version, wheels: systems, hasSource }));
}
