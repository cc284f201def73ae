import { quotePath } from '../../commands/shells.ts';
import { gpuPackages, packageFileSource } from '../../published/gpuPackages.ts';
import { tagOfCuda } from '../../published/releases/torchReleases.ts';
import { installedPackages, isPackageOfRow } from '../../stack/builds/installedPackages.ts';
import { type FrameworkBuild, knownValue, type Package } from '../../stack/facts/facts.ts';
import { listOf, nameGpus } from '../../stack/facts/gpuName.ts';
import { builtForCuda } from '../../stack/facts/installed.ts';
import { usableGpus, visibleGpus } from '../../stack/facts/usableGpus.ts';
import type { Judge } from '../diagnosis.ts';

/** Bugs in single releases, on machines where everything else is compatible. */
export const knownFault: Judge = {
  id: 'known-fault',
  judge(facts) {
    const packages = installedPackages(facts);
    return gpuPackages().faults.flatMap((row) => {
      const found = packages.find((each) => isPackageOfRow(each, row));
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
            { fact: `known for ${row.name}${row.versions}`, source: packageFileSource(row.name) },
            ...(row.capability === undefined
              ? []
              : [{ fact: `compute capability ${row.capability} of the ${nameGpus(gpus)}`, source: facts.gpus.source }]),
          ],
          remedies: () => [
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

/** Paths that do not exist: the folder in a variable, or the target of a library's link. */

/** Compilers check CUDA_HOME first, even if the folder that it names does not exist. */
export const cudaHomeMissing: Judge = {
  id: 'cuda-home-missing',
  judge(facts) {
    const toolkits = knownValue(facts.toolkits);
    const home = knownValue(facts.variables)?.CUDA_HOME;
    const [framework] = builtForCuda(facts);
    if (!home || toolkits === undefined || framework === undefined) return [];
    // A text may mention one toolkit and omit others.
    if (toolkits.some(({ root, namedBy }) => root === home || namedBy === 'the text')) return [];
    const [other] = toolkits;
    return [
      {
        severity: 'information',
        finding: `CUDA_HOME is ${home}, but there is no toolkit there: compiling extensions here fails; everything else works without one.`,
        why: [
          { fact: `CUDA_HOME=${home}`, source: facts.variables.source },
          { fact: `no folder ${home}`, source: facts.toolkits.source },
        ],
        remedies: () => [
          ...(other === undefined
            ? []
            : [
                {
                  do: 'set' as const,
                  title: `Set CUDA_HOME to the installed toolkit${other.version === null ? '' : ` ${other.version}`}`,
                  variable: 'CUDA_HOME',
                  value: other.root,
                },
              ]),
          { do: 'unset', title: 'Remove the variable where it is set', variable: 'CUDA_HOME' },
        ],
      },
    ];
  },
};

/** A leftover link from an installation whose files are gone; the loader treats such a name as missing. */
export const libraryLinkBroken: Judge = {
  id: 'library-link-broken',
  judge(facts) {
    const broken = knownValue(facts.brokenLinks) ?? [];
    const [framework] = builtForCuda(facts);
    const [first] = broken;
    if (first === undefined || framework === undefined) return [];
    return [
      {
        severity: 'information',
        finding: `${listOf(broken.slice(0, 3))} ${broken.length > 1 ? 'are broken links' : 'is a broken link'}: programs that load the library from there fail ("cannot open shared object file").`,
        why: broken.map((link) => ({ fact: 'its target is gone', source: link })),
        remedies: () => [
          {
            do: 'run',
            title: "Install the library again, or remove the link and update the loader's cache",
            command: `sudo rm ${broken.map((link) => quotePath(link, 'posix')).join(' ')} && sudo ldconfig`,
          },
        ],
      },
    ];
  },
};
