import type { Action } from '../../commands/action.ts';
import { compareVersions } from '../../published/versions.ts';
import { isUnknown, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { builtForCuda, installedFrameworks, seesGpu } from '../../stack/facts/installed.ts';
import { type PackageTool, packageToolNamedIn } from '../../stack/facts/packageTool.ts';
import type { Judge, Judgement } from '../diagnosis.ts';

/** How to start each kind of container with access to the GPUs. */
const GIVING: Readonly<Record<string, Action[]>> = {
  Kubernetes: [requestingGpu('nvidia.com/gpu')],
  Podman: [starting('the GPUs', 'podman run --device nvidia.com/gpu=all IMAGE')],
  Apptainer: [starting("the host's driver", 'apptainer exec --nv IMAGE COMMAND')],
  Singularity: [starting("the host's driver", 'singularity exec --nv IMAGE COMMAND')],
};

const WITH_DOCKER: Action[] = [
  starting('the GPUs', 'docker run --gpus all IMAGE'),
  {
    do: 'edit',
    title: 'For a dev container: add "hostRequirements": {"gpu": "optional"} to devcontainer.json',
    file: 'devcontainer.json',
    change: 'add "hostRequirements": {"gpu": "optional"}',
  },
];

/** Starts the container with other options. */
export function starting(with_: string, command: string): Action {
  return { do: 'run', title: `Start the container with ${with_}`, command };
}

function requestingGpu(resource: string): Action {
  return { do: 'advise', title: `Request a GPU in the pod's resources: limits: {${resource}: 1}` };
}

/** ROCm's device files, and the groups that may open them. */
export const STARTING_WITH_ROCM = starting(
  'the device files and the groups that may open them',
  'docker run --device /dev/kfd --device /dev/dri --group-add video --group-add render --security-opt seccomp=unconfined IMAGE',
);

/** The host has a driver, but the container has neither device files nor the driver's libraries. */
export const containerWithoutGpu: Judge = {
  id: 'container-without-gpu',
  judge(facts) {
    const container = knownValue(facts.container);
    const module = knownValue(facts.kernelModule);
    if (container && RUNTIMES[container] !== undefined) return withoutGpuRuntime(facts, container, RUNTIMES[container]);
    if (container) {
      const ofRocm = withoutKfd(facts, container);
      if (ofRocm.length > 0) return ofRocm;
      if (isUnknown(facts.deviceFiles) && facts.deviceFiles.cause === 'notAsked') return seesNothing(facts, container);
    }
    // If nvidia-smi works, it has access to the GPUs.
    if (!container || module === undefined || smiAnswered(facts)) return [];
    if (builtForCuda(facts).length === 0 || !shutOut(facts)) return [];
    // A pod may not request GPUs, and a variable may exclude them.
    const asked = knownValue(facts.variables)?.NVIDIA_VISIBLE_DEVICES;
    const meant = container === 'Kubernetes' || asked === 'none' || asked === 'void';
    return [
      {
        severity: meant ? 'information' : 'warning',
        finding: `This container (${container}) was started without the host's GPUs.`,
        why: [
          { fact: `the host runs the NVIDIA driver ${module.version}`, source: facts.kernelModule.source },
          { fact: 'no device file of an NVIDIA GPU, or no driver library, in the container', source: '/dev' },
        ],
        remedies: () => GIVING[container] ?? WITH_DOCKER,
      },
    ];
  },
};

/**
 * For a container described by a text: a framework built for CUDA was run there, and neither it nor nvidia-smi sees a
 * GPU.
 */
function seesNothing(facts: StackFacts, container: string): Judgement[] {
  const { gpus, runtime } = facts;
  const [built] = builtForCuda(facts);
  const said = built && knownValue(runtime[built.framework]);
  if (!isUnknown(gpus) || gpus.cause !== 'absent' || !said || said.devices.length > 0) return [];
  return [
    {
      severity: 'warning',
      finding: `${built.title} sees no GPU and no driver in this container (${container}), as if it was started without the host's GPUs.`,
      why: [
        { fact: gpus.unknown, source: gpus.source },
        { fact: `${built.title} is built for CUDA`, source: built.source },
      ],
      remedies: () => GIVING[container] ?? WITH_DOCKER,
    },
  ];
}

/** How to get a GPU from notebook hosts. */
const RUNTIMES: Readonly<Record<string, string>> = {
  'Google Colab': 'Select a runtime with a GPU (Runtime > Change runtime type), which restarts the session',
  Kaggle: "Select a GPU as the notebook's accelerator (Settings > Accelerator), which restarts the session",
};

function withoutGpuRuntime(facts: StackFacts, host: string, title: string): Judgement[] {
  const { gpus } = facts;
  // Hosts without a GPU start an image with CPU builds of the frameworks.
  if (!isUnknown(gpus) || gpus.cause !== 'absent' || installedFrameworks(facts).length === 0) return [];
  return [
    {
      severity: 'information',
      finding: `This ${host} runtime has no GPU: moving to "cuda" fails.`,
      why: [{ fact: gpus.unknown, source: gpus.source }],
      remedies: () => [{ do: 'advise', title }],
    },
  ];
}

/** All GPUs are accessed through one ROCm file; the PCI bus shows the host's GPUs inside containers, too. */
function withoutKfd(facts: StackFacts, container: string): Judgement[] {
  const files = knownValue(facts.deviceFiles)?.map(({ path }) => path);
  const rocm = installedFrameworks(facts).find(({ build }) => build.target === 'rocm');
  if (rocm === undefined || files === undefined || files.includes('/dev/kfd') || files.includes('/dev/dxg')) return [];
  if (knownValue(facts.gpus)?.length || seesGpu(facts)) return [];
  const gpu = knownValue(facts.pciGpus)?.find(({ vendor, driver }) => vendor === 'amd' && driver === 'amdgpu');
  return [
    {
      severity: gpu === undefined || container === 'Kubernetes' ? 'information' : 'warning',
      finding: `This container (${container}) was started without /dev/kfd, which ROCm needs, so ${rocm.title} sees no GPU.`,
      why: [
        { fact: 'no /dev/kfd in the container', source: facts.deviceFiles.source },
        { fact: `${rocm.title} is built for ROCm`, source: rocm.source },
        ...(gpu
          ? [{ fact: `the host's amdgpu controls the GPU at ${gpu.address}`, source: facts.pciGpus.source }]
          : []),
      ],
      remedies: () => (container === 'Kubernetes' ? [requestingGpu('amd.com/gpu')] : [STARTING_WITH_ROCM]),
    },
  ];
}

function smiAnswered({ driverCuda, gpus }: StackFacts): boolean {
  return (
    knownValue(gpus) !== undefined ||
    !isUnknown(driverCuda) ||
    driverCuda.cause === 'failed' ||
    driverCuda.cause === 'unreadable'
  );
}

/** The host's kernel module and device files are useless without each other and the driver's libraries. */
function shutOut({ deviceFiles, driverLibraries }: StackFacts): boolean {
  const files = knownValue(deviceFiles);
  if (files !== undefined && !files.some(({ path }) => /^\/dev\/nvidia\d+$/.test(path))) return true;
  return knownValue(driverLibraries)?.length === 0;
}

/** The same, or the available libraries are unknown. */
export function mayBeShutOut(facts: StackFacts): boolean {
  return knownValue(facts.driverLibraries) === undefined || shutOut(facts);
}

/** Docker Desktop's virtual machine has no GPU on macOS and Linux; on Windows it is WSL. */
export const dockerDesktopWithoutGpu: Judge = {
  id: 'docker-desktop-without-gpu',
  judge(facts) {
    const kernel = knownValue(facts.os)?.kernel ?? '';
    const container = knownValue(facts.container);
    const [framework] = builtForCuda(facts);
    if (!container || !/linuxkit/.test(kernel) || framework === undefined) return [];
    if (knownValue(facts.gpus)?.length) return [];
    return [
      {
        severity: 'information',
        finding: `This container runs in Docker Desktop's virtual machine, which has no GPU on macOS and Linux; ${framework.title} runs on the CPU.`,
        why: [
          { fact: `kernel ${kernel}`, source: facts.os.source },
          { fact: framework.title, source: framework.source },
        ],
        remedies: () => [
          {
            do: 'run',
            title: 'On Linux: use Docker Engine with the NVIDIA Container Toolkit instead',
            command: 'docker context use default',
          },
          {
            do: 'advise',
            title: "On a Mac: run the program outside the container, where torch uses Apple's GPU (MPS)",
          },
        ],
      },
    ];
  },
};

/**
 * A container that lost its GPUs: systemd reloaded its units and, with them, its device rules. Older versions of the
 * container toolkit do not register their devices there. Source:
 * https://github.com/NVIDIA/nvidia-container-toolkit/issues/48
 */
export const containerLostGpus: Judge = {
  id: 'container-lost-gpus',
  judge({ container, gpus }) {
    const inside = knownValue(container);
    if (!inside || !isUnknown(gpus) || gpus.cause !== 'failed' || !/NVML: Unknown Error/.test(gpus.unknown)) return [];
    return [
      {
        severity: 'error',
        finding: `This container (${inside}) has lost its GPUs, as happens when the host's systemd reloads its units.`,
        why: [{ fact: gpus.unknown, source: gpus.source }],
        remedies: () => [
          { do: 'advise', title: 'Restart the container' },
          {
            do: 'run',
            title: "Then prevent it on the host: make the driver's device files known to systemd",
            command: 'sudo nvidia-ctk system create-dev-char-symlinks --create-all',
            continues: true,
          },
          {
            do: 'edit',
            title:
              'Or add "exec-opts": ["native.cgroupdriver=cgroupfs"] to /etc/docker/daemon.json, so that Docker keeps its own rules',
            file: '/etc/docker/daemon.json',
            change: 'add "exec-opts": ["native.cgroupdriver=cgroupfs"]',
            continues: true,
          },
        ],
      },
    ];
  },
};

const UPDATES: Readonly<Record<PackageTool, string>> = {
  apt: 'sudo apt-get update && sudo apt-get install',
  dnf: 'sudo dnf upgrade',
  pacman: 'sudo pacman -Syu',
  zypper: 'sudo zypper update',
};

/**
 * The first release whose library supports cgroup v2. Source:
 * https://github.com/NVIDIA/libnvidia-container/releases/tag/v1.8.0
 */
const FIRST_WITH_CGROUP2 = '1.8';

/**
 * The toolkit expects a kind of control groups that newer systems no longer have, so no container with a GPU starts.
 */
export const containerToolkitTooOld: Judge = {
  id: 'container-toolkit-too-old',
  judge({ containerToolkit, cgroup2, os }) {
    const toolkit = knownValue(containerToolkit);
    if (!toolkit?.setsDeviceRules || !knownValue(cgroup2)) return [];
    if (compareVersions(toolkit.version, FIRST_WITH_CGROUP2) >= 0) return [];
    const update = UPDATES[packageToolNamedIn(knownValue(os)?.name ?? '') ?? 'apt'];
    return [
      {
        severity: 'warning',
        finding: `NVIDIA's container toolkit ${toolkit.version} does not support this system's cgroup v2, so no container with a GPU starts ("cgroup subsystem devices not found").`,
        why: [
          { fact: `libnvidia-container ${toolkit.version}`, source: toolkit.path },
          { fact: 'only cgroup v2', source: cgroup2.source },
        ],
        remedies: () => [
          {
            do: 'run',
            title: "Update NVIDIA's container toolkit",
            command: `${update} nvidia-container-toolkit libnvidia-container1 libnvidia-container-tools`,
          },
          { do: 'run', title: 'Restart Docker', command: 'sudo systemctl restart docker', continues: true },
          {
            do: 'run',
            title:
              'Set no-cgroups = true in /etc/nvidia-container-runtime/config.toml and pass the device files by name',
            command:
              'docker run --gpus all --device /dev/nvidia0 --device /dev/nvidiactl --device /dev/nvidia-uvm IMAGE',
          },
        ],
      },
    ];
  },
};
