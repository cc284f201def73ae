import type { Action } from '../../commands/action.ts';
import { inCondaEnvironment } from '../../commands/writeAction.ts';
import { cudaBeside } from '../../fit/cudaFamily.ts';
import { gpuPackageFiles, gpuPackages, packageFileSource } from '../../published/gpuPackages.ts';
import { isRelease } from '../../published/releases/torchReleases.ts';
import { satisfies } from '../../published/specifier.ts';
import { compareVersions, majorOf } from '../../published/versions.ts';
import { isPackageOfRow } from '../../stack/builds/installedPackages.ts';
import { knownValue, type Package, type StackFacts } from '../../stack/facts/facts.ts';
import { usableGpus } from '../../stack/facts/usableGpus.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import { installFittingTorch } from '../remedies/installTorch.ts';
import { cudaOfWheel } from '../remedies/pins.ts';
import { fittingTorch } from '../remedies/torchFamily.ts';
import { selectingToolkit } from './compilers.ts';

/** Compiled extensions with a torch or a CUDA other than those for which their release has wheels. */
export const builtForOtherTorch: Judge = {
  id: 'built-for-other-torch',
  judge(facts) {
    const torch = knownValue(facts.frameworks.torch);
    if (!torch || !isRelease(torch.version)) return [];
    const os = knownValue(facts.os);
    // Other systems have no wheels: an installed package was compiled.
    const haveWheels = os?.family === 'linux' && os.architecture === 'x64' && torch.target === 'cuda';
    return (knownValue(facts.packages) ?? []).flatMap((each) => [
      ...otherCuda(facts, each, torch.cuda),
      ...(haveWheels ? otherCudaOfWheel(facts, each, torch.cuda) : []),
      ...(haveWheels ? withoutWheel(facts, each, torch.version) : []),
    ]);
  },
};

function otherCuda(facts: StackFacts, { name, version, builtFor }: Package, cuda: string | null): Judgement[] {
  if (!builtFor?.cuda || cuda === null) return [];
  const isOtherFamily = cudaBeside(builtFor.cuda, cuda).fit === 'fails';
  const refuses = gpuPackageFiles()[name]?.built_for?.minor && compareVersions(builtFor.cuda, cuda) !== 0;
  if (!isOtherFamily && !refuses) return [];
  const effect = refuses ? 'refuses to load' : `fails to load (libcudart.so.${majorOf(builtFor.cuda)})`;
  return [
    {
      severity: 'warning',
      finding: `${name} ${version} was compiled for CUDA ${builtFor.cuda}, but torch is built for CUDA ${cuda}: its GPU code ${effect}.`,
      why: [
        { fact: `${name} is for CUDA ${builtFor.cuda}`, source: builtFor.source },
        { fact: `torch is for CUDA ${cuda}`, source: facts.frameworks.torch.source },
      ],
      remedies: () =>
        refuses
          ? [compiling(name, version.split('+')[0] ?? version, `Reinstall ${name} from source`)]
          : [installingWheel(name, cuda)],
    },
  ];
}

function installingWheel(name: string, cuda: string): Action {
  return {
    do: 'advise',
    title: `Install the wheel of ${name} for CUDA ${majorOf(cuda)}, which its installation page lists`,
  };
}

/** Installs a package from source; some builds need the installed torch. */
function compiling(name: string, version: string, title: string, options: readonly string[] = []): Action {
  return {
    do: 'install',
    title,
    requirements: [`${name}==${version}`],
    options: [...options, '--no-cache-dir', '--no-binary', name],
    reinstalls: true,
  };
}

/** A wheel from PyPI, which is compiled for the CUDA version of PyPI's torch. */
function otherCudaOfWheel(facts: StackFacts, each: Package, cuda: string | null): Judgement[] {
  const family = cudaOfWheel(each);
  if (cuda === null || cudaBeside(family, cuda).fit !== 'fails') return [];
  const { name, version, folder } = each;
  return [
    {
      severity: 'warning',
      finding: `${name} ${version} from PyPI is compiled for CUDA ${family}, but torch is built for CUDA ${cuda}: its GPU code fails to load (libcudart.so.${family}).`,
      why: [
        { fact: `${name} ${version}`, source: folder },
        { fact: `its wheel is for PyPI's torch and CUDA ${family}`, source: packageFileSource(name) },
        { fact: `torch is for CUDA ${cuda}`, source: facts.frameworks.torch.source },
      ],
      remedies: () => torchForWheel(facts, name) ?? [installingWheel(name, cuda)],
    },
  ];
}

