import type { Action } from '../../commands/action.ts';
import { type UnmetRequirement, unmetRequirements } from '../../fit/requirement.ts';
import { torchOfRelease } from '../../fit/torchOfRelease.ts';
import { clashFor } from '../../fit/versionClash.ts';
import { gpuPackages, packageFileSource } from '../../published/gpuPackages.ts';
import { isRelease } from '../../published/releases/torchReleases.ts';
import { satisfies } from '../../published/specifier.ts';
import { installedPackages, nameInRows } from '../../stack/builds/installedPackages.ts';
import { knownValue, type MetadataRequirement, type StackFacts } from '../../stack/facts/facts.ts';
import { listOf } from '../../stack/facts/gpuName.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import { installFittingTorch, installTorchOf } from '../remedies/installTorch.ts';
import { hasUpperBound, meeting } from '../remedies/meeting.ts';
import { pinsOnTorch, releasesForTorch } from '../remedies/pins.ts';

/** A package that computes on GPUs, or one that it needs, requires another one that is missing or has another version. */
export const requirementNotMet: Judge = {
  id: 'requirement-not-met',
  judge(facts) {
    const unmet = unmetRequirements(facts).filter((each) => !hasOwnDiagnosis(each));
    const missing = unmet.filter(({ found }) => found === undefined);
    const others = unmet.filter(({ found }) => found !== undefined);
    return [
      ...grouped(others, ({ requirement }) => requirement.name).map((group) =>
        ofOtherVersion(group, () => meeting(facts, group)),
      ),
      ...grouped(strictest(missing), ({ by }) => by.name).map((group) => ofMissing(group, () => meeting(facts, group))),
    ];
  },
};

/** For each missing package the requirement that pins it, or limits it from above, otherwise the first one. */
function strictest(missing: readonly UnmetRequirement[]): UnmetRequirement[] {
  const isPinned = ({ requirement }: UnmetRequirement) => requirement.specifier.startsWith('==');
  return grouped(missing, ({ requirement }) => requirement.name).flatMap(
    (all) => all.find(isPinned) ?? all.find(({ requirement }) => hasUpperBound(requirement)) ?? all[0] ?? [],
  );
}

/** True for a pin without need: no package is compiled against an exact version of these. */
function isLoose({ requirement: { name, specifier } }: UnmetRequirement): boolean {
  return specifier.startsWith('==') && (name === 'numpy' || name === 'transformers');
}

/** Diagnosed with their builds, which metadata do not know. */
function hasOwnDiagnosis({ by, requirement, found }: UnmetRequirement): boolean {
  if (found === undefined) return false;
  const isKeras = requirement.name === 'keras' && /^tensorflow/.test(by.name);
  return requirement.name === 'torch' || requirement.name.startsWith('nvidia-') || isKeras;
}

function grouped<T>(all: readonly T[], keyOf: (each: T) => string): (readonly T[])[] {
  const keys = [...new Set(all.map(keyOf))];
  return keys.map((key) => all.filter((each) => keyOf(each) === key));
}

function ofOtherVersion(group: readonly UnmetRequirement[], remedies: Judgement['remedies']): Judgement {
  const [first] = group;
  const { found } = first ?? {};
  return {
    severity: group.every(isLoose) ? 'information' : 'warning',
    finding: `${listOf(group.map(requiring))}; ${found?.name === first?.requirement.name ? '' : `${found?.name} `}${found?.version} is installed.`,
    why: [
      ...group.map((each) => ({ fact: requiring(each), source: each.by.folder })),
      { fact: `${found?.name} ${found?.version}`, source: found?.folder ?? '' },
    ],
    remedies,
  };
}

function ofMissing(group: readonly UnmetRequirement[], remedies: Judgement['remedies']): Judgement {
  const [first, ...others] = group;
  const more = others.length > 0 ? ` and ${others.length} more that are not installed` : ', which is not installed';
  return {
    severity: 'warning',
    finding: `${first === undefined ? '' : requiring(first)}${more}.`,
    why: group.map((each) => ({ fact: `${requiring(each)}, which is not installed`, source: each.by.folder })),
    remedies,
  };
}

/** "torch 2.6.0 requires triton==3.2.0". */
function requiring({ by, requirement }: UnmetRequirement): string {
  return `${by.name} ${by.version} requires ${written(requirement)}`;
}

function written({ name, specifier }: MetadataRequirement): string {
  return `${name}${specifier}`;
}

/** Installed packages that need a torch other than the installed one. */
export const packagesClash: Judge = {
  id: 'packages-clash',
  judge: (facts) => [...otherTorch(facts), ...followers(facts), ...known(facts)],
};

