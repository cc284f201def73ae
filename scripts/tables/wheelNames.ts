/** Derives the supported Pythons and systems of a package from its file names. */
import { satisfies } from '@renovatebot/pep440';
import { sortedFinals } from './metadata.ts';

/** A file in an index and its `requires-python` specifier; null if it has none. */
export type IndexFile = readonly [name: string, requires: string | null];

/** Consecutive versions with wheels for the same Pythons and systems. */
export interface WheelRow {
  /** "2.5.0 2.5.1" */
  versions: string;
  /** Systems, each with its Pythons; the table's own comment explains the notation. */
  wheels: string;
}

/** The letters of systems, by the platform tag of a wheel. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/linux.*x86_64/, 'l'],
  [/linux.*aarch64/, 'a'],
  [/win_amd64/, 'w'],
  [/macosx.*(?:arm64|universal2)/, 'm'],
  [/macosx.*(?:x86_64|universal2|intel)/, 'i'],
  [/^any$/, 'laiwm'],
];

/** Returns the rows of a package, oldest first. Versions without any file for Python 3 are omitted. */
export function wheelRows(files: readonly IndexFile[]): WheelRow[] {
  const byVersion = new Map<string, { pythons: Map<string, number[]>; isSource: boolean }>();
  for (const [file, requires] of files) {
    const found = fileOf(file, requires);
    if (found === undefined) continue;
    const known = byVersion.get(found.version) ?? { pythons: new Map(), isSource: false };
    byVersion.set(found.version, known);
    if (found.python === undefined) known.isSource = true;
    else
      for (const system of found.systems)
        known.pythons.set(system, [...(known.pythons.get(system) ?? []), ...found.python]);
  }
  const rows: WheelRow[] = [];
  for (const version of sortedFinals(byVersion.keys())) {
    const { pythons, isSource } = byVersion.get(version) ?? { pythons: new Map<string, number[]>(), isSource: false };
    const wheels = [formatWheels(pythons), ...(isSource ? ['s'] : [])].join(' ').trim();
    const last = rows.at(-1);
    if (last?.wheels === wheels) last.versions += ` ${version}`;
    else if (wheels !== '') rows.push({ versions: version, wheels });
  }
  return rows;
}

interface File {
  version: string;
  systems: string[];
  /** Minor versions of Python 3; Infinity if there is no upper bound; undefined for source archives. */
  python: number[] | undefined;
}

function fileOf(file: string, requires: string | null): File | undefined {
  const source = /-(\d[^-]*)\.(?:tar\.gz|zip|tar\.bz2)$/.exec(file)?.[1];
  if (source !== undefined) return { version: source, systems: [], python: undefined };
  const [, version, pythons = '', abi = '', platforms = ''] =
    /^[^-]+-([^-]+)-(?:\d[^-]*-)?([^-]+)-([^-]+)-([^-]+)\.whl$/.exec(file) ?? [];
  if (version === undefined) return undefined;
  const python = pythons.split('.').flatMap((tag) => {
    const [, minor] = /^(?:cp|py)3(\d*)$/.exec(tag) ?? [];
    if (minor === undefined) return [];
    return abi === 'abi3' || tag.startsWith('py') ? minorsFrom(Number(minor), requires) : [Number(minor)];
  });
  const systems = platforms
    .split('.')
    .flatMap((platform) => SYSTEMS.filter(([tag]) => tag.test(platform)).flatMap(([, letters]) => letters.split('')));
  return python.length === 0 ? undefined : { version, systems, python };
}

/** Higher than any minor version for years: a specifier that allows all of them has no upper bound. */
const MAX_MINOR = 40;

/** The allowed Pythons from a minimum on. */
function minorsFrom(oldest: number, requires: string | null): number[] {
  const isAllowed = (minor: number) =>
    requires === null || ['0', '99'].some((patch) => satisfies(`3.${minor}.${patch}`, requires));
  const minors = Array.from({ length: MAX_MINOR }, (_, minor) => minor).filter(
    (minor) => minor >= oldest && isAllowed(minor),
  );
  return minors.at(-1) === MAX_MINOR - 1 ? [...minors.slice(0, 1), Infinity] : minors;
}

/** Formats systems, grouped by the same Pythons: "laim9-12 w10-12". */
function formatWheels(pythons: ReadonlyMap<string, number[]>): string {
  const systemsOf = new Map<string, string>();
  for (const system of 'laiwm') {
    const minors = pythons.get(system) ?? [];
    if (minors.length === 0) continue;
    const [first, last] = [Math.min(...minors), Math.max(...minors)];
    const range = `${first}-${last === Infinity ? '' : last}`;
    systemsOf.set(range, (systemsOf.get(range) ?? '') + system);
  }
  return [...systemsOf].map(([range, systems]) => systems + range).join(' ');
}
