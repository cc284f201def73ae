/** What the names of a package's files say of the Pythons and systems that it has wheels for. */
import { satisfies } from '@renovatebot/pep440';
import { inOrder } from './metadata.ts';

/** A file of an index, and the specifier of the Pythons that it asks for; null where it asks for none. */
export type IndexFile = readonly [name: string, requires: string | null];

/** A run of neighbouring versions that have wheels for the same. */
export interface WheelRow {
  /** "2.5.0 2.5.1" */
  versions: string;
  /** Systems, each with its Pythons; see the table's own comment. */
  wheels: string;
}

/** The letters of systems, by what stands in the tag of a wheel's platform. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/linux.*x86_64/, 'l'],
  [/linux.*aarch64/, 'a'],
  [/win_amd64/, 'w'],
  [/macosx.*(?:arm64|universal2)/, 'm'],
  [/macosx.*(?:x86_64|universal2|intel)/, 'i'],
  [/^any$/, 'laiwm'],
];

/** The rows of a package, the oldest first. Versions without any file for Python 3 are none. */
export function wheelRows(files: readonly IndexFile[]): WheelRow[] {
  const ofVersion = new Map<string, { pythons: Map<string, number[]>; isSource: boolean }>();
  for (const [file, requires] of files) {
    const found = fileOf(file, requires);
    if (found === undefined) continue;
    const known = ofVersion.get(found.version) ?? { pythons: new Map(), isSource: false };
    ofVersion.set(found.version, known);
    if (found.python === undefined) known.isSource = true;
    else
      for (const system of found.systems)
        known.pythons.set(system, [...(known.pythons.get(system) ?? []), ...found.python]);
  }
  const rows: WheelRow[] = [];
  for (const version of inOrder(ofVersion.keys())) {
    const { pythons, isSource } = ofVersion.get(version) ?? { pythons: new Map<string, number[]>(), isSource: false };
    const wheels = [written(pythons), ...(isSource ? ['s'] : [])].join(' ').trim();
    const last = rows.at(-1);
    if (last?.wheels === wheels) last.versions += ` ${version}`;
    else if (wheels !== '') rows.push({ versions: version, wheels });
  }
  return rows;
}

interface File {
  version: string;
  systems: string[];
  /** Minor versions of Python 3, and Infinity for all from the ones before on; undefined for sources. */
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
    return abi === 'abi3' || tag.startsWith('py') ? fromOn(Number(minor), requires) : [Number(minor)];
  });
  const systems = platforms
    .split('.')
    .flatMap((platform) => SYSTEMS.filter(([tag]) => tag.test(platform)).flatMap(([, letters]) => letters.split('')));
  return python.length === 0 ? undefined : { version, systems, python };
}

/** More than there will be soon: what lets them all through has no upper bound. */
const MANY = 40;

/** The Pythons from one on that are let through. */
function fromOn(oldest: number, requires: string | null): number[] {
  const isLet = (minor: number) =>
    requires === null || ['0', '99'].some((patch) => satisfies(`3.${minor}.${patch}`, requires));
  const minors = Array.from({ length: MANY }, (_, minor) => minor).filter((minor) => minor >= oldest && isLet(minor));
  return minors.at(-1) === MANY - 1 ? [...minors.slice(0, 1), Infinity] : minors;
}

/** "laim9-12 w10-12": systems of the same Pythons together. */
function written(pythons: ReadonlyMap<string, number[]>): string {
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
