/** The relation between a requirement in a distribution's metadata and what is installed for it. */
import { gpuPackages } from '../published/gpuPackages.ts';
import { withSameModules } from '../published/knownPackages.ts';
import { isMetBy } from '../published/specifier.ts';
import { compareVersions } from '../published/versions.ts';
import { type Distribution, knownValue, type MetadataRequirement, type StackFacts } from '../stack/facts/facts.ts';

/** A requirement that is not met. */
export interface UnmetRequirement {
  readonly by: Distribution;
  readonly requirement: MetadataRequirement;
  /** The installed distribution, which has another version; undefined if none is installed. */
  readonly found: Distribution | undefined;
}

/** Returns the unmet requirements of distributions that compute on GPUs and of those that they need. */
export function unmetRequirements(facts: StackFacts): UnmetRequirement[] {
  return unmetAmong(knownValue(facts.distributions) ?? []);
}

/** Returns the unmet requirements of those distributions that are needed. */
export function unmetAmong(distributions: readonly Distribution[]): UnmetRequirement[] {
  return distributions.flatMap((by) =>
    (by.isNeeded ? by.requires : []).flatMap((requirement) => {
      const found = distributionFor(requirement.name, distributions);
      return isUnmet(by, requirement, found) ? [{ by, requirement, found }] : [];
    }),
  );
}

/** Installers of packages under other names, or in parts: what they leave out may be there. */
const OTHER_INSTALLERS = /^(?:conda|debian)$/;

function isUnmet(
  { installer }: Distribution,
  { name, specifier }: MetadataRequirement,
  found: Distribution | undefined,
): boolean {
  if (found === undefined) return installer !== null && !OTHER_INSTALLERS.test(installer);
  if (isMetBy(specifier, found.version)) return false;
  // Programs load a newer library of NVIDIA's under the same name, and people install one on purpose.
  return !(name.startsWith('nvidia-') && isBelow(specifier, found.version));
}

/** True if a requirement's version is lower than the installed one. */
function isBelow(specifier: string, version: string): boolean {
  const wanted = specifier.match(/\d+(?:\.\d+)*/)?.[0];
  return wanted !== undefined && compareVersions(wanted, version) < 0;
}

/** The installed distribution of that name, or another one with the same modules. */
export function distributionFor(name: string, distributions: readonly Distribution[]): Distribution | undefined {
  const own = distributions.find((each) => each.name === name);
  if (own !== undefined) return own;
  const others = rivalsOf(name);
  return distributions.find((each) => others.includes(each.name));
}

/** The distributions that write into the same folder as one. */
export function rivalsOf(name: string): string[] {
  const folders = gpuPackages().one_folder.filter(({ names }) => names.includes(name));
  return [...new Set([...withSameModules(name), ...folders.flatMap(({ names }) => names)])].filter(
    (each) => each !== name,
  );
}

/**
 * The requirements on a package that a change must keep: those that hold, and those of needed distributions that do not
 * hold yet.
 */
export function specifiersOn(facts: StackFacts, name: string): string[] {
  const distributions = knownValue(facts.distributions) ?? [];
  const found = distributions.find((each) => each.name === name);
  const all = distributions.flatMap(({ isNeeded, requires }) =>
    requires
      .filter((each) => each.name === name && each.specifier !== '')
      .filter(({ specifier }) => isNeeded || found === undefined || isMetBy(specifier, found.version))
      .map(({ specifier }) => specifier),
  );
  return [...new Set(all)];
}
