import type { Action } from '../../commands/action.ts';
import { onWindows } from '../../commands/shells.ts';
import { inCondaEnvironment } from '../../commands/writeAction.ts';
import { isWrittenSource } from '../../pasted/report.ts';
import {
  afterLastTensorflowWith,
  tensorflowReleases,
  tensorflowStillHas,
} from '../../published/releases/tensorflowReleases.ts';
import { torchReleases } from '../../published/releases/torchReleases.ts';
import { compareVersions } from '../../published/versions.ts';
import { isUnknown, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { anyOf, gpusAreThere, nameGpus } from '../../stack/facts/gpuName.ts';
import {
  builtForCuda,
  type InstalledFramework,
  installedFrameworks,
  pythonMinor,
} from '../../stack/facts/installed.ts';
import { onChip, usableGpus } from '../../stack/facts/usableGpus.ts';
import type { Judge, Judgement } from '../diagnosis.ts';
import {
  fittingWithNewestDriver,
  installFittingTorch,
  installTorchForRocm,
  installTorchForXpu,
  isOfConda,
  whyNoTorch,
} from '../remedies/installTorch.ts';
import { installJaxWithCuda } from '../remedies/startedByDriver.ts';
import { installFittingTensorflow } from '../remedies/tensorflow.ts';

export const cpuOnlyTorch: Judge = {
  id: 'cpu-only-torch',
  judge(facts) {
    const fitting = () => installFittingTorch(facts);
    const remedies = () => (fitting().length > 0 ? fitting() : whyNoTorch(facts));
    // A display card, for which no torch was ever built for this Python: only the CPU is left.
    const isHopeless = () =>
      knownValue(facts.driver) !== undefined && fitting().length === 0 && fittingWithNewestDriver(facts) === undefined;
    return cpuOnly(facts, 'torch', remedies).map((each) =>
      isHopeless() ? { ...each, severity: 'information' } : each,
    );
  },
};

/**
 * JAX and TensorFlow are installed as dependencies of other packages, so they count only if nothing else uses the GPU.
 */
export const cpuOnlyJax: Judge = {
  id: 'cpu-only-jax',
  judge(facts) {
    if (onWindows(facts) || (builtForCuda(facts).length > 0 && !isBackend(facts, 'jax'))) return [];
    if (knownValue(facts.variables)?.JAX_PLATFORMS === 'cpu') return [];
    return cpuOnly(facts, 'jax', () => installJax(facts));
  },
};

function installJax(facts: StackFacts): Action[] {
  const ofConda = knownValue(facts.frameworks.jax)?.installer === 'conda' && inCondaEnvironment(facts);
  return ofConda
    ? [{ do: 'condaInstall', title: "Install conda's build of jaxlib with CUDA", specs: ['jaxlib=*=*cuda*'] }]
    : installJaxWithCuda(facts);
}

export const cpuOnlyTensorflow: Judge = {
  id: 'cpu-only-tensorflow',
  judge(facts) {
    if (onWindows(facts) || builtForCuda(facts).length > 0) return [];
    const build = knownValue(facts.frameworks.tensorflow);
    // A user who installs this package wants the GPU.
    const wanted = build?.name === 'tensorflow-cpu';
    return cpuOnly(facts, 'tensorflow', () => installTensorflow(facts)).map((each) =>
      wanted ? { ...each, severity: 'information' } : each,
    );
  },
};

function installTensorflow(facts: StackFacts): Action[] {
  const fitting = installFittingTensorflow(facts);
  if (fitting.length > 0) return fitting;
  if (onChip(facts)) {
    return [
      {
        do: 'advise',
        title:
          "Install NVIDIA's own TensorFlow for this board's JetPack (https://docs.nvidia.com/deeplearning/frameworks/install-tf-jetson-platform/)",
      },
    ];
  }
  if (knownValue(facts.os)?.architecture === 'arm64') {
    const title = "Use NVIDIA's container (nvcr.io/nvidia/tensorflow): there are no CUDA wheels for Arm";
    return [{ do: 'advise', title }];
  }
  return [
    {
      do: 'advise',
      title: 'Use another Python, or update the driver: no TensorFlow is published for this Python, driver and GPU',
    },
  ];
}

function cpuOnly(
  facts: StackFacts,
  framework: 'torch' | 'jax' | 'tensorflow',
  remedies: Judgement['remedies'],
): Judgement[] {
  const installed = installedFrameworks(facts).find((each) => each.framework === framework);
  const gpus = usableGpus(facts);
  const board = knownValue(facts.board);
  const isOfAnother = Boolean(knownValue(facts.otherAccelerators)?.length);
  if (installed?.build.target === 'cpu' && hasNoGpuFacts(facts))
    return isOfAnother ? [] : [whateverIsThere(installed, remedies)];
  if (installed?.build.target !== 'cpu' || !(gpus?.length || (board && gpus === undefined))) return [];
  const what = gpus?.length ? anyOf(gpus) : `the GPU of ${board?.model ?? 'this board'}`;
  // Keras recommends installing a CPU build of torch beside JAX or TensorFlow on the GPU.
  const other = builtForCuda(facts).some((each) => each.framework !== 'onnxruntime');
  const driver = knownValue(facts.driver);
  return [
    {
      framework,
      severity: other && !isBackend(facts, framework) ? 'information' : 'warning',
      finding: `${installed.title} is built for the CPU only and cannot use ${what}.`,
      why: [
        { fact: `${installed.title} is built without CUDA`, source: installed.build.targetFrom ?? installed.source },
        ...heldByConda(facts, framework),
        ...(gpus?.length
          ? [
              {
                fact: isWrittenSource(facts.gpus.source)
                  ? nameGpus(gpus)
                  : `${nameGpus(gpus)} ${gpus.length === 1 ? 'works' : 'work'}${driver === undefined ? '' : ` with driver ${driver}`}`,
                source: facts.gpus.source,
              },
            ]
          : [{ fact: board?.model ?? "one of NVIDIA's systems on a chip", source: facts.board.source }]),
      ],
      remedies,
    },
  ];
}

/** True if a text or a record mentions no GPU: except on a Mac, there may be one. */
export function hasNoGpuFacts({ gpus, board, os }: StackFacts): boolean {
  return isUnknown(gpus) && gpus.cause === 'notAsked' && !knownValue(board) && knownValue(os)?.family !== 'macos';
}

function whateverIsThere(
  { framework, title, source, build }: InstalledFramework,
  remedies: Judgement['remedies'],
): Judgement {
  return {
    framework,
    severity: 'information',
    finding: `${title} is built for the CPU only and cannot use any GPU.`,
    why: [{ fact: `${title} is built without CUDA`, source: build.targetFrom ?? source }],
    remedies,
  };
}

/** Conda's `cpuonly` and its mutex block all CUDA builds, including those that another package requests. */
function heldByConda(facts: StackFacts, framework: string): Judgement['why'] {
  if (framework !== 'torch' || !isOfConda(facts)) return [];
  return (knownValue(facts.condaPackages) ?? [])
    .filter(({ name, build }) => name === 'cpuonly' || (name === 'pytorch-mutex' && build.includes('cpu')))
    .map(({ name, version, build }) => ({
      fact: `conda's ${name} ${version}${name === 'cpuonly' ? '' : ` (${build})`} allows only CPU builds`,
      source: facts.condaPackages.source,
    }));
}

function isBackend(facts: StackFacts, framework: string): boolean {
  return knownValue(facts.frameworks.keras)?.backend === framework;
}

/** Names that AMD gives only to graphics cards, in the generations for which ROCm builds contain code. */
const DISCRETE = /\bRX [67]\d00|\bRX 9\d{3}|\bInstinct\b|\bRadeon (?:VII|AI PRO|PRO [WV]\d)/i;

/** AMD or Intel wheels on a machine with an NVIDIA GPU, and vice versa. */
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
          finding: `${torch.title} is built for ${maker} GPUs and cannot use ${anyOf(nvidia)}.`,
          why: [
            { fact: `${torch.title} is built for ${target === 'rocm' ? 'ROCm' : 'XPU'}`, source: torch.source },
            { fact: `${gpusAreThere(nvidia)}, and no ${maker} GPU`, source: facts.gpus.source },
          ],
          remedies: () => installFittingTorch(facts),
        },
      ];
    }
    const amd = others.find(({ vendor }) => vendor === 'amd');
    // Integrated graphics have little memory of their own, and ROCm supports few of them.
    const card = amd?.devices.find(
      ({ memoryTotal, name }) => (memoryTotal ?? (DISCRETE.test(name) ? Infinity : 0)) >= 6 * 1024,
    );
    const xpu = others.find(({ vendor }) => vendor === 'intel');
    const arc = xpu?.devices[0];
    if (target === 'cpu' && nvidia.length === 0 && card === undefined && xpu && arc) {
      return [
        {
          severity: 'information',
          finding: `${torch.title} is built for the CPU only and cannot use the ${arc.name}.`,
          why: [
            { fact: `${torch.title} is built for the CPU`, source: torch.source },
            { fact: `${arc.name} was found`, source: xpu.sign },
          ],
          remedies: () => installTorchForXpu(facts, arc.name),
        },
      ];
    }
    const isForOthers = target === 'cuda' || target === 'cpu';
    if (!isForOthers || nvidia.length > 0 || amd === undefined || card === undefined) return [];
    return [
      {
        severity: 'information',
        finding: `${torch.title} is built for ${target === 'cuda' ? 'NVIDIA GPUs' : 'the CPU only'} and cannot use the AMD ${card.name}.`,
        why: [
          { fact: `${torch.title} is built for ${target === 'cuda' ? 'CUDA' : 'the CPU'}`, source: torch.source },
          { fact: `${card.name} was found`, source: amd.sign },
        ],
        remedies: () => installTorchForRocm(facts, card.architecture),
      },
    ];
  },
};

