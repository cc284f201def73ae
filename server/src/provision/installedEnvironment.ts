import { unmetAmong } from '../fit/requirement.ts';
import { withSameModules } from '../published/knownPackages.ts';
import type { Needs } from '../solver/needs.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { listOf } from '../stack/facts/gpuName.ts';
import type { Machine } from '../stack/machine/machine.ts';
import { readDistributions } from '../stack/readers/distributions.ts';
import { InstalledPackages, readInstalledPackages } from '../stack/readers/sitePackages.ts';
import type { InstalledEnvironment } from './check.ts';

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
  const installed = await readInstalledPackages(machine, interpreter?.sitePackages ?? []).catch(
    () => new InstalledPackages(),
  );
  const needed = packages.map(({ name, extras }) => ({ name, extras: [...extras] }));
  const all = unmetAmong(await readDistributions(machine, installed, interpreter?.version ?? null, needed));
  const unmet = [...new Set(all.map(({ by }) => by))].flatMap((by) => {
    const own = all.filter((each) => each.by === by);
    const extras = needed.find(({ name }) => name === by.name)?.extras ?? [];
    const title = `${by.name}${extras.length > 0 ? `[${extras.join(',')}]` : ''} ${by.version}`;
    const missing = own.filter(({ found }) => found === undefined).map(({ requirement }) => requirement.name);
    return [
      ...(missing.length > 0
        ? [`${title} requires ${shortened(missing)}, which ${missing.length > 1 ? 'are' : 'is'} not installed.`]
        : []),
      ...own.flatMap(({ requirement: { name, specifier }, found }) =>
        found ? [`${title} requires ${name}${specifier}, and ${found.name} is ${found.version}.`] : [],
      ),
    ];
  });
  return { versionOf: (name) => withSameModules(name).flatMap((each) => installed.get(each) ?? [])[0]?.version, unmet };
}

function shortened(names: readonly string[]): string {
  const shown = [...new Set(names)];
  return shown.length <= 4 ? listOf(shown) : `${shown.slice(0, 3).join(', ')} and ${shown.length - 3} more`;
}
