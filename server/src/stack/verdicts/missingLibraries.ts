import { type Fact, knownValue, type NvidiaLibrary, type StackFacts } from '../facts/facts.ts';
import { builtForCuda, type InstalledFramework, installedFrameworks, majorOf } from '../facts/installed.ts';
import { usableGpus } from '../facts/usableGpus.ts';
import { installing, onWindows, quoted, removing } from '../plan/installing.ts';
import type { Judge, Judgement } from './verdict.ts';

/** Wheels of TensorFlow and ONNX Runtime look for CUDA's libraries elsewhere: only the former's extra brings them. */
export const tensorflowWithoutCuda: Judge = {
  id: 'tensorflow-without-cuda',
  judge: (facts) =>
    withoutLibraries(facts, 'tensorflow', 'tensorflow[and-cuda]', knownValue(facts.frameworks.tensorflow)?.version),
};

export const onnxruntimeWithoutCuda: Judge = {
  id: 'onnxruntime-without-cuda',
  judge(facts) {
    // Where torch is imported first, ONNX Runtime finds what torch has loaded.
    if (builtForCuda(facts).some(({ framework }) => framework === 'torch')) return [];
    return withoutLibraries(facts, 'onnxruntime', 'onnxruntime-gpu[cuda,cudnn]', undefined);
  },
};

function withoutLibraries(
  facts: StackFacts,
  framework: 'tensorflow' | 'onnxruntime',
  requirement: string,
  version: string | undefined,
): Judgement[] {
  const installed = builtForCuda(facts).find((each) => each.framework === framework);
  // Windows has a search path of its own for each program, and versions such as "64_112".
  if (!installed?.build.cuda || onWindows(facts) || !usableGpus(facts)?.length) return [];
  if (carriesItsPaths(facts, installed)) return [];
  if (knownValue(facts.runtime[framework])?.devices.length) return [];
  const missing = missingLibraries(facts, installed);
  if (missing.length === 0) return [];
  const exact = version === undefined ? requirement : `${requirement}==${version}`;
  return [
    {
      severity: 'warning',
      finding: `${installed.title} needs ${missing.join(' and ')}, which ${missing.length > 1 ? 'are' : 'is'} nowhere to be found, so it runs on the CPU.`,
      why: [
        { fact: `${installed.title} is built for CUDA ${installed.build.cuda}`, source: installed.source },
        { fact: `no library of ${missing.join(' and ')}`, source: facts.cudaRuntimes.source },
      ],
      remedies: installing(facts, "Install it with CUDA's libraries", quoted(exact)),
    },
  ];
}

/** Builds of Nix and Guix, and modules of a cluster, know by themselves where their libraries lie. */
function carriesItsPaths({ variables }: StackFacts, { build: { folder } }: InstalledFramework): boolean {
  const modules = knownValue(variables)?.PYTHONPATH?.split(':') ?? [];
  return /^\/(nix|gnu)\/store\//.test(folder) || modules.includes(folder);
}

function missingLibraries(facts: StackFacts, { build }: InstalledFramework): string[] {
  const lacks = (found: Fact<NvidiaLibrary[]>, version: string | null) => {
    const libraries = knownValue(found);
    return libraries !== undefined && version !== null && !libraries.some((each) => sameMajor(each.version, version));
  };
  // Distributions tell the linker of a toolkit in ways that are not looked into.
  const toolkit = knownValue(facts.toolkits)?.some(({ version }) => sameMajor(version ?? '', build.cuda ?? ''));
  return [
    ...(!toolkit && lacks(facts.cudaRuntimes, build.cuda) ? [`CUDA ${majorOf(build.cuda ?? '')}`] : []),
    ...(lacks(facts.cudnns, build.cudnn) ? [`cuDNN ${majorOf(build.cudnn ?? '')}`] : []),
  ];
}

function sameMajor(left: string, right: string): boolean {
  return majorOf(left) === majorOf(right);
}

/** The packages of ONNX Runtime share one folder, so the one installed last is the one that runs. */
export const onnxruntimeOverwritten: Judge = {
  id: 'onnxruntime-overwritten',
  judge(facts) {
    const runtime = installedFrameworks(facts).find(({ framework }) => framework === 'onnxruntime');
    const gpu = runtime?.build.alsoInstalled.find((each) => each.startsWith('onnxruntime-gpu'));
    if (runtime?.build.target !== 'cpu' || gpu === undefined) return [];
    return [
      {
        severity: 'warning',
        finding: `${runtime.title} for the CPU was installed over ${gpu}, so ONNX Runtime does not use the GPU.`,
        why: [
          { fact: `${runtime.title} is the one whose files are there`, source: runtime.source },
          { fact: `${gpu} is recorded as well`, source: runtime.build.folder },
        ],
        remedies: [
          ...removing(facts, 'Remove the one for the CPU', 'onnxruntime'),
          ...installing(facts, 'Then write the files of the other one anew', 'onnxruntime-gpu', { anew: true }),
        ],
      },
    ];
  },
};
