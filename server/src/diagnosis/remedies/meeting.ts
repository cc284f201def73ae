/** The smallest changes of an environment that meet a requirement and keep those that were met. */

import type { Action, Install } from '../../commands/action.ts';
import {
  distributionFor,
  rivalsOf,
  specifiersOn,
  type UnmetRequirement,
  unmetRequirements,
} from '../../fit/requirement.ts';
import { wheelsFor } from '../../fit/wheelTags.ts';
import { hasBuildsOfTorch, knownPackage } from '../../published/knownPackages.ts';
import { wheelSystemOf } from '../../published/platforms.ts';
import { type PublishedRelease, publishedReleases } from '../../published/releases/publishedWheels.ts';
import { companionOf, isTorchCompanion } from '../../published/releases/torchCompanions.ts';
import { isMetBy, joinedSpecifier } from '../../published/specifier.ts';
import { compareVersions, minorOf } from '../../published/versions.ts';
import { type Distribution, knownValue, type MetadataRequirement, type StackFacts } from '../../stack/facts/facts.ts';
import { listOf } from '../../stack/facts/gpuName.ts';
import { torchIndex } from './installTorch.ts';

/** Installs what requirements of one distribution, or on one distribution, need; empty if no version meets them all. */
export function meeting(facts: StackFacts, unmet: readonly UnmetRequirement[]): Action[] {
  const followers = unmet.filter(follows);
  if (followers.length > 0) return following(followers);
  const names = [...new Set(unmet.map(({ requirement }) => requirement.name))];
  const wanted = names.map((name) => wantedOf(facts, name));
  const impossible = names.filter((_, at) => wanted[at] === undefined);
  if (impossible.length > 0) return impossible.flatMap((name) => contradictory(name, specifiersOn(facts, name)));
  const requirements = wanted.flatMap((each) => each ?? []);
  const [first] = unmet;
  if (first === undefined) return [];
  const title = `Install the ${names.length > 1 ? 'packages' : names[0]} that ${first.by.name} ${first.by.version} requires`;
  return [{ do: 'install', title, isMinimal: true, ...besides(facts, names, requirements) }];
}

/** Names requirements that exclude each other; nothing if they do not, and only no release is known. */
function contradictory(name: string, specifiers: readonly string[]): Action[] {
  if (joinedSpecifier(specifiers) !== undefined) return [];
  const required = specifiers.map((each) => `${name}${each}`);
  return [{ do: 'advise', title: `Change a package: no ${name} meets ${listOf(required)} together` }];
}

/** True if the distribution with the requirement is the one to change: it is released for one release of the other. */
function follows({ by, found }: UnmetRequirement): boolean {
  return found !== undefined && isFramework(found) && !isFramework(by);
}

function isFramework({ name }: Distribution): boolean {
  return knownPackage(name)?.framework === true || rivalsOf(name).some((each) => knownPackage(each)?.framework);
}

/** Installs the releases of distributions for the installed framework, which stays as it is. */
function following(unmet: readonly UnmetRequirement[]): Action[] {
  const requirements = unmet.map(releaseFor);
  const [{ by, found } = {}] = unmet;
  if (requirements.some((each) => each === undefined) || by === undefined || found === undefined) return [];
  const [, tag] = found.version.split('+');
  const title = `Install the ${unmet.map((each) => each.by.name).join(' and ')} for ${found.name} ${found.version}`;
  const install: Install = {
    do: 'install',
    title,
    isMinimal: true,
    requirements: requirements.flatMap((each) => each ?? []),
    // The framework is there, and must not be replaced or joined by another distribution of it.
    options: ['--no-deps'],
  };
  return [tag !== undefined && hasBuildsOfTorch(by.name) ? { ...install, index: torchIndex(tag) } : install];
}

/** The release of a distribution for the installed framework; undefined if it is unknown. */
function releaseFor({ by, requirement, found }: UnmetRequirement): string | undefined {
  if (found === undefined) return undefined;
  const [release = ''] = found.version.split('+');
  if (isTorchCompanion(by.name)) return companionOf(release, by.name);
  // Released together, under one version number.
  const lowest = requirement.specifier.match(/(?:==|>=|~=)(\d+\.\d+)/)?.[1];
  return lowest === minorOf(by.version) ? `${by.name}==${minorOf(release)}.*` : undefined;
}