/** Rosetta runs programs for Intel processors on Apple's, and gives them no access to the GPU. */
export const pythonUnderRosetta: Judge = {
  id: 'python-under-rosetta',
  judge({ os, interpreter }) {
    const system = knownValue(os);
    const python = knownValue(interpreter);
    // This process may itself run under Rosetta.
    const apple = system?.architecture === 'arm64' || /^(Virtual)?Apple/.test(system?.processor ?? '');
    if (system?.family !== 'macos' || !apple || python?.architecture !== 'x64') return [];
    return [
      {
        severity: 'warning',
        finding:
          'This Python is built for Intel processors and runs through Rosetta: slowly, and without the Apple GPU.',
        why: [
          { fact: `${python.path} is built for x86-64`, source: interpreter.source },
          { fact: `the processor is ${system.processor ?? "one of Apple's"}`, source: os.source },
        ],
        remedies: () =>
          python.environment === 'conda'
            ? [
                {
                  do: 'run',
                  title: "Recreate the environment for Apple's processors",
                  command: 'CONDA_SUBDIR=osx-arm64 conda create -n NAME python',
                },
              ]
            : [
                {
                  do: 'run',
                  title: "Install a Python for Apple's processors",
                  command: 'arch -arm64 /opt/homebrew/bin/brew install python',
                },
                {
                  do: 'run',
                  title: 'Recreate the environment with it',
                  continues: true,
                  command: '/opt/homebrew/bin/python3 -m venv --clear .venv',
                },
              ],
      },
    ];
  },
};

