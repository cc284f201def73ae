/** Converts wheel metadata to rows of the tables. Pure functions of pip's answers. */

import { compare, explain, satisfies } from '@renovatebot/pep440';
import { extraOf, markerHolds } from '../../server/src/published/marker.ts';
import { parseRequirement, specifierOf } from '../../server/src/published/requirement.ts';
import { minorOf } from '../../server/src/published/versions.ts';

export interface RequiredPackage {
  name: string;
  /** A PEP 440 specifier, such as ">=9.8,<10.0"; empty if any version is allowed. */
  specifier: string;
  extra: string | null;
  /** True if it applies to Linux with each of the Pythons 3.9 to 3.13, without an extra. */
  isPlain: boolean;
}

/** Parses a requirement such as 'nvidia-cudnn-cu12 (<10.0,>=9.8) ; extra == "with-cuda"'. */
export function readRequired(requirement: string): RequiredPackage {
  const parsed = parseRequirement(requirement);
  const parts = specifierOf(parsed?.clauses.text ?? '')
    .split(',')
    .filter((part) => part !== '');
  const minimums = parts.filter((part) => part.startsWith('>'));
  const marker = parsed?.marker ?? '';
  return {
    isPlain: ['3.9', '3.13'].every((python) => markerHolds(marker, { system: 'linux', python, extras: [] })),
    name: parsed?.written.text.toLowerCase() ?? '',
    specifier: [...minimums, ...parts.filter((part) => !minimums.includes(part))].join(','),
    extra: extraOf(marker)?.replaceAll('_', '-') ?? null,
  };
}

/** The exact version that a requirement pins; "~=3.8.0" and ">=9" pin none. */
export function exactVersion({ specifier }: RequiredPackage): string | undefined {
  return specifier.match(/^==(\d[\w.+]*)$/)?.[1];
}

/** True for a final release, as opposed to a release candidate or a development build. */
export function isFinal(version: string): boolean {
  const read = explain(version);
  return read !== null && !read.is_prerelease && !read.is_devrelease;
}

/** Returns the newest version of each minor release. Expects the oldest version first. */
export function newestOfMinors(versions: readonly string[]): string[] {
  return [...new Map(versions.map((version) => [minorOf(version), version])).values()];
}

/**
 * Groups consecutive versions with the same value into contiguous specifiers such as ">=0.8.0,<0.9.0". The last one
 * ends with the latest known version.
 */
export function versionRanges<T extends string>(
  values: readonly (readonly [version: string, value: T])[],
): { versions: string; value: T }[] {
  const starts = values.filter(([, value], at) => at === 0 || values[at - 1]?.[1] !== value);
  const last = values.at(-1)?.[0] ?? '';
  return starts.map(([version, value], at) => {
    const next = starts[at + 1]?.[0];
    const isSingle =
      next === undefined ? version === last : values.filter((each) => within(each[0], version, next)).length === 1;
    const end = next === undefined ? `<=${last}` : `<${next}`;
    return { versions: isSingle ? `==${version}` : `>=${version},${end}`, value };
  });
}

function within(version: string, from: string, before: string): boolean {
  return satisfies(version, `>=${from},<${before}`, { prereleases: true });
}

/** Returns the final releases, oldest first. */
export function sortedFinals(versions: Iterable<string>): string[] {
  return [...versions].filter(isFinal).sort(compare);
}
