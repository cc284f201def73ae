import { isUnknown, knownValue, type StackFacts } from '../facts/facts.ts';
import { builtForCuda } from '../facts/installed.ts';
import { builtCudnnOf } from '../releases/gpuCode.ts';
import type { Judge, Judgement, Remedy } from './verdict.ts';

/** How each kind of container is given GPUs. */
const GIVING: Readonly<Record<string, Remedy[]>> = {
  Kubernetes: [{ title: "Ask for a GPU in the pod's resources: limits: {nvidia.com/gpu: 1}" }],
  Podman: [{ title: 'Start it with the GPUs', command: 'podman run --device nvidia.com/gpu=all IMAGE' }],
  Apptainer: [{ title: 'Start it with the driver of the host', command: 'apptainer exec --nv IMAGE COMMAND' }],
  Singularity: [{ title: 'Start it with the driver of the host', command: 'singularity exec --nv IMAGE COMMAND' }],
};

const WITH_DOCKER: Remedy[] = [
  { title: 'Start it with the GPUs', command: 'docker run --gpus all IMAGE' },
  { title: 'In a dev container: add to devcontainer.json: "hostRequirements": {"gpu": "optional"}' },
];

/** The host has a driver, and the container was given neither device files nor the driver's libraries. */
export const containerWithoutGpu: Judge = {
  id: 'container-without-gpu',
  judge(facts) {
    const container = knownValue(facts.container);
    const module = knownValue(facts.kernelModule);
    if (container && RUNTIMES[container] !== undefined) return withoutGpuRuntime(facts, container, RUNTIMES[container]);
    // An nvidia-smi that answers has reached the GPUs.
    if (!container || module === undefined || smiAnswered(facts)) return [];
    if (builtForCuda(facts).length === 0 || !shutOut(facts)) return [];
    // A pod asks for GPUs or goes without; a variable can say that none are wanted.
    const asked = knownValue(facts.variables)?.NVIDIA_VISIBLE_DEVICES;
    const meant = container === 'Kubernetes' || asked === 'none' || asked === 'void';
    return [
      {
        severity: meant ? 'information' : 'warning',
        finding: `This container (${container}) was not given the GPUs of its host.`,
        why: [
          { fact: `the host runs the NVIDIA driver ${module.version}`, source: facts.kernelModule.source },
          { fact: 'no device file of an NVIDIA GPU, or no driver library, in the container', source: '/dev' },
        ],
        remedies: GIVING[container] ?? WITH_DOCKER,
      },
    ];
  },
};

/** How the hosts of notebooks give one a GPU. */
const RUNTIMES: Readonly<Record<string, string>> = {
  'Google Colab': 'Choose one with a GPU (Runtime > Change runtime type), which starts anew',
  Kaggle: "Choose a GPU as the notebook's accelerator (Settings > Accelerator), which starts it anew",
};

function withoutGpuRuntime(facts: StackFacts, host: string, title: string): Judgement[] {
  const { gpus } = facts;
  if (!isUnknown(gpus) || gpus.cause !== 'absent' || builtForCuda(facts).length === 0) return [];
  return [
    {
      severity: 'information',
      finding: `This runtime of ${host} has no GPU: moving to "cuda" fails.`,
      why: [{ fact: gpus.unknown, source: gpus.source }],
      remedies: [{ title }],
    },
  ];
}

function smiAnswered({ driverCuda }: StackFacts): boolean {
  return !isUnknown(driverCuda) || driverCuda.cause === 'failed' || driverCuda.cause === 'unreadable';
}

/** Neither the host's module nor its device files help without the other and the driver's libraries. */
export function shutOut({ deviceFiles, driverLibraries }: StackFacts): boolean {
  const files = knownValue(deviceFiles);
  if (files !== undefined && !files.some(({ path }) => /^\/dev\/nvidia\d+$/.test(path))) return true;
  return knownValue(driverLibraries)?.length === 0;
}

const WSL_LIBRARIES = '/usr/lib/wsl/';