/** The version of a package that meets the requirements on it; undefined if none does. */
function wantedOf(facts: StackFacts, name: string): string | undefined {
  const specifiers = specifiersOn(facts, name);
  const installed = knownValue(facts.distributions)?.find((each) => each.name === name)?.version;
  const meets = (version: string) => specifiers.every((each) => isMetBy(each, version));
  const published = publishedHere(facts, name)?.filter(({ version }) => meets(version));
  if (published !== undefined) {
    const version = nearest(
      published.map((each) => each.version),
      installed,
    );
    return version === undefined ? undefined : `${name}==${version}`;
  }
  const exact = specifiers.flatMap((each) => each.match(/^===?([\w.+!]+)$/)?.[1] ?? [])[0];
  if (exact !== undefined) return meets(exact) ? `${name}==${exact}` : undefined;
  const floor = specifiers
    .flatMap((each) => each.match(/(?:>=|~=)\s*(\d[\w.]*)/)?.[1] ?? [])
    .sort(compareVersions)
    .at(-1);
  if (floor !== undefined && !meets(floor)) return undefined;
  if (floor !== undefined && installed !== undefined && compareVersions(installed, floor) < 0)
    return `${name}==${floor}`;
  const joined = joinedSpecifier(specifiers);
  return joined === undefined ? undefined : `${name}${joined}`;
}

/** The releases of a package with a wheel for this system and Python; undefined if no table has them. */
function publishedHere({ os, interpreter }: StackFacts, name: string): readonly PublishedRelease[] | undefined {
  const system = wheelSystemOf(knownValue(os)?.family, knownValue(os)?.architecture ?? '');
  const minor = Number(knownValue(interpreter)?.version?.match(/^3\.(\d+)/)?.[1]);
  if (system === undefined || Number.isNaN(minor)) return undefined;
  return publishedReleases(name)?.filter(({ wheels }) => {
    const range = wheels.get(system);
    return range !== undefined && wheelsFor([range], [minor], false).fit === 'holds';
  });
}

/** The version with the fewest releases between it and the installed one; without one, the newest. */
function nearest(versions: readonly string[], installed: string | undefined): string | undefined {
  if (installed === undefined) return versions.at(-1);
  return versions.findLast((each) => compareVersions(each, installed) <= 0) ?? versions[0];
}

export function hasUpperBound({ specifier }: MetadataRequirement): boolean {
  return /(?:^|,)(?:<|==|~=)/.test(specifier);
}

/** Adds what keeps other packages from moving: pins, or an option that leaves out all dependencies. */
function besides(
  facts: StackFacts,
  names: readonly string[],
  requirements: readonly string[],
): Pick<Install, 'requirements' | 'options'> {
  const distributions = knownValue(facts.distributions) ?? [];
  const own = distributions.filter((each) => names.includes(each.name));
  const needed = names.flatMap((name) => knownPackage(name)?.needs ?? []);
  const isRival = (name: string) => {
    const there = distributionFor(name, distributions);
    return there !== undefined && there.name !== name;
  };
  const parts = names.every((name) => name.startsWith('nvidia-') || knownPackage(name)?.released_with === 'torch');
  if (parts || [...own.flatMap(({ requires }) => requires.map((each) => each.name)), ...needed].some(isRival))
    return { requirements, options: ['--no-deps'] };
  const limited = new Set(
    distributions.flatMap(({ requires }) => requires.filter(hasUpperBound).map((each) => each.name)),
  );
  const changing = new Set(unmetRequirements(facts).map(({ requirement }) => requirement.name));
  const mayMove = ({ name, isNeeded }: Distribution) =>
    isNeeded &&
    limited.has(name) &&
    !changing.has(name) &&
    !names.includes(name) &&
    (own.length > 0
      ? own.some(({ requires }) => requires.some((each) => each.name === name))
      : knownPackage(name)?.foundation === true);
  const pins = distributions.filter(mayMove).map(({ name, version }) => `${name}==${version.split('+')[0]}`);
  return { requirements: [...requirements, ...pins] };
}
