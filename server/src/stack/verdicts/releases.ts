import { knownValue } from '../facts/facts.ts';
import { majorOf, release } from '../facts/installed.ts';
import { installing, quoted } from '../plan/installing.ts';
import type { Judge, Remedy } from './verdict.ts';

/** Wheels of PyTorch's own index say in their local tag what they are for; those that do not are left alone. */
export const torchvisionOfOtherBuild: Judge = {
  id: 'torchvision-of-other-build',
  judge(facts) {
    const { frameworks } = facts;
    const torch = knownValue(frameworks.torch);
    const vision = knownValue(frameworks.torchvision);
    if (!torch?.target || !vision?.target) return [];
    const cuda = torch.cuda ?? vision.cuda;
    if (cuda === null || torch.cuda?.split('.')[0] === vision.cuda?.split('.')[0]) return [];
    const index = `--index-url https://download.pytorch.org/whl/cu${cuda.replace('.', '')}`;
    return [
      {
        severity: 'warning',
        finding: `torchvision ${vision.version} was not built for torch ${torch.version}; its own operators, such as nms, fail.`,
        why: [
          { fact: `torch ${torch.version}`, source: frameworks.torch.source },
          { fact: `torchvision ${vision.version}`, source: frameworks.torchvision.source },
        ],
        remedies: installing(facts, 'Install both from one index', `torch torchvision ${index}`, { anew: true }),
      },
    ];
  },
};

/**
 * The torchvision that is released with a torch: 0.24 with 2.9, 0.14 with 1.13.
 * Source: https://github.com/pytorch/vision#installation
 */
function torchvisionOf(torch: string): string | undefined {
  const [major, minor] = release(torch);
  if (major === 2) return `0.${minor + 15}`;
  return major === 1 && minor >= 8 ? `0.${minor + 1}` : undefined;
}

export const torchvisionOfOtherRelease: Judge = {
  id: 'torchvision-of-other-release',
  judge(facts) {
    const { torch: torchFact, torchvision } = facts.frameworks;
    const torch = knownValue(torchFact);
    const vision = knownValue(torchvision);
    // Builds from source and NVIDIA's own follow no table.
    if (!torch || !vision || !isRelease(torch.version) || !isRelease(vision.version)) return [];
    const wanted = torchvisionOf(torch.version);
    if (wanted === undefined || vision.version.startsWith(`${wanted}.`)) return [];
    return [
      {
        severity: 'warning',
        finding: `torchvision ${vision.version} belongs to another torch than ${torch.version}, which goes with ${wanted}; importing it or its operators can fail.`,
        why: [
          { fact: `torch ${torch.version}`, source: torchFact.source },
          { fact: `torchvision ${vision.version}`, source: torchvision.source },
        ],
        remedies: pairing(torch.version, wanted).flatMap((packages) =>
          installing(facts, 'Install the torchvision of this torch', packages, { anew: true }),
        ),
      },
    ];
  },
};

function isRelease(version: string): boolean {
  return /^\d+\.\d+\.\d+(\+(cpu|cu\d+|rocm[\d.]+|xpu))?$/.test(version);
}

/** From the index that torch came from, where its version names one. */
function pairing(torch: string, vision: string): [packages: string] {
  const tag = torch.split('+')[1];
  const index = tag === undefined ? '' : ` --index-url https://download.pytorch.org/whl/${tag}`;
  return [`torch==${torch.split('+')[0]} ${quoted(`torchvision==${vision}.*`)}${index}`];
}

/** JAX uses a plug-in only where its version is that of jaxlib, to the last number. */
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
      const remedies: Remedy[] =
        extra === undefined
          ? []
          : installing(facts, 'Install all of them in one version', quoted(`jax[${extra}]==${jax.version}`));
      return [
        {
          severity: 'warning' as const,
          finding: `${name} ${version} does not fit jaxlib ${jaxlib.version}, so JAX leaves it aside and runs on the CPU.`,
          why: [
            { fact: `${name} ${version}`, source: folder },
            { fact: `jaxlib ${jaxlib.version}`, source: jaxlib.folder },
          ],
          remedies,
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
 * The toolkit that torch's extension builder takes is of another CUDA family. Nothing else uses it.
 * Source: torch.utils.cpp_extension, which takes CUDA_HOME, then nvcc on PATH, then /usr/local/cuda.
 */
export const toolkitOfOtherCuda: Judge = {
  id: 'toolkit-of-other-cuda',
  judge(facts) {
    const torch = knownValue(facts.frameworks.torch);
    const toolkit = knownValue(facts.toolkits)?.find(
      // Conda's counts where its nvcc is on PATH.
      ({ namedBy, root }) => (namedBy !== 'well-known folder' && namedBy !== 'conda') || root === '/usr/local/cuda',
    );
    if (!torch?.cuda || !toolkit?.version || majorOf(toolkit.version) === majorOf(torch.cuda)) return [];
    return [
      {
        severity: 'information',
        finding: `The CUDA toolkit ${toolkit.version} cannot compile extensions for torch ${torch.version}; all else runs without a toolkit.`,
        why: [
          { fact: `CUDA toolkit ${toolkit.version} (${toolkit.namedBy})`, source: toolkit.root },
          { fact: `torch ${torch.version} is built for CUDA ${torch.cuda}`, source: facts.frameworks.torch.source },
        ],
        remedies: [
          {
            title: `Only if you compile extensions: install the toolkit ${torch.cuda} and name it`,
            command: `export CUDA_HOME=/usr/local/cuda-${torch.cuda.split('.').slice(0, 2).join('.')}`,
          },
        ],
      },
    ];
  },
};