/** Installs the torch that fits the machine; undefined if none does, or if it would break the package. */
function torchForWheel(facts: StackFacts, name: string): Action[] | undefined {
  const install = fittingTorch(facts)?.breaks.includes(name) === false ? installFittingTorch(facts) : [];
  return install.length > 0 ? install : undefined;
}

function withoutWheel(facts: StackFacts, each: Package, torch: string): Judgement[] {
  const row = gpuPackages().wheels.find((one) => isPackageOfRow(each, one));
  const release = torch.match(/^\d+\.\d+/)?.[0] ?? '';
  if (row === undefined || each.builtFor || compareVersions(release, row.newest) <= 0) return [];
  const { name, version, folder } = each;
  const fitting = firstWithWheels(name, row.next, release);
  const remedies: Action[] = [
    ...(fitting === undefined
      ? []
      : [
          {
            do: 'install' as const,
            requirements: [`${name}==${fitting}`],
            options: ['--no-build-isolation'],
          },
        ]),
    compiling(name, version, `Compile ${name} ${version} for the installed torch, which needs a CUDA toolkit,`, [
      '--no-build-isolation',
    ]),
  ];
  return [
    {
      severity: 'information',
      finding: `${name} ${version} has wheels for torch up to ${row.newest}, but torch ${torch} is installed: unless it was compiled here, importing it fails.`,
      why: [
        { fact: `${name} ${version}`, source: folder },
        { fact: `its wheels are for torch up to ${row.newest}`, source: packageFileSource(row.name) },
        { fact: `torch ${torch}`, source: facts.frameworks.torch.source },
      ],
      remedies: () => remedies,
    },
  ];
}

/** The first release, starting with the given one, that has wheels for a torch. */
function firstWithWheels(name: string, version: string | undefined, torch: string): string | undefined {
  if (version === undefined) return undefined;
  const row = gpuPackages().wheels.find((one) => one.name === name && satisfies(version, one.versions));
  if (row === undefined || compareVersions(torch, row.newest) <= 0) return row && version;
  return firstWithWheels(name, row.next, torch);
}

/** Packages that compile code on first use, on a machine without a compiler. */
export const toolkitMissing: Judge = {
  id: 'toolkit-missing',
  judge(facts) {
    const torch = knownValue(facts.frameworks.torch);
    const toolkits = knownValue(facts.toolkits);
    if (!torch?.cuda || toolkits === undefined || toolkits.length > 0 || !usableGpus(facts)?.length) return [];
    // None of them finds NVIDIA's compiler wheel.
    const [major, minor] = torch.cuda.split('.');
    const conda: Action = {
      do: 'condaInstall',
      title: `Install the compiler of CUDA ${major}.${minor}`,
      specs: [`cuda-toolkit=${major}.${minor}`],
      channels: ['nvidia'],
    };
    return gpuPackages().compiling.flatMap((row) => {
      const found = knownValue(facts.packages)?.find((each) => isPackageOfRow(each, row));
      if (found === undefined || found.builtFor) return [];
      return [
        {
          severity: 'information' as const,
          finding: `${found.name} ${found.version} compiles code when ${row.when}, which needs a CUDA toolkit; none is installed.`,
          why: [
            { fact: `${found.name} ${found.version}`, source: found.folder },
            { fact: 'no CUDA toolkit found', source: facts.toolkits.source },
          ],
          remedies: () =>
            inCondaEnvironment(facts)
              ? [conda]
              : [
                  selectingToolkit(
                    facts,
                    `${major}.${minor}`,
                    `Install the CUDA toolkit ${major}.${minor}, which torch is built for, without the bundled driver (https://developer.nvidia.com/cuda-toolkit-archive), and set CUDA_HOME`,
                  ),
                ],
        },
      ];
    });
  },
};
