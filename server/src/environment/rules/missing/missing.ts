import type { WheelSystem } from '../../../published/platforms.ts';
import type { RelatedPlace, Severity } from '../../../rules/engine/contract.ts';
import type { Requirement, SpannedText } from '../../environmentFile.ts';
import { systemsOf } from '../../markers.ts';

/** The reason why a requirement cannot be installed. */
export interface Missing {
  readonly message: string;
  readonly level?: 'flag' | 'hint';
  /** A severity that differs from the rule's. */
  readonly severity?: Severity;
  /** A version that exists and can be used instead. */
  readonly version?: string;
  /** A line to insert before the requirement. */
  readonly before?: { readonly title: string; readonly text: string };
  readonly related?: readonly RelatedPlace[];
}

/** True for an index whose contents the tables describe. */
export function isPublic(url: string): boolean {
  return /(?:download(?:-r2)?\.pytorch\.org\/whl\/(?!nightly|test|lts)|pypi\.org)/.test(url);
}

/** True if a package comes only from PyPI. */
export function isOfPypi({ sources }: Requirement): boolean {
  return sources.every(({ url }) => /pypi\.org/.test(url));
}

const PLATFORMS: Readonly<Record<string, WheelSystem>> = {
  'linux-64': 'linux',
  'linux-aarch64': 'linux-arm',
  'win-64': 'windows',
  'osx-64': 'macos-intel',
  'osx-arm64': 'macos',
};

/** Returns the systems that a requirement is for, each with the place that names it; undefined if none is named. */
export function statedSystems(
  { marker, span }: Requirement,
  platforms: readonly SpannedText[] | undefined,
): { readonly systems: readonly WheelSystem[]; readonly span: SpannedText['span'] }[] | undefined {
  const own = systemsOf(marker);
  if (own !== undefined) return own.length === 0 ? undefined : [{ systems: own, span }];
  if (marker !== '' || platforms === undefined) return undefined;
  return platforms.flatMap(({ text, span: place }) => {
    const system = PLATFORMS[text];
    return system === undefined ? [] : [{ systems: [system], span: place }];
  });
}
