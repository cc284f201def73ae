import { torchReleases } from '../../../published/releases/torchReleases.ts';
import type { Requirement } from '../../environmentFile.ts';
import { torchBuildOf } from '../../torchBuild.ts';
import { admits } from '../../versions.ts';
import { named, wanted } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** Two torches in one environment, and conda's switches for the CPU beside those for CUDA. */
export const condaAndPip: Contradiction = (installation, report) => {
  const conda = ['pytorch', 'pytorch-gpu', 'pytorch-cpu'].flatMap((name) => named(installation, name));
  const own = conda.find(({ manager }) => manager === 'conda');
  const pip = named(installation, 'torch').find(({ manager }) => manager === 'pip');
  if (own && pip) {
    const isOther = !shareVersion(own, pip) || pip.local !== undefined || torchBuildOf(pip) !== undefined;
    report({
      span: pip.span,
      level: isOther ? 'flag' : 'hint',
      message: isOther
        ? `pip replaces the ${wanted(own)} of conda by ${wanted(pip)}: conda goes on to believe in its own, and updates or removes files of both.`
        : `conda installs ${wanted(own)} already: pip has nothing to do, or replaces it.`,
      related: [{ span: own.span, message: "conda's is asked for here" }],
    });
  }
  const cpu = named(installation, 'cpuonly')[0];
  const cuda = ['pytorch-cuda', 'cudatoolkit'].flatMap((name) => named(installation, name))[0];
  if (cpu && cuda && conda.length > 0)
    report({
      span: cpu.span,
      level: 'flag',
      message: `\`cpuonly\` keeps conda from every build for CUDA, and \`${cuda.name}\` asks for one.`,
      related: [{ span: cuda.span, message: `${wanted(cuda)} is asked for here` }],
    });
};

/** Whether there is a torch that satisfies both. */
function shareVersion(one: Requirement, other: Requirement): boolean {
  const versions = torchReleases().flatMap((release) => release.versions);
  const known = versions.filter((version) => admits(one.specifier, version));
  return known.length === 0 || known.some((version) => admits(other.specifier, version));
}
