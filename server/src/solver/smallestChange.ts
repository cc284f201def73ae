/** The smallest changes of a project's pins that allow a choice, if the present pins allow none. */

import type { PublishedBuild } from '../fit/build.ts';
import type { TorchWheel } from '../fit/builds/torch.ts';
import { isTorchCompanion } from '../published/releases/torchCompanions.ts';
import { joinedSpecifier } from '../published/specifier.ts';
import { compareVersions, minorOf } from '../published/versions.ts';
import type { Parts } from './constraints.ts';
import { type Need, type Needs, written } from './needs.ts';
import { versionOf } from './runnable.ts';
import { type Constraint, conflict, type Domain, search } from './search.ts';
import { besideBuild } from './versionsBeside.ts';

/** A pin that has to change. */
export interface ChangedPin {
  /** The package, or "python". */
  readonly name: string;
  /** The project's pin: "torch==2.9.1", "Python >=3.13". */
  readonly from: string;
  /** The file or person that pins it: "requirements.txt", "asked for". */
  readonly because: string;
  /** The replacement that fits: "torch==2.7.1", "Python 3.12". */
  readonly to: string;
}

/** Pins that must change together, and the resulting choice. */
interface Change {
  readonly pins: readonly ChangedPin[];
  readonly parts: Parts;
}

/** Maximum number of pins in a change. */
const MOST_CHANGED = 3;

/** Maximum number of sets of pins extended in each round: a bound for projects whose every pin conflicts. */
const MOST_SETS = 12;

/**
 * Returns the changes of the fewest pins that allow a choice, the nearest releases first; empty if no change of at most
 * three pins helps. Every such set contains a pin of every conflict, so only pins of conflicts are tried.
 */
export function smallestChanges(
  needs: Needs,
  domains: readonly Domain<Parts>[],
  constraints: readonly Constraint<Parts>[],
): Change[] {
  const without = (pins: readonly string[]) => constraints.filter((each) => !pins.includes(each.pin ?? ''));
  let sets: readonly (readonly string[])[] = [[]];
  for (let size = 1; size <= MOST_CHANGED && sets.length > 0; size++) {
    const larger = sets.slice(0, MOST_SETS).flatMap((pins) => {
      const conflicting = conflict(domains, without(pins)).flatMap(({ pin }) => pin ?? []);
      return [...new Set(conflicting)].map((pin) => [...pins, pin].sort());
    });
    sets = [...new Map(larger.map((pins) => [pins.join(), pins])).values()];
    const found = sets.flatMap((pins) => changeOf(pins, needs, domains, without(pins)) ?? []);
    if (found.length > 0)
      return found.sort((one, other) => one.distance - other.distance || other.follows - one.follows);
  }
  return [];
}

interface Measured extends Change {
  /** In releases, over all changed pins. */
  readonly distance: number;
  /** Greater for packages that nothing depends on: of two equal changes, the one of such a package is smaller. */
  readonly follows: number;
}

function changeOf(
  names: readonly string[],
  needs: Needs,
  domains: readonly Domain<Parts>[],
  constraints: readonly Constraint<Parts>[],
): Measured | undefined {
  const pins = names.map((name) => pinIn(needs, domains, name));
  const releases = domains.map(({ part, values }) => {
    const pin = pins.find(({ part: own }) => own === part);
    return pin === undefined ? { part, values } : { part, values: nearestFirst(values, pin) };
  });
  // Changed pins are decided first, so that free parts do not keep them from their nearest release.
  const isChanged = ({ part }: Domain<Parts>) => pins.some((pin) => pin.part === part);
  const parts = search([...releases.filter(isChanged), ...releases.filter((each) => !isChanged(each))], constraints);
  if (parts === undefined) return undefined;
  const distance = pins.reduce((sum, pin) => sum + distanceOf(pin, parts), 0);
  const follows = pins.reduce((sum, { name }) => sum + dependenceOf(name, domains), 0);
  return { pins: pins.map((pin) => changed(pin, parts)), parts, distance, follows };
}