/** New releases of TensorFlow do not support CUDA on native Windows. */
export const tensorflowOnWindows: Judge = {
  id: 'tensorflow-on-windows',
  judge(facts) {
    const tensorflow = knownValue(facts.frameworks.tensorflow);
    const gpus = usableGpus(facts);
    // Someone who names the CUDA version of their machine has a GPU for it.
    const named = knownValue(facts.toolkits)?.find(({ namedBy }) => namedBy === 'the text');
    const sign = gpus?.length
      ? { fact: gpusAreThere(gpus), source: facts.gpus.source }
      : named && { fact: `the text mentions CUDA ${named.version}`, source: named.root };
    if (!onWindows(facts) || !tensorflow || !sign || tensorflowStillHas('windows_cuda', tensorflow.version)) return [];
    const other = builtForCuda(facts).length > 0;
    return [
      {
        severity: other ? 'information' : 'warning',
        finding: `TensorFlow ${tensorflow.version} runs on the CPU: native Windows builds have not supported CUDA since ${afterLastTensorflowWith('windows_cuda')}.`,
        why: [
          { fact: `TensorFlow ${tensorflow.version} on Windows`, source: facts.frameworks.tensorflow.source },
          sign,
        ],
        remedies: () => [
          { do: 'run', title: "Run TensorFlow in WSL 2, which uses Windows' driver", command: 'wsl --install' },
          {
            do: 'run',
            title: "In WSL, install it with CUDA's libraries",
            continues: true,
            command: 'pip install "tensorflow[and-cuda]"',
          },
          {
            do: 'set',
            title: 'To stay on Windows, use Keras with the torch backend, which supports CUDA there',
            variable: 'KERAS_BACKEND',
            value: 'torch',
          },
        ],
      },
    ];
  },
};

/** A Python for which a framework has no wheels yet: pip finds none, or an old one to compile. */
export const pythonTooNew: Judge = {
  id: 'python-too-new',
  judge(facts) {
    const python = pythonMinor(facts);
    const torch = torchReleases().at(-1)?.python[1];
    const tensorflow = tensorflowReleases()[0]?.python[1];
    if (python === undefined || torch === undefined || tensorflow === undefined || !usableGpus(facts)?.length)
      return [];
    // An installed framework was published for this Python, or built here.
    if (compareVersions(python, torch) <= 0 || installedFrameworks(facts).length > 0) return [];
    if (facts.frameworks.torch && !('value' in facts.frameworks.torch)) return [];
    return [
      {
        severity: 'information',
        finding: `Python ${python} is too new: published wheels of PyTorch (up to ${torch}) and TensorFlow (up to ${tensorflow}) do not support it, so pip finds none ("No matching distribution found").`,
        why: [
          { fact: `Python ${python}`, source: facts.interpreter.source },
          { fact: 'neither torch nor TensorFlow is installed', source: facts.frameworks.torch.source },
        ],
        remedies: () => [
          { do: 'createEnvironment', title: 'Recreate the environment with an older Python', python: tensorflow },
        ],
      },
    ];
  },
};
