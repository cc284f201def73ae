import type { WheelSystem } from '../../../published/platforms.ts';
import { type PublishedRelease, publishedReleases } from '../../../published/releases/publishedWheels.ts';
import type { RelatedPlace, Severity } from '../../../rules/engine/contract.ts';
import { message, quoted } from '../../../rules/engine/message.ts';
import type { Installation, Requirement, SpannedText } from '../../environmentFile.ts';
import { systemsOf } from '../../markers.ts';
import { admits } from '../../versions.ts';
import { quotedName } from '../requirements.ts';

const NAMES: Readonly<Record<WheelSystem, string>> = {
  linux: 'Linux',
  'linux-arm': 'Linux on Arm',
  windows: 'Windows',
  macos: 'macOS on Apple silicon',
  'macos-intel': 'macOS on Intel',
};

/** Reports a system that has no wheels, if a condition or the file's list of platforms names it. */
export function missingSystem(requirement: Requirement, { platforms }: Installation): Missing | undefined {
  return cudaOnMac(requirement) ?? withoutWheel(requirement, platforms);
}

function withoutWheel(requirement: Requirement, platforms: Installation['platforms']): Missing | undefined {
  const { name, specifier } = requirement;
  if (specifier === undefined || !isOfPypi(requirement)) return undefined;
  const all = publishedReleases(name) ?? [];
  const releases = all.filter(({ version }) => admits(specifier, version));
  const lacking = statedSystems(requirement, platforms)?.find(({ systems }) => !hasAny(releases, systems));
  if (releases.length === 0 || lacking === undefined) return undefined;
  const [system = 'linux'] = lacking.systems;
  const what = lacking.systems.length > 1 ? NAMES[system].split(' ')[0] : NAMES[system];
  // The message includes the last release with wheels for this system.
  const last = all.findLast((release) => hasAny([release], lacking.systems))?.version;
  const others = last === undefined ? '' : `: the last release that has them is ${last}`;
  return {
    message: message`${quotedName(requirement)} has no wheels for ${what ?? ''}${others}.`,
    level: releases.some(({ hasSource }) => hasSource) ? 'hint' : 'flag',
    related: lacking.span === requirement.span ? [] : [{ span: lacking.span, message: 'The platform is named here.' }],
  };
}

function hasAny(releases: readonly PublishedRelease[], systems: readonly WheelSystem[]): boolean {
  return releases.some(({ wheels }) => systems.some((system) => wheels.has(system)));
}

/** Reports CUDA in a requirement whose condition is true only on macOS. */
function cudaOnMac({ name, marker, local }: Requirement): Missing | undefined {
  const systems = systemsOf(marker);
  if (!systems?.length || !systems.every((system) => system === 'macos' || system === 'macos-intel')) return undefined;
  if (local && /^cu\d+$/.test(local.text)) return { message: `${name} has no CUDA builds for macOS.` };
  return /^nvidia-.*-cu\d\d$/.test(name)
    ? { message: message`${quoted(`\`${name}\``)} has no wheels for macOS.` }
    : undefined;
}

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
function statedSystems(
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
