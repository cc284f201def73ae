import { dataOnUse } from '../dataOnUse.ts';
import { editionOf } from '../knownPackages.ts';
import { parseRequirement } from '../requirement.ts';
import { compareVersions } from '../versions.ts';

interface Table {
  readonly packages: Readonly<Record<string, readonly { readonly versions: string; readonly requires: string }[]>>;
}

interface Release {
  readonly version: string;
  /** Specifiers by the names of required packages. */
  readonly requires: ReadonlyMap<string, string>;
}

const table = dataOnUse<Table>(import.meta.dirname, 'requirements');
const read = new Map<string, readonly Release[]>();

/**
 * The specifiers with which the metadata of a release requires another package. A version between two known releases has
 * the specifier of one of them. Empty if it is unknown, or if one of these has no such requirement.
 */
export function publishedRequirements(name: string, version: string, required: string): readonly string[] {
  const releases = releasesOf(name);
  const at = releases.findIndex((each) => compareVersions(each.version, version) >= 0);
  const next = releases[at];
  if (next === undefined) return [];
  const isExact = compareVersions(next.version, version) === 0;
  const near = isExact ? [next] : releases.slice(Math.max(at - 1, 0), at + 1);
  const specifiers = near.flatMap(({ requires }) => requires.get(required) ?? []);
  return specifiers.length === near.length && (isExact || near.length === 2) ? specifiers : [];
}

/** True for a package whose releases are in the table. */
export const knowsRequirements = (name: string): boolean => releasesOf(name).length > 0;

/** Editions, such as tensorflow-cpu, have the same metadata. */
function releasesOf(edition: string): readonly Release[] {
  const name = editionOf(edition);
  const { packages } = table();
  const rows = Object.hasOwn(packages, name) ? (packages[name] ?? []) : [];
  const known =
    read.get(name) ??
    rows.flatMap(({ versions, requires }) => {
      const parsed = requires.split(' ').flatMap((text) => parseRequirement(text) ?? []);
      const specifiers = new Map(parsed.map((each) => [each.name, each.clauses.text] as const));
      return versions.split(' ').map((version) => ({ version, requires: specifiers }));
    });
  read.set(name, known);
  return known;
}