export const wslWithoutDriver: Judge = {
  id: 'wsl-without-driver',
  judge(facts) {
    const { wsl, gpus, driverLibraries } = facts;
    if (knownValue(wsl) !== 2 || !isUnknown(gpus) || gpus.cause !== 'absent') return [];
    if (knownValue(driverLibraries)?.length !== 0 || builtForCuda(facts).length === 0) return [];
    return [
      {
        // Whether the PC has a GPU of NVIDIA cannot be seen from here.
        severity: 'information',
        finding: 'Windows hands no NVIDIA driver to WSL, so a GPU of NVIDIA, if the PC has one, cannot be used here.',
        why: [
          { fact: 'no libcuda in WSL', source: `${WSL_LIBRARIES}lib` },
          { fact: gpus.unknown, source: gpus.source },
        ],
        remedies: [
          { title: "Install NVIDIA's driver (https://www.nvidia.com/drivers) in Windows, never in WSL" },
          {
            title: 'Then restart WSL, in a terminal of Windows',
            continues: true,
            command: 'wsl --update; wsl --shutdown',
          },
        ],
      },
    ];
  },
};

export const wslLinuxDriver: Judge = {
  id: 'wsl-linux-driver',
  judge(facts) {
    const [first] = knownValue(facts.driverLibraries) ?? [];
    if (knownValue(facts.wsl) !== 2 || first === undefined || first.path.startsWith(WSL_LIBRARIES)) return [];
    // Distributions may link to the library of Windows; one of their own has its version in its name.
    if (knownValue(facts.container) || !first.version.includes('.')) return [];
    return [
      {
        severity: 'warning',
        finding: `A Linux driver (${first.version}) is installed in WSL and hides the driver of Windows, which is the one that works here.`,
        why: [
          { fact: `libcuda ${first.version}`, source: first.path },
          { fact: 'WSL 2 has its driver from Windows', source: facts.wsl.source },
        ],
        remedies: [
          {
            title: 'Remove it',
            command: 'sudo apt-get purge "libnvidia-*" "nvidia-driver-*" "nvidia-utils-*" && sudo ldconfig',
          },
        ],
      },
    ];
  },
};

export const wslOfFirstVersion: Judge = {
  id: 'wsl-1',
  judge(facts) {
    if (knownValue(facts.wsl) !== 1 || builtForCuda(facts).length === 0) return [];
    return [
      {
        severity: 'information',
        finding: 'WSL 1 has no access to GPUs; WSL 2 has.',
        why: [{ fact: 'WSL version 1', source: facts.wsl.source }],
        remedies: [
          { title: 'Convert the distribution, in a terminal of Windows', command: 'wsl --set-version DISTRIBUTION 2' },
        ],
      },
    ];
  },
};

/**
 * cuDNN 8 and Triton open libcuda by its name without a number, which WSL has where the loader does not look.
 * Source: https://github.com/microsoft/WSL/issues/5663
 */
export const wslWithoutLibcudaLink: Judge = {
  id: 'wsl-without-libcuda-link',
  judge(facts) {
    const libraries = knownValue(facts.driverLibraries);
    const torch = knownValue(facts.frameworks.torch);
    const [first] = libraries ?? [];
    if (knownValue(facts.wsl) !== 2 || knownValue(facts.container) || first === undefined || torch?.target !== 'cuda')
      return [];
    if (!first.path.startsWith(WSL_LIBRARIES)) return [];
    const cudnn = builtCudnnOf(facts, 'torch')?.value;
    const opens = cudnn?.startsWith('8') || knownValue(facts.packages)?.some(({ name }) => name === 'triton');
    if (!opens || libraries?.some(({ hasPlainName }) => hasPlainName)) return [];
    return [
      {
        // The loader's cache may know more names than its folders show.
        severity: 'information',
        finding: `The loader finds libcuda.so.1 here and no libcuda.so, which ${cudnn?.startsWith('8') ? `cuDNN ${cudnn}` : 'Triton'} opens by that name ("Could not load library libcudnn_cnn_infer.so.8").`,
        why: [
          { fact: 'libcuda.so.1 alone', source: first.path },
          {
            fact: `torch ${torch.version}${cudnn ? ` with cuDNN ${cudnn}` : ''}`,
            source: facts.frameworks.torch.source,
          },
        ],
        remedies: [
          {
            title: 'Link it, and let the loader know',
            command: 'sudo ln -s /usr/lib/wsl/lib/libcuda.so.1 /usr/local/lib/libcuda.so && sudo ldconfig',
          },
          {
            title: 'Lead the loader to the folder of WSL',
            command: 'export LD_LIBRARY_PATH=/usr/lib/wsl/lib:$LD_LIBRARY_PATH',
          },
        ],
      },
    ];
  },
};