function otherTorch(facts: StackFacts): Judgement[] {
  const torch = knownValue(facts.frameworks.torch);
  if (!torch || !isRelease(torch.version)) return [];
  const unmet = pinsOnTorch(facts).filter(({ specifier }) => !satisfies(torch.version, specifier));
  const [here = ''] = torch.version.split('+');
  return unmet.map(({ name, version, specifier, source }) => ({
    severity: 'warning',
    finding: `${name} ${version} requires torch ${specifier.replace(/^==/, '')}, but ${torch.version} is installed: importing it, or its GPU code, fails.`,
    why: [
      { fact: `${name} ${version} requires torch${specifier}`, source },
      { fact: `torch ${torch.version}`, source: facts.frameworks.torch.source },
    ],
    remedies: () => [...torchFor(facts, name, version, specifier), ...followingTorch(name, here)],
  }));
}

/** Installs a torch that fits the machine, otherwise the one that the package requires. */
function torchFor(facts: StackFacts, name: string, version: string, specifier: string): Action[] {
  const fitting = installFittingTorch(facts);
  if (fitting.length > 0 || !specifier.startsWith('==')) return fitting;
  const title = `Reinstall ${name} ${version}, which installs its torch ${specifier.slice(2)},`;
  return [{ do: 'install', title, requirements: [`${name}==${version.split('+')[0]}`] }];
}

/** Installs the releases of a package for the installed torch. */
function followingTorch(name: string, torch: string): Action[] {
  const releases = releasesForTorch(name, torch);
  return releases === undefined
    ? [{ do: 'advise', title: `Update ${name} to a release for torch ${torch}, or compile it here` }]
    : [{ do: 'install', title: `Install the ${name} for torch ${torch}`, requirements: [`${name}${releases}`] }];
}

/** Packages that are released with torch must follow torch, not the reverse. */
function followers(facts: StackFacts): Judgement[] {
  const torch = knownValue(facts.frameworks.torch);
  // Conda has separate builds for this.
  if (!torch || !isRelease(torch.version) || torch.installer === 'conda') return [];
  const rows = gpuPackages().follows_torch;
  return [...new Set(rows.map(({ name }) => name))].flatMap((name) => {
    const version = knownValue(facts.packages)?.find((each) => each.name === name)?.version;
    const found = version === undefined ? undefined : torchOfRelease({ name, version }, [torch.version]);
    if (found?.fit !== 'fails' || found.follows === undefined) return [];
    const { needed, follows: row } = found;
    const versions = rows.find((each) => each.name === name && satisfies(torch.version, each.torch))?.versions;
    return [
      {
        severity: row.severity,
        finding: `${name} ${version} belongs to torch ${needed.replace(/^==|\.\*$/g, '')}, but torch ${torch.version} is installed: ${row.effect}.`,
        why: [
          { fact: `${name} ${version} is released with torch${needed}`, source: packageFileSource(row.name) },
          { fact: `torch ${torch.version}`, source: facts.frameworks.torch.source },
        ],
        remedies: () =>
          versions === undefined
            ? [{ do: 'advise', title: `Update ${name} to the release for torch ${torch.version.split('+')[0]}` }]
            : [{ do: 'install', title: `Install the ${name} for this torch`, requirements: [`${name}${versions}`] }],
      },
    ];
  });
}

function known(facts: StackFacts): Judgement[] {
  const packages = installedPackages(facts);
  const unmet = unmetRequirements(facts).filter((each) => !hasOwnDiagnosis(each));
  const isUnmet = (by: string, on: string) =>
    unmet.some(({ requirement, ...each }) => each.by.name === by && requirement.name === on);
  return gpuPackages().clashes.flatMap((row) => {
    const one = packages.find((each) => nameInRows(each.name) === row.name);
    const other = packages.find((each) => nameInRows(each.name) === row.with);
    if (one === undefined || other === undefined || clashFor(row, one, other).fit !== 'fails') return [];
    // The metadata say the same, more exactly.
    if (isUnmet(one.name, other.name) || isUnmet(other.name, one.name)) return [];
    return [
      {
        severity: row.severity,
        finding: `${one.name} ${one.version} with ${other.name} ${other.version} ${row.effect}.`,
        why: [
          ...[one, other].map(({ name, version, folder }) => ({ fact: `${name} ${version}`, source: folder })),
          {
            fact: `known for ${row.name}${row.versions} with ${row.with}${row.than}`,
            source: packageFileSource(row.name),
          },
        ],
        remedies: () =>
          /^torch[<>=!~]/.test(row.want)
            ? newerTorch(facts, row.want)
            : [{ do: 'install', title: `Install ${row.want}`, requirements: [row.want] }],
      },
    ];
  });
}

/** Installs one that fits the machine, if it is known. */
function newerTorch(facts: StackFacts, want: string): Action[] {
  const fitting = installTorchOf(facts, want.replace(/^torch/, ''));
  return fitting.length > 0 ? fitting : [{ do: 'install', title: `Install ${want}`, requirements: [want] }];
}
