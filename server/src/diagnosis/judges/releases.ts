import type { Action } from '../../commands/action.ts';
import { companionBuild, companionRelease } from '../../fit/companions.ts';
import { cudaBeside } from '../../fit/cudaFamily.ts';
import { companionOf, TORCH_COMPANIONS, type TorchCompanion } from '../../published/releases/torchCompanions.ts';
import { tagOfCuda } from '../../published/releases/torchReleases.ts';
import { majorOf, minorOf } from '../../published/versions.ts';
import { type FrameworkBuild, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import { installFittingTorch, torchIndex } from '../remedies/installTorch.ts';
import { fittingTorch } from '../remedies/torchFamily.ts';
import { selectingToolkit } from './compilers.ts';

export const torchvisionOfOtherBuild: Judge = {
  id: 'torchvision-of-other-build',
  judge: (facts) =>
    eachCompanion(facts, (torch, name, other) =>
      companionBuild(torch, name, other).fit === 'fails'
        ? `was not built for torch ${torch.version}: ${name === 'torchvision' ? 'its own operators, such as nms, fail' : 'importing it fails'}.`
        : undefined,
    ),
};

export const torchvisionOfOtherRelease: Judge = {
  id: 'torchvision-of-other-release',
  judge: (facts) =>
    eachCompanion(facts, (torch, name, other) => {
      const found = companionRelease(torch, name, other);
      return found.fit === 'fails'
        ? `does not match torch ${torch.version}, which needs ${found.needed}: importing it or its operators can fail.`
        : undefined;
    }),
};

/** The companions about which `effectOf` returns the rest of a sentence. */
function eachCompanion(
  facts: StackFacts,
  effectOf: (torch: FrameworkBuild, name: TorchCompanion, other: FrameworkBuild) => string | undefined,
): Judgement[] {
  const { frameworks } = facts;
  const torch = knownValue(frameworks.torch);
  return TORCH_COMPANIONS.flatMap((name) => {
    const other = knownValue(frameworks[name]);
    const effect = torch && other ? effectOf(torch, name, other) : undefined;
    if (!torch || !other || effect === undefined) return [];
    return [
      {
        severity: 'warning',
        finding: `${name} ${other.version} ${effect}`,
        why: [
          { fact: `torch ${torch.version}`, source: frameworks.torch.source },
          { fact: `${name} ${other.version}`, source: frameworks[name].source },
        ],
        remedies: () => installingCompanion(facts, torch, name),
      },
    ];
  });
}

/** Installs the torch that fits the machine, or, if that is the installed one, only the companion, from its source. */
function installingCompanion(facts: StackFacts, torch: FrameworkBuild, name: TorchCompanion): Action[] {
  const [release = '', tag] = torch.version.split('+');
  const fitting = knownValue(facts.gpus)?.length ? fittingTorch(facts) : undefined;
  if (fitting !== undefined && (fitting.torch !== release || (tag !== undefined && fitting.tag !== tag)))
    return installFittingTorch(facts);
  const requirement = companionOf(release, name);
  if (requirement === undefined) return [];
  // PyPI's builds record no tag, and its companions match them.
  const recorded = knownValue(facts.distributions)?.find(({ name }) => name === 'torch')?.version ?? torch.version;
  const [, source = recorded === torch.version && torch.cuda ? tagOfCuda(torch.cuda) : undefined] = recorded.split('+');
  return [
    {
      do: 'install',
      title: `Install the ${name} for torch ${torch.version}`,
      requirements: [requirement],
      // torch is there, and must not be replaced.
      options: ['--no-deps'],
      ...(source !== undefined && { index: torchIndex(source) }),
      reinstalls: true,
    },
  ];
}

/** JAX uses a plug-in only if its version is exactly that of jaxlib. */
export const jaxPluginOfOtherRelease: Judge = {
  id: 'jax-plugin-of-other-release',
  judge(facts) {
    const packages = knownValue(facts.packages) ?? [];
    const jax = knownValue(facts.frameworks.jax);
    const jaxlib = packages.find(({ name }) => name === 'jaxlib');
    if (!jax || jaxlib === undefined) return [];
    return packages.flatMap(({ name, version, folder }) => {
      if (!/^jax-(cuda|rocm)\d+-plugin$/.test(name) || numbers(version) === numbers(jaxlib.version)) return [];
      const extra = name.match(/cuda\d+/)?.[0];
      // Before there were plug-ins, jaxlib itself was built for CUDA.
      const hasCuda = /\+(?:cuda|rocm)/.test(jaxlib.version);
      const plugins = packages.filter(({ name: each }) => /^jax-(cuda|rocm)\d+-(plugin|pjrt)$/.test(each));
      const remedies: Action[] = hasCuda
        ? [
            {
              do: 'uninstall',
              title: 'Remove the plug-in, which this jaxlib does not need',
              packages: plugins.map((each) => each.name),
            },
          ]
        : extra === undefined
          ? []
          : [
              {
                do: 'install',
                title: 'Install the same version of all of them',
                requirements: [`jax[${extra}]==${jax.version}`],
              },
            ];
      return [
        {
          severity: 'warning' as const,
          finding: `${name} ${version} does not match jaxlib ${jaxlib.version}, ${hasCuda ? 'which is itself built for CUDA and fails with it' : 'so JAX ignores it and runs on the CPU'}.`,
          why: [
            { fact: `${name} ${version}`, source: folder },
            { fact: `jaxlib ${jaxlib.version}`, source: jaxlib.folder },
          ],
          remedies: () => remedies,
        },
      ];
    });
  },
};

/** "0.4.35" of "0.4.35.dev2024". */
function numbers(version: string): string {
  return version.match(/^\d+(\.\d+)*/)?.[0] ?? version;
}

/**
 * The toolkit that torch's extension builder uses is of another CUDA family. Nothing else uses it. Source:
 * torch.utils.cpp_extension, which checks CUDA_HOME, then nvcc on PATH, then /usr/local/cuda.
 */
export const toolkitOfOtherCuda: Judge = {
  id: 'toolkit-of-other-cuda',
  judge(facts) {
    const torch = knownValue(facts.frameworks.torch);
    const toolkit = knownValue(facts.toolkits)?.find(
      // Conda's counts if its nvcc is on PATH.
      ({ namedBy, root }) => (namedBy !== 'well-known folder' && namedBy !== 'conda') || root === '/usr/local/cuda',
    );
    const { cuda } = torch ?? {};
    if (!torch || !cuda || !toolkit?.version) return [];
    // A compiler serves every minor version; torch itself refuses another major one.
    if (cudaBeside(majorOf(toolkit.version), majorOf(cuda)).fit !== 'fails') return [];
    return [
      {
        severity: 'information',
        finding: `The CUDA toolkit ${toolkit.version} cannot compile extensions for torch ${torch.version}; everything else works without a toolkit.`,
        why: [
          { fact: `CUDA toolkit ${toolkit.version} (${toolkit.namedBy})`, source: toolkit.root },
          { fact: `torch ${torch.version} is built for CUDA ${cuda}`, source: facts.frameworks.torch.source },
        ],
        remedies: () => [
          selectingToolkit(
            facts,
            minorOf(cuda),
            `Only if you compile extensions: install the CUDA toolkit ${cuda} and set CUDA_HOME`,
          ),
        ],
      },
    ];
  },
};
