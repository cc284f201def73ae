import { type Fact, knownValue, type NvidiaLibrary, type StackFacts } from '../facts.ts';
import { nameGpus } from '../gpuName.ts';
import { builtForCuda, type InstalledFramework, installedFrameworks, isAtLeast, majorOf } from './frameworks.ts';
import { usableGpus } from './gpus.ts';
import { installing, installingWithConda, onWindows, quoted, removing } from './installing.ts';
import { installFittingTorch } from './torchInstallation.ts';
import type { Judge, Judgement, Remedy } from './verdict.ts';

export const cpuOnlyTorch: Judge = {
  id: 'cpu-only-torch',
  judge(facts) {
    const remedies = installFittingTorch(facts);
    const noWheel = { title: 'No wheel of torch is known to fit this driver and GPU: update the NVIDIA driver first' };
    return cpuOnly(facts, 'torch', remedies.length > 0 ? remedies : [noWheel]);
  },
};

/** JAX and TensorFlow come along with other packages, so theirs counts only where nothing else uses the GPU. */
export const cpuOnlyJax: Judge = {
  id: 'cpu-only-jax',
  judge(facts) {
    if (onWindows(facts) || (builtForCuda(facts).length > 0 && !isBackend(facts, 'jax'))) return [];
    if (knownValue(facts.variables)?.JAX_PLATFORMS === 'cpu') return [];
    return cpuOnly(facts, 'jax', installing(facts, 'Install JAX with CUDA', quoted('jax[cuda12]')));
  },
};

export const cpuOnlyTensorflow: Judge = {
  id: 'cpu-only-tensorflow',
  judge(facts) {
    if (onWindows(facts) || builtForCuda(facts).length > 0) return [];
    const build = knownValue(facts.frameworks.tensorflow);
    const title = 'Install TensorFlow with CUDA';
    const remedies =
      build?.installer === 'conda'
        ? installingWithConda(facts, title, quoted('tensorflow=*=cuda*'))
        : installing(facts, title, quoted('tensorflow[and-cuda]'));
    // Whoever names it wants it.
    const wanted = build?.name === 'tensorflow-cpu';
    return cpuOnly(facts, 'tensorflow', remedies).map((each) => (wanted ? { ...each, severity: 'information' } : each));
  },
};

function cpuOnly(facts: StackFacts, framework: 'torch' | 'jax' | 'tensorflow', remedies: Remedy[]): Judgement[] {
  const installed = installedFrameworks(facts).find((each) => each.framework === framework);
  const gpus = usableGpus(facts);
  if (installed?.build.target !== 'cpu' || !gpus?.length) return [];
  // A torch for the CPU beside JAX or TensorFlow on the GPU is how Keras advises to install them.
  const other = builtForCuda(facts).some((each) => each.framework !== 'onnxruntime');
  const driver = knownValue(facts.driver);
  return [
    {
      severity: other && !isBackend(facts, framework) ? 'information' : 'warning',
      finding: `${installed.title} is built for the CPU only and cannot use the ${nameGpus(gpus)}.`,
      why: [
        { fact: `${installed.title} is built without CUDA`, source: installed.source },
        {
          fact: `${nameGpus(gpus)} works${driver === undefined ? '' : ` with driver ${driver}`}`,
          source: facts.gpus.source,
        },
      ],
      remedies,
    },
  ];
}

function isBackend(facts: StackFacts, framework: string): boolean {
  return knownValue(facts.frameworks.keras)?.backend === framework;
}