/** 0 for Python, 1 for frameworks, 2 for packages that depend on a framework. */
function dependenceOf(name: string, domains: readonly Domain<Parts>[]): number {
  const values = domains.find(({ part }) => part === name)?.values ?? [];
  if (values.length === 0) return 2;
  return Math.max(...values.map((value) => (typeof value === 'string' ? 0 : value.torch === undefined ? 1 : 2)));
}

/** A pin, with the releases among which a replacement is searched. */
interface Pin {
  readonly name: string;
  /** The part of the choice that determines its release; undefined if several do. */
  readonly part: string | undefined;
  /** Null for Python. */
  readonly need: Need | null;
  readonly from: string;
  readonly because: string;
  /** The versions that satisfy the pin. */
  readonly named: readonly string[];
  /** The published releases, such as "2.6", and those in the pin, the oldest first. */
  readonly releases: readonly string[];
  /** The release of a value of its part. */
  releaseOf(value: string | PublishedBuild): string;
}

function pinIn({ python, packages }: Needs, domains: readonly Domain<Parts>[], name: string): Pin {
  const need = packages.find((each) => each.name === name) ?? null;
  const specifier = need?.specifier ?? python?.specifier ?? '';
  const named = specifier.match(/\d+(?:\.\d+)*/g) ?? [];
  const part = isTorchCompanion(name) ? 'torch' : name;
  const domain = domains.find((each) => each.part === part);
  const releaseOf = (value: string | PublishedBuild) => releaseIn(name, value);
  const known = new Set([...(domain?.values ?? []).map(releaseOf), ...named.map(minorOf)]);
  return {
    name,
    part: domain && part,
    need,
    from: need === null ? `Python ${specifier}` : written(need),
    because: need?.because ?? python?.because ?? '',
    named,
    releases: [...known].sort(compareVersions),
    releaseOf,
  };
}

function releaseIn(name: string, value: string | PublishedBuild): string {
  if (typeof value === 'string') return value;
  return isTorchCompanion(name) ? (value as TorchWheel).release[name] : minorOf(versionOf(value));
}

/**
 * Orders values by the nearest release, the newer of two equally near ones first; values of one release keep their
 * order.
 */
function nearestFirst(values: readonly (string | PublishedBuild)[], pin: Pin): readonly (string | PublishedBuild)[] {
  return values
    .map((value) => ({ value, release: pin.releaseOf(value) }))
    .sort((one, other) => {
      const nearer = stepsTo(pin, one.release) - stepsTo(pin, other.release);
      return nearer !== 0 ? nearer : compareVersions(other.release, one.release);
    })
    .map(({ value }) => value);
}

/** The releases between a release and the nearest one in the pin. */
function stepsTo({ named, releases }: Pin, release: string): number {
  const at = releases.indexOf(release);
  const steps = named.map((version) => Math.abs(releases.indexOf(minorOf(version)) - at));
  return Math.min(...steps, releases.length);
}

/**
 * If no part determines the release, the package follows the others, and the next compatible release is one step away.
 */
function distanceOf(pin: Pin, parts: Parts): number {
  const value = pin.part === undefined ? undefined : parts[pin.part];
  return value === undefined ? 1 : stepsTo(pin, pin.releaseOf(value));
}

function changed(pin: Pin, parts: Parts): ChangedPin {
  const { name, from, because } = pin;
  return { name, from, because, to: replacementOf(pin, parts) };
}

function replacementOf({ name, part, need, releaseOf }: Pin, parts: Parts): string {
  if (need === null) return `Python ${parts.python}`;
  const value = part === undefined ? undefined : parts[part];
  if (value === undefined || typeof value === 'string') return written({ ...need, specifier: besideAll(need, parts) });
  if (part !== name) return written({ ...need, specifier: `==${releaseOf(value)}.*` });
  return `${need.extras.length > 0 ? value.asked : name}${value.versions}`;
}

/** The releases compatible with everything that is chosen; with several bounds, all of them apply. */
function besideAll({ name }: Need, parts: Parts): string {
  const bounds = Object.values(parts).flatMap((value) =>
    typeof value === 'string' ? [] : (besideBuild(name, value)?.specifier ?? []),
  );
  return joinedSpecifier(bounds) ?? bounds.join(',');
}
