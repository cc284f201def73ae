/** Packages that replace each other. */

import { folderFor } from '../../../fit/sameFolder.ts';
import { gpuPackages } from '../../../published/gpuPackages.ts';
import { condaNamesOf, knownPackage } from '../../../published/knownPackages.ts';
import { torchReleases } from '../../../published/releases/torchReleases.ts';
import { message, quoted } from '../../../rules/engine/message.ts';
import type { Installation, Requirement } from '../../environmentFile.ts';
import { mayMeet } from '../../markers.ts';
import { torchBuildOf } from '../../torchBuild.ts';
import { admits } from '../../versions.ts';
import { nameAndVersion, quotedName, requiredHere, requirementsNamed } from '../requirements.ts';
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

/** Reports two packages that overwrite each other's files. */
export const twins: Contradiction = (installation, report) => {
  for (const { names } of gpuPackages().one_folder) {
    const [one, other] = names
      .flatMap((name) => [...requirementsNamed(installation, name), ...broughtByExtras(installation, name)])
      .filter(({ manager }) => manager === 'pip');
    if (!one || !other || one.name === other.name || !mayMeet(one.marker, other.marker)) continue;
    if (one.marker !== '' || other.marker !== '') continue;
    report({
      span: other.span,
      level: folderFor(distributionOf(one), distributionOf(other)).fit === 'fails' ? 'flag' : 'hint',
      message: message`${quotedName(one)} and ${quotedName(other)} overwrite each other: both install the same modules.`,
      related: [requiredHere(one)],
      fixes: () => [],
    });
  }
};

/** A package that an extra of another one installs, in its place. */
function broughtByExtras({ requirements }: Installation, name: string): Requirement[] {
  return requirements
    .filter((each) => each.extras.some(({ text }) => knownPackage(each.name)?.extra_installs?.[text] === name))
    .map((each) => ({ ...each, name, specifier: '', pin: undefined, extras: [] }));
}

const distributionOf = ({ name, pin }: Requirement) => ({ name, version: pin?.text });

/** Reports torch from both conda and pip, and conda's `cpuonly` together with packages for CUDA. */
export const condaAndPip: Contradiction = (installation, report) => {
  const conda = condaNamesOf('torch').flatMap((name) => requirementsNamed(installation, name));
  const own = conda.find(({ manager }) => manager === 'conda');
  const pip = requirementsNamed(installation, 'torch').find(({ manager }) => manager === 'pip');
  if (own && pip) {
    const isOther = !shareVersion(own, pip) || pip.local !== undefined || torchBuildOf(pip) !== undefined;
    report({
      span: pip.span,
      level: isOther ? 'flag' : 'hint',
      message: isOther
        ? message`pip replaces conda's ${quotedName(own)} with ${quotedName(pip)}; conda's next update can break both.`
        : message`conda already installs ${quotedName(own)}: pip does nothing, or replaces it.`,
      related: [requiredHere(own)],
    });
  }
  const cpu = requirementsNamed(installation, 'cpuonly')[0];
  const cuda = ['pytorch-cuda', 'cudatoolkit'].flatMap((name) => requirementsNamed(installation, name))[0];
  if (cpu && cuda && conda.length > 0)
    report({
      span: cpu.span,
      level: 'flag',
      message: `\`cpuonly\` excludes every CUDA build, but \`${cuda.name}\` requires one.`,
      related: [requiredHere(cuda)],
    });
};

/** True if some release of torch satisfies both. */
function shareVersion(one: Requirement, other: Requirement): boolean {
  const versions = torchReleases().flatMap((release) => release.versions);
  const known = versions.filter((version) => admits(one.specifier, version));
  return known.length === 0 || known.some((version) => admits(other.specifier, version));
}
