import { knownPackage, withSameModules } from '../../published/knownPackages.ts';
import { markerHolds } from '../../published/marker.ts';
import { wheelSystemOf } from '../../published/platforms.ts';
import { type ParsedRequirement, specifierOf } from '../../published/requirement.ts';
import { isMetBy } from '../../published/specifier.ts';
import type { Distribution, MetadataRequirement } from '../facts/facts.ts';
import { type Machine, readTextIfThere, realPathIfThere } from '../machine/machine.ts';
import { declaredRequirements, metadataFile, readInstaller, readOfMetadata } from './metadata.ts';
import { isNvidiaWheel, isRelatedPackage } from './packages.ts';
import type { InstalledPackages } from './sitePackages.ts';

const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', win32: 'windows', darwin: 'macos' };

/** True for distributions whose requirements are of interest for themselves. */
function isOfGpus(name: string): boolean {
  return (
    knownPackage(name) !== undefined ||
    isRelatedPackage(name) ||
    isNvidiaWheel(name) ||
    withSameModules(name).length > 1
  );
}

/**
 * The distributions that compute on GPUs, or the given ones, and those that they need, with their requirements on this system and Python.
 * If any of those is not met, the other distributions that limit the same package are read as well, because a remedy
 * must keep their requirements.
 */
export async function readDistributions(
  machine: Machine,
  installed: InstalledPackages,
  python: string | null,
  given?: readonly { readonly name: string; readonly extras: readonly string[] }[],
): Promise<Distribution[]> {
  const read = new Map<string, { readonly extras: Set<string>; declared: ParsedRequirement[] }>();
  const found = new Map<string, Distribution>();
  const system = wheelSystemOf(SYSTEMS[machine.platform], machine.architecture);
  const visit = async (wanted: string, extras: readonly string[], isNeeded: boolean): Promise<void> => {
    const name = withSameModules(wanted).find((each) => installed.has(each)) ?? wanted;
    const own = installed.get(name);
    if (own === undefined) return;
    const before = read.get(name);
    if (before !== undefined && extras.every((each) => before.extras.has(each))) return;
    const entry = before ?? { extras: new Set<string>(), declared: [] };
    for (const each of extras) entry.extras.add(each);
    read.set(name, entry);
    if (before === undefined) entry.declared = await declaredRequirements(machine, installed, name);
    const environment = { system, python: python ?? undefined, extras: [...entry.extras] };
    const applying = entry.declared.filter(
      ({ url, marker }) => url === undefined && markerHolds(marker, environment) === true,
    );
    const { version, folder } = own;
    const tags = knownPackage(name) === undefined ? [] : await compiledTags(machine, installed, name);
    const lostFile = await lostFileOf(machine, installed, name);
    found.set(name, {
      name,
      version,
      folder,
      requires: applying.map(requirementOf),
      installer: await readInstaller(machine, installed, name),
      ...(isNeeded && { isNeeded }),
      ...(lostFile !== undefined && { lostFile }),
      ...(tags.length > 0 && { tags }),
    });
    if (isNeeded)
      await Promise.all(
        applying.map((each) =>
          visit(
            each.name,
            each.extras.map(({ text }) => text),
            true,
          ),
        ),
      );
  };
  const roots = given ?? [...installed.keys()].filter(isOfGpus).map((name) => ({ name, extras: [] }));
  await Promise.all(roots.map(({ name, extras }) => visit(name, extras, true)));
  const unmet = new Set(
    [...found.values()].flatMap(({ requires }) => requires.filter((each) => !isMetHere(each, installed)).map(nameOf)),
  );
  if (unmet.size === 0) return sorted(found);
  const others = [...installed.keys()].filter((name) => !found.has(name));
  await Promise.all(others.map((name) => visit(name, [], false)));
  for (const name of others) if (!found.get(name)?.requires.some((each) => unmet.has(each.name))) found.delete(name);
  return sorted(found);
}

/** The lists of TensorFlow's files have two million characters. */
const LONGEST_RECORD = 2 ** 22;

/**
 * The first file of a module that the distribution recorded and that is gone, for distributions that share their modules
 * with others: removing one of these removes the files of all.
 */
async function lostFileOf(machine: Machine, installed: InstalledPackages, name: string): Promise<string | undefined> {
  const names = withSameModules(name);
  const record = names.length > 1 ? metadataFile(machine, installed, name, 'RECORD') : undefined;
  const text = record && (await readTextIfThere(machine, record, LONGEST_RECORD).catch(() => undefined));
  const { folder } = installed.get(name) ?? {};
  if (text === undefined || folder === undefined) return undefined;
  for (const module of names.flatMap((each) => knownPackage(each)?.imports ?? [])) {
    const file = machine.path.join(folder, module, '__init__.py');
    const isRecorded = text.includes(`\n${module}/__init__.py,`) || text.startsWith(`${module}/__init__.py,`);
    if (isRecorded && (await realPathIfThere(machine, file)) === undefined) return file;
  }
  return undefined;
}

/** The tags in a wheel's record of itself, unless it is for any Python. */
async function compiledTags(machine: Machine, installed: InstalledPackages, name: string): Promise<string[]> {
  const text = (await readOfMetadata(machine, installed, name, 'WHEEL')) ?? '';
  return [...text.matchAll(/^Tag: (\S+)$/gm)].flatMap(([, tag = '']) => (tag.endsWith('-none-any') ? [] : tag));
}

function requirementOf({ name, clauses }: ParsedRequirement): MetadataRequirement {
  return { name, specifier: specifierOf(clauses.text) };
}

function nameOf({ name }: MetadataRequirement): string {
  return name;
}

function isMetHere({ name, specifier }: MetadataRequirement, installed: InstalledPackages): boolean {
  const version = installed.get(name)?.version;
  return version !== undefined && isMetBy(specifier, version);
}

function sorted(found: ReadonlyMap<string, Distribution>): Distribution[] {
  return [...found.values()].sort((left, right) => left.name.localeCompare(right.name, 'en'));
}
