import { type UnmetRequirement, unmetRequirements } from '../../fit/requirement.ts';
import type { Requirement } from '../../stack/facts/facts.ts';
import { listOf } from '../../stack/facts/gpuName.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import { meeting } from '../remedies/meeting.ts';

/** A package that computes on GPUs, or one that it needs, requires another one that is missing or has another version. */
export const requirementNotMet: Judge = {
  id: 'requirement-not-met',
  judge(facts) {
    const unmet = unmetRequirements(facts).filter((each) => !hasOwnDiagnosis(each));
    const missing = unmet.filter(({ found }) => found === undefined);
    const others = unmet.filter(({ found }) => found !== undefined);
    return [
      ...grouped(others, ({ requirement }) => requirement.name).map((group) =>
        ofOtherVersion(group, meeting(facts, group)),
      ),
      ...grouped(strictest(missing), ({ by }) => by.name).map((group) => ofMissing(group, meeting(facts, group))),
    ];
  },
};

/** For each missing package the requirement that pins it, otherwise the first one. */
function strictest(missing: readonly UnmetRequirement[]): UnmetRequirement[] {
  const isPinned = ({ requirement }: UnmetRequirement) => requirement.specifier.startsWith('==');
  return grouped(missing, ({ requirement }) => requirement.name).flatMap((all) => all.find(isPinned) ?? all[0] ?? []);
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

function written({ name, specifier }: Requirement): string {
  return `${name}${specifier}`;
}
