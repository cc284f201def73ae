import { readRequirement } from '../environment/requirement.ts';
import { admits } from '../environment/versions.ts';
import { withSameModules } from '../published/knownPackages.ts';
import { markerHolds } from '../published/marker.ts';
import { wheelSystemOf } from '../published/platforms.ts';
import type { Needs } from '../solver/needs.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { listOf } from '../stack/facts/gpuName.ts';
import { listIfThere, type Machine, readTextIfThere } from '../stack/machine/machine.ts';
import { metadataFolder } from '../stack/readers/sitePackages.ts';
import type { InstalledEnvironment } from './check.ts';

/** A package in a metadata folder. */
interface Distribution {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

/**
 * Everything installed in the current environment, and unmet requirements of the needed packages. Reads only metadata
 * and runs nothing.
 */
export async function readInstalledEnvironment(
  machine: Machine,
  facts: StackFacts,
  { packages }: Needs,
): Promise<InstalledEnvironment> {
  const interpreter = knownValue(facts.interpreter);
  const installed = await distributionsIn(machine, interpreter?.sitePackages ?? []);
  const find = (name: string) => withSameModules(name).flatMap((each) => installed.get(each) ?? [])[0];
  const os = knownValue(facts.os);
  const environment = {
    system: wheelSystemOf(os?.family, os?.architecture),
    python: interpreter?.version ?? undefined,
  };
  const unmet: string[] = [];
  const waiting = packages.map(({ name, extras }) => ({ name, extras }));
  const seen = new Set<string>();
  for (const { name, extras } of waiting) {
    const found = find(name);
    const key = `${name}[${[...extras].sort().join()}]`;
    if (found === undefined || seen.has(key)) continue;
    seen.add(key);
    const required = (await readRequired(machine, found)).filter(
      ({ marker }) => markerHolds(marker, { ...environment, extras }) === true,
    );
    const missing = required.filter((each) => find(each.name) === undefined).map((each) => each.name);
    const title = `${found.name}${extras.length > 0 ? `[${extras.join(',')}]` : ''} ${found.version}`;
    if (missing.length > 0)
      unmet.push(`${title} requires ${shortened(missing)}, which ${missing.length > 1 ? 'are' : 'is'} not installed.`);
    for (const { name: other, specifier = '', extras: wanted } of required) {
      const there = find(other);
      // Other builds of NVIDIA's wheels often work too; if not, a diagnosis reports it.
      const isOther = there && !other.startsWith('nvidia-') && !admits(specifier, there.version.replace(/\+.*/, ''));
      if (isOther) unmet.push(`${title} requires ${other}${specifier}, and ${there.name} is ${there.version}.`);
      waiting.push({ name: other, extras: wanted.map(({ text }) => text) });
    }
  }
  const versionOf = (name: string) => find(name)?.version;
  return { versionOf, unmet };
}

/** A package in an earlier folder hides one of the same name in a later one. */
async function distributionsIn(machine: Machine, folders: readonly string[]): Promise<Map<string, Distribution>> {
  const installed = new Map<string, Distribution>();
  for (const folder of folders)
    for (const entry of await listIfThere(machine, folder)) {
      const found = metadataFolder(entry);
      if (found !== undefined && !installed.has(found.name))
        installed.set(found.name, { ...found, folder: machine.path.join(folder, entry) });
    }
  return installed;
}

function shortened(names: readonly string[]): string {
  const shown = [...new Set(names)];
  return shown.length <= 4 ? listOf(shown) : `${shown.slice(0, 3).join(', ')} and ${shown.length - 3} more`;
}

/**
 * The requirements of a package. conda and the system manage the dependencies of their packages, under their own names.
 */
async function readRequired(machine: Machine, { folder }: Distribution) {
  const read = (file: string) => readTextIfThere(machine, machine.path.join(folder, file)).catch(() => undefined);
  const installer = (await read('INSTALLER'))?.trim();
  if (installer === undefined || /^(?:conda|debian|$)/.test(installer)) return [];
  const [head = ''] = ((await read('METADATA')) ?? '').split(/\r?\n\r?\n/);
  return [...head.matchAll(/^Requires-Dist:(.*)$/gm)].flatMap(([, line = '']) => readRequirement(line.trim(), 0) ?? []);
}
