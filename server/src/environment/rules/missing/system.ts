import type { WheelSystem } from '../../../published/platforms.ts';
import { type PublishedRelease, publishedReleases } from '../../../published/releases/publishedWheels.ts';
import { message, quoted } from '../../../rules/engine/message.ts';
import type { Installation, Requirement } from '../../environmentFile.ts';
import { systemsOf } from '../../markers.ts';
import { admits } from '../../versions.ts';
import { quotedName } from '../requirements.ts';
import { isOfPypi, type Missing, statedSystems } from './missing.ts';

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
