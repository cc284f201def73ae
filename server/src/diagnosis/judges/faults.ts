import { gpuPackages, sourceOf } from '../../published/gpuPackages.ts';
import { tagOfCuda } from '../../published/releases/torchReleases.ts';
import { installedPackages, isOf } from '../../stack/builds/installedPackages.ts';
import { type FrameworkBuild, knownValue, type Package } from '../../stack/facts/facts.ts';
import { nameGpus } from '../../stack/facts/gpuName.ts';
import { usableGpus, visibleGpus } from '../../stack/facts/usableGpus.ts';
import type { Judge } from '../diagnosis.ts';

/** Bugs in single releases, on machines where everything else is compatible. */
export const knownFault: Judge = {
  id: 'known-fault',
  judge(facts) {
    const packages = installedPackages(facts);
    return gpuPackages().faults.flatMap((row) => {
      const found = packages.find((each) => isOf(each, row));
      if (found === undefined || !usableGpus(facts)?.length) return [];
      if (row.tag !== undefined && !isOfTag(found, row.tag)) return [];
      const gpus = visibleGpus(facts).filter(({ computeCapability }) => computeCapability === row.capability);
      if (row.capability !== undefined && gpus.length === 0) return [];
      const isSet = row.variable !== undefined && knownValue(facts.variables)?.[row.variable] !== undefined;
      if (isSet) return [];
      return [
        {
          severity: 'information' as const,
          finding: `${found.name} ${found.version} has a known bug: ${row.fault}.`,
          why: [
            { fact: `${found.name} ${found.version}`, source: found.folder },
            { fact: `known for ${row.name}${row.versions}`, source: sourceOf(row.name) },
            ...(row.capability === undefined
              ? []
              : [{ fact: `compute capability ${row.capability} of the ${nameGpus(gpus)}`, source: facts.gpus.source }]),
          ],
          remedies: [
            row.variable && row.value
              ? { do: 'set' as const, title: row.fix, variable: row.variable, value: row.value }
              : { do: 'advise' as const, title: row.fix },
          ],
        },
      ];
    });
  },
};

/** True if its version has the tag or, for a version without a tag, if it was built for that CUDA version. */
function isOfTag(found: Package | FrameworkBuild, tag: string): boolean {
  const cuda = 'cuda' in found && found.target === 'cuda' ? found.cuda : null;
  return (
    found.version.endsWith(`+${tag}`) || (cuda !== null && !found.version.includes('+') && tagOfCuda(cuda) === tag)
  );
}
