/** What metadata of wheels say, as rows of the tables. Pure functions of what pip has answered. */

import { compare, explain, satisfies } from '@renovatebot/pep440';
import { extraOf } from '../../server/src/published/marker.ts';
import { parseRequirement, specifierOf } from '../../server/src/published/requirement.ts';
import { minorOf } from '../../server/src/published/versions.ts';

export interface Required {
  name: string;
  /** Of PEP 440, such as ">=9.8,<10.0"; empty where any version will do. */
  specifier: string;
  extra: string | null;
}

/** Reads a requirement such as 'nvidia-cudnn-cu12 (<10.0,>=9.8) ; extra == "with-cuda"'. */
export function readRequired(requirement: string): Required {
  const parsed = parseRequirement(requirement);
  const parts = specifierOf(parsed?.clauses.text ?? '')
    .split(',')
    .filter((part) => part !== '');
  const floors = parts.filter((part) => part.startsWith('>'));
  return {
    name: parsed?.written.text.toLowerCase() ?? '',
    specifier: [...floors, ...parts.filter((part) => !floors.includes(part))].join(','),
    extra: extraOf(parsed?.marker ?? '')?.replaceAll('_', '-') ?? null,
  };
}

/** The version of a requirement to the digit; "~=3.8.0" and ">=9" are none. */
export function exactVersion({ specifier }: Required): string | undefined {
  return specifier.match(/^==(\d[\w.+]*)$/)?.[1];
}

/** Whether a version is one that is published for everybody: no candidate, no development build. */
export function isFinal(version: string): boolean {
  const read = explain(version);
  return read !== null && !read.is_prerelease && !read.is_devrelease;
}

/** The newest version of each minor release, the versions being the oldest first. */
export function newestOfMinors(versions: readonly string[]): string[] {
  return [...new Map(versions.map((version) => [minorOf(version), version])).values()];
}

/**
 * Runs of neighbouring versions of which the same holds, as specifiers that leave no gap between two runs:
 * ">=0.8.0,<0.9.0". The last one ends with the last version that is known.
 */
export function runs<T extends string>(
  values: readonly (readonly [version: string, value: T])[],
): { versions: string; value: T }[] {
  const starts = values.filter(([, value], at) => at === 0 || values[at - 1]?.[1] !== value);
  const last = values.at(-1)?.[0] ?? '';
  return starts.map(([version, value], at) => {
    const next = starts[at + 1]?.[0];
    const alone =
      next === undefined ? version === last : values.filter((each) => within(each[0], version, next)).length === 1;
    const end = next === undefined ? `<=${last}` : `<${next}`;
    return { versions: alone ? `==${version}` : `>=${version},${end}`, value };
  });
}

function within(version: string, from: string, before: string): boolean {
  return satisfies(version, `>=${from},<${before}`, { prereleases: true });
}

/** Those that are published for everybody, the oldest first. */
export function inOrder(versions: Iterable<string>): string[] {
  return [...versions].filter(isFinal).sort(compare);
}
