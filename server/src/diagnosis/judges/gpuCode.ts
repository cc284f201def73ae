import type { Action } from '../../commands/action.ts';
import { capabilityOfCode, codeFor } from '../../fit/gpuCode.ts';
import { installedBuild } from '../../fit/installed.ts';
import { compiledBy } from '../../published/releases/cudaDriver.ts';
import { codeOfRocm, newestRocmFor } from '../../published/releases/rocmReleases.ts';
import { compareVersions, majorOf } from '../../published/versions.ts';
import { gpuCodeOf } from '../../stack/builds/gpuCode.ts';
import { type Gpu, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { listOf, nameGpus } from '../../stack/facts/gpuName.ts';
import {
  builtForCuda,
  type InstalledFramework,
  installedFrameworks,
  pythonMinor,
} from '../../stack/facts/installed.ts';
import { visibleGpus } from '../../stack/facts/usableGpus.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import { installFittingTorch, installRocmWheels, pretendingToBe, whyNoTorch } from '../remedies/installTorch.ts';
import { installFittingTensorflow } from '../remedies/tensorflow.ts';

/** A GPU for which a build contains no code, or only code that the driver must compile first. */
interface Misfit {
  gpu: Gpu & { computeCapability: string };
  how: 'newer' | 'older' | 'compiled';
}

export const gpuNewerThanBuild: Judge = {
  id: 'gpu-newer-than-build',
  judge: (facts) => builtForCuda(facts).flatMap((each) => [...missing(facts, each, 'newer'), ...compiled(facts, each)]),
};

export const gpuOlderThanBuild: Judge = {
  id: 'gpu-older-than-build',
  judge: (facts) => builtForCuda(facts).flatMap((each) => missing(facts, each, 'older')),
};

function misfits(facts: StackFacts, { framework }: InstalledFramework): Misfit[] {
  const build = installedBuild(facts, framework);
  return visibleGpus(facts).flatMap((gpu) => {
    const { computeCapability } = gpu;
    if (build === undefined || computeCapability === null) return [];
    const found = codeFor(build, computeCapability);
    if (found.fit === 'unknown' || found.how === 'native') return [];
    // Code of the same generation is compiled quickly.
    const isMinor = build.code !== undefined && newestMajor(build.code) >= Number(majorOf(computeCapability));
    return found.how === 'compiled' && isMinor ? [] : [{ gpu: { ...gpu, computeCapability }, how: found.how }];
  });
}

function missing(facts: StackFacts, each: InstalledFramework, how: 'newer' | 'older'): Judgement[] {
  const found = misfits(facts, each).filter((misfit) => misfit.how === how);
  const [first] = found;
  if (first === undefined) return [];
  // A display card beside the GPU that computes is harmless; frameworks only mention it.
  const all = found.length === visibleGpus(facts).length;
  const names = models(found);
  const holds = held(facts, each);
  return [
    {
      framework: each.framework,
      severity: all ? 'error' : 'information',
      finding: `The ${names} is ${how === 'newer' && !isBetween(facts, each, first) ? 'too new for' : how === 'older' ? 'too old for' : 'not supported by'} ${each.title}, which ${holds.words}.`,
      why: [
        { fact: `compute capability ${first.gpu.computeCapability} of the ${names}`, source: facts.gpus.source },
        { fact: `${each.title} ${holds.words}`, source: holds.source },
      ],
      remedies: () => (all ? remediesFor(facts, each, how) : hiding(facts, found)),
    },
  ];
}

/** The build contains code for older and newer GPUs, but not for this one. */
function isBetween(facts: StackFacts, { framework }: InstalledFramework, { gpu }: Misfit): boolean {
  const finished = (gpuCodeOf(facts, framework)?.value ?? []).filter((each) => each.startsWith('sm_'));
  return finished.some((each) => compareVersions(capabilityOfCode(each), gpu.computeCapability) > 0);
}

function hiding(facts: StackFacts, found: Misfit[]): Action[] {
  const rest = visibleGpus(facts).filter(({ index }) => !found.some(({ gpu }) => gpu.index === index));
  const uuids = rest.flatMap(({ uuid }) => uuid ?? []);
  const title = 'Hide it from programs that use every visible GPU';
  return uuids.length > 0
    ? [{ do: 'set', title, variable: 'CUDA_VISIBLE_DEVICES', value: uuids.join(',') }]
    : [{ do: 'advise', title }];
}

/** The models, each once. */
function models(found: Misfit[]): string {
  const first = found.filter(({ gpu }, at) => found.findIndex((each) => each.gpu.name === gpu.name) === at);
  return nameGpus(first.map(({ gpu }) => gpu));
}

function compiled(facts: StackFacts, each: InstalledFramework): Judgement[] {
  const found = misfits(facts, each).filter(({ how }) => how === 'compiled');
  const [first] = found;
  if (first === undefined) return [];
  const names = models(found);
  const holds = held(facts, each);
  const isCodeUnknown = gpuCodeOf(facts, each.framework) === undefined;
  const [compiles, fails] = isCodeUnknown
    ? ['code that it leaves for the driver to compile', 'CUDA_ERROR_INVALID_PTX, or "no kernel image"']
    : ['the driver compiles it at the first start, which', 'CUDA_ERROR_INVALID_PTX'];
  return [
    {
      framework: each.framework,
      severity: each.framework === 'tensorflow' || isCodeUnknown ? 'warning' : 'information',
      finding: `${each.title} has no precompiled code for the ${names}: ${compiles} can take half an hour, and what it cannot compile fails (${fails}).`,
      why: [
        { fact: `compute capability ${first.gpu.computeCapability} of the ${names}`, source: facts.gpus.source },
        { fact: `${each.title} ${holds.words}`, source: holds.source },
      ],
      remedies: () => remediesFor(facts, each, 'newer'),
    },
  ];
}

/** A description of the code in a build, and the source. */
function held(facts: StackFacts, { framework, build, source }: InstalledFramework): { words: string; source: string } {
  const code = gpuCodeOf(facts, framework);
  const finished = (code?.value ?? [])
    .filter((each) => each.startsWith('sm_'))
    .map(capabilityOfCode)
    .sort(compareVersions);
  const [lowest, highest] = [finished[0], finished.at(-1)];
  if (code === undefined || lowest === undefined) {
    const known = compiledBy(build.cuda ?? '');
    const range = known ? `, which supports compute capability ${known.lowest} to ${known.highest}` : '';
    return { words: `is built for CUDA ${build.cuda}${range}`, source };
  }
  const span = lowest === highest ? `${lowest} only` : `${lowest} to ${highest}`;
  return { words: `has code for compute capability ${span}`, source: code.source };
}

function newestMajor(code: readonly string[]): number {
  return Math.max(...code.map((each) => Number(majorOf(capabilityOfCode(each)))));
}

/** The last such image; NVIDIA maintained TensorFlow 1.15 for newer GPUs. */
const TENSORFLOW_1_OF_NVIDIA: Action[] = [
  {
    do: 'run',
    title: "For TensorFlow 1 code, use NVIDIA's own build",
    command: 'docker pull nvcr.io/nvidia/tensorflow:23.03-tf1-py3',
  },
];

export function remediesFor(
  facts: StackFacts,
  { framework, build }: InstalledFramework,
  how: 'newer' | 'older',
): Action[] {
  if (framework === 'torch') {
    const fitting = installFittingTorch(facts);
    return fitting.length > 0 ? fitting : whyNoTorch(facts);
  }
  if (framework === 'jax') return [{ do: 'install', title: 'Install JAX for CUDA 12', requirements: ['jax[cuda12]'] }];
  if (framework === 'onnxruntime') return [];
  const fitting = installFittingTensorflow(facts);
  const forOldCode = how === 'newer' && build.version.startsWith('1.') ? TENSORFLOW_1_OF_NVIDIA : [];
  if (fitting.length > 0) return [...fitting, ...forOldCode];
  if (how === 'older')
    return [
      {
        do: 'advise',
        title: 'Use an older Python, or the CPU: no TensorFlow for this Python has code for the GPU',
      },
    ];
  // The driver cannot compile code of its CUDA version either.
  if (build.cuda && compareVersions(build.cuda, '11') < 0)
    return [
      {
        do: 'advise',
        title:
          'Use a TensorFlow for a CUDA version that supports the GPU (2.4 or newer for RTX 30 and A100, 2.12 or newer for RTX 40 and H100)',
      },
      ...forOldCode,
    ];
  return [
    {
      do: 'advise',
      title: "Use NVIDIA's own TensorFlow container (nvcr.io/nvidia/tensorflow), which has code for the GPU",
    },
    {
      do: 'set',
      title: 'Cache the code that the driver compiles, so it is compiled only once',
      variable: 'CUDA_CACHE_MAXSIZE',
      value: '4294967296',
    },
  ];
}

/** ROCm wheels contain code for only a dozen of AMD's GPUs. */
export const gpuWithoutRocmCode: Judge = {
  id: 'gpu-without-rocm-code',
  judge(facts) {
    const torch = installedFrameworks(facts).find(({ framework }) => framework === 'torch');
    const amd = knownValue(facts.otherAccelerators)?.find(({ vendor }) => vendor === 'amd');
    const isPublished = /\+rocm[\d.]+$/.test(torch?.build.version ?? '');
    const code = torch?.build.rocm && isPublished ? codeOfRocm(torch.build.version, torch.build.rocm) : undefined;
    const overridden = knownValue(facts.variables)?.HSA_OVERRIDE_GFX_VERSION !== undefined;
    if (torch === undefined || amd === undefined || code === undefined || overridden) return [];
    const architectures = amd.devices.map(({ architecture }) => architecture ?? '');
    const [first] = architectures;
    if (!first || architectures.some((each) => each === '' || code.includes(each))) return [];
    const python = pythonMinor(facts);
    const newest = newestRocmFor(first, python);
    return [
      {
        severity: 'warning',
        finding: `${torch.title} has no code for AMD's ${listOf([...new Set(architectures)])}: it sees no GPU, or fails with "invalid device function".`,
        why: [
          { fact: `${first} was found`, source: amd.sign },
          {
            fact: `PyTorch's wheels of that release for ROCm ${torch.build.rocm} have code for ${code.join(', ')}`,
            source: torch.source,
          },
        ],
        remedies: () => [
          ...pretendingToBe(first),
          ...(newest === undefined
            ? [
                {
                  do: 'advise' as const,
                  title: 'Use the CPU: PyTorch publishes no build for this GPU and Python version',
                },
              ]
            : [
                installRocmWheels(
                  facts,
                  `Install torch ${newest.torch} for ROCm ${newest.rocm}, which has code for it,`,
                  newest.torch,
                  newest.rocm,
                ),
              ]),
        ],
      },
    ];
  },
};
