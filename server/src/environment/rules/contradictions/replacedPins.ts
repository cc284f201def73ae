import { knownPackage } from '../../../published/knownPackages.ts';
import { message, quoted } from '../../../rules/engine/message.ts';
import type { Requirement } from '../../environmentFile.ts';
import { torchBuildOf } from '../../torchBuild.ts';
import { nameAndVersion, requiredHere } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** True for a framework whose builds differ by CUDA or by Python. */
function isFramework(name: string): boolean {
  const { builds_of_torch, wheel_per_python, cuda_by_release } = knownPackage(name) ?? {};
  return Boolean(builds_of_torch || wheel_per_python || cuda_by_release);
}

/** Reports a framework that one command pins and a later command replaces. */
export const replacedPins: Contradiction = ({ replaced = [] }, report) => {
  for (const { before, by } of replaced) {
    if (!isFramework(before.name) || by.specifier === undefined || isSame(before, by)) continue;
    report({
      span: by.span,
      level: 'flag',
      message: message`pip replaces ${quoted(describe(before))} from an earlier command with ${quoted(describe(by))}: which one do you want?`,
      related: [requiredHere(before)],
    });
  }
};

function isSame(one: Requirement, other: Requirement): boolean {
  return one.specifier === other.specifier && torchBuildOf(one)?.tag === torchBuildOf(other)?.tag;
}

function describe(requirement: Requirement): string {
  const tag = torchBuildOf(requirement)?.tag;
  return `${nameAndVersion(requirement)}${tag === undefined ? '' : ` (${tag})`}`;
}