/** Wheels for AMD or Intel beside a GPU of NVIDIA, and the other way round. */
export const buildForOtherGpu: Judge = {
  id: 'build-for-other-gpu',
  judge(facts) {
    const torch = installedFrameworks(facts).find(({ framework }) => framework === 'torch');
    const target = torch?.build.target;
    const nvidia = knownValue(facts.gpus) ?? [];
    const others = knownValue(facts.otherAccelerators);
    if (torch === undefined || others === undefined) return [];
    if ((target === 'rocm' || target === 'xpu') && nvidia.length > 0 && !others.some(({ api }) => api === target)) {
      const maker = target === 'rocm' ? 'AMD' : 'Intel';
      return [
        {
          severity: 'warning',
          finding: `${torch.title} is built for GPUs of ${maker} and cannot use the ${nameGpus(nvidia)}.`,
          why: [
            { fact: `${torch.title} is built for ${target === 'rocm' ? 'ROCm' : 'XPU'}`, source: torch.source },
            { fact: `${nameGpus(nvidia)} is there, and none of ${maker}`, source: facts.gpus.source },
          ],
          remedies: installFittingTorch(facts),
        },
      ];
    }
    const amd = others.find(({ vendor }) => vendor === 'amd');
    // A graphics unit within the processor has little memory of its own, and ROCm runs on few of them.
    const card = amd?.devices.find(({ memoryTotal }) => (memoryTotal ?? 0) >= 6 * 1024);
    if (target !== 'cuda' || nvidia.length > 0 || amd === undefined || card === undefined) return [];
    return [
      {
        severity: 'information',
        finding: `${torch.title} is built for GPUs of NVIDIA and cannot use the ${card.name} of AMD.`,
        why: [
          { fact: `${torch.title} is built for CUDA`, source: torch.source },
          { fact: `${card.name} is there`, source: amd.sign },
        ],
        remedies: [
          {
            title: 'Install torch for ROCm: https://pytorch.org/get-started/locally/ names the index for your version',
          },
        ],
      },
    ];
  },
};

/** Rosetta runs programs for Intel's processors on Apple's, and shows them no GPU. */
export const pythonUnderRosetta: Judge = {
  id: 'python-under-rosetta',
  judge({ os, interpreter }) {
    const system = knownValue(os);
    const python = knownValue(interpreter);
    // This process may run through Rosetta itself.
    const apple = system?.architecture === 'arm64' || /^(Virtual)?Apple/.test(system?.processor ?? '');
    if (system?.family !== 'macos' || !apple || python?.architecture !== 'x64') return [];
    return [
      {
        severity: 'warning',
        finding:
          "This Python is built for Intel's processors and runs through Rosetta: slowly, and without the Apple GPU.",
        why: [
          { fact: `${python.path} is built for x86-64`, source: interpreter.source },
          { fact: `the processor is ${system.processor ?? "one of Apple's"}`, source: os.source },
        ],
        remedies:
          python.environment === 'conda'
            ? [
                {
                  title: "Make the environment anew for Apple's processors",
                  command: 'CONDA_SUBDIR=osx-arm64 conda create -n NAME python',
                },
              ]
            : [
                {
                  title: "Install a Python for Apple's processors",
                  command: 'arch -arm64 /opt/homebrew/bin/brew install python',
                },
                {
                  title: 'Make the environment anew with it',
                  command: '/opt/homebrew/bin/python3 -m venv --clear .venv',
                },
              ],
      },
    ];
  },
};

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

/** TensorFlow 2.10 was the last with CUDA on native Windows. */
export const tensorflowOnWindows: Judge = {
  id: 'tensorflow-on-windows',
  judge(facts) {
    const tensorflow = knownValue(facts.frameworks.tensorflow);
    const gpus = usableGpus(facts);
    if (!onWindows(facts) || !tensorflow || !gpus?.length || !isAtLeast(tensorflow.version, 2, 11)) return [];
    const other = builtForCuda(facts).length > 0;
    return [
      {
        severity: other ? 'information' : 'warning',
        finding: `TensorFlow ${tensorflow.version} runs on the CPU: from 2.11 on there is none with CUDA for Windows itself.`,
        why: [
          { fact: `TensorFlow ${tensorflow.version} on Windows`, source: facts.frameworks.tensorflow.source },
          { fact: `${nameGpus(gpus)} is there`, source: facts.gpus.source },
        ],
        remedies: [
          { title: 'Run it in WSL 2, which uses the driver of Windows', command: 'wsl --install' },
          { title: "There, install it with CUDA's libraries", command: 'pip install "tensorflow[and-cuda]"' },
          {
            title: 'Or stay on Windows with Keras on torch, which has CUDA there',
            command: '$env:KERAS_BACKEND = "torch"',
          },
        ],
      },
    ];
  },
};

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
