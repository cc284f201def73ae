import { condaNamesOf } from '../../../published/knownPackages.ts';
import { torchReleases } from '../../../published/releases/torchReleases.ts';
import { message } from '../../../rules/engine/message.ts';
import type { Requirement } from '../../environmentFile.ts';
import { torchBuildOf } from '../../torchBuild.ts';
import { admits } from '../../versions.ts';
import { quotedName, requiredHere, requirementsNamed } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

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
