import type { Known, OperatingSystem, OtherAccelerator, Unknown } from './facts.ts';
import { environmentVariable, listIfThere, type Machine, readTextIfThere, realPathIfThere } from './machine.ts';
import { known, readFact } from './readFact.ts';

export function readOperatingSystem(machine: Machine): Promise<Known<OperatingSystem> | Unknown> {
  const { architecture } = machine;
  switch (machine.platform) {
    case 'linux':
      return readFact(machine, '/etc/os-release', async () => {
        const release = await readTextIfThere(machine, '/etc/os-release');
        return { family: 'linux', name: release?.match(/^PRETTY_NAME="?(.*?)"?$/m)?.[1] ?? null, architecture };
      });
    case 'darwin': {
      const file = '/System/Library/CoreServices/SystemVersion.plist';
      return readFact(machine, file, async () => {
        const version = (await readTextIfThere(machine, file))?.match(
          /<key>ProductVersion<\/key>\s*<string>([^<]+)</,
        )?.[1];
        return { family: 'macos', name: version === undefined ? 'macOS' : `macOS ${version}`, architecture };
      });
    }
    case 'win32':
      return readFact(machine, 'Windows version', async () => ({
        family: 'windows',
        name: windowsName(machine.release),
        architecture,
      }));
    default:
      return readFact(machine, 'platform', async () => ({ family: 'other', name: machine.platform, architecture }));
  }
}

/** Windows 11 still calls itself 10.0; its builds begin at 22000. */
function windowsName(release: string): string {
  const build = Number(release.split('.')[2]);
  return build >= 22000 ? `Windows 11 (${release})` : `Windows ${release}`;
}

export async function readWsl(machine: Machine): Promise<Known<1 | 2 | null> | Unknown> {
  if (machine.platform !== 'linux') return known(machine, 'platform', null);
  const file = '/proc/sys/kernel/osrelease';
  return readFact(machine, file, async () => {
    const release = (await readTextIfThere(machine, file)) ?? '';
    if (!/microsoft/i.test(release)) return null;
    return /microsoft-standard|wsl2/i.test(release) ? 2 : 1;
  });
}

/** Signs of containers, the telling ones first. A variable's name or a file's path. */
const CONTAINER_SIGNS: { name: string; variable?: string; file?: string }[] = [
  { name: 'Google Colab', variable: 'COLAB_RELEASE_TAG' },
  { name: 'Kaggle', variable: 'KAGGLE_KERNEL_RUN_TYPE' },
  { name: 'GitHub Codespaces', variable: 'CODESPACES' },
  { name: 'Kubernetes', variable: 'KUBERNETES_SERVICE_HOST' },
  { name: 'Apptainer', variable: 'APPTAINER_CONTAINER' },
  { name: 'Singularity', variable: 'SINGULARITY_CONTAINER' },
  { name: 'Podman', file: '/run/.containerenv' },
  { name: 'Docker', file: '/.dockerenv' },
];

const CONTAINER_GROUPS: [RegExp, string][] = [
  [/kubepods/, 'Kubernetes'],
  [/libpod/, 'Podman'],
  [/docker/, 'Docker'],
  [/containerd/, 'containerd'],
  [/\/lxc/, 'LXC'],
];

export async function readContainer(machine: Machine): Promise<Known<string | null> | Unknown> {
  if (machine.platform !== 'linux') return known(machine, 'platform', null);
  for (const { name, variable, file } of CONTAINER_SIGNS) {
    if (variable !== undefined && environmentVariable(machine, variable)) return known(machine, variable, name);
    if (file !== undefined && (await realPathIfThere(machine, file)) !== undefined) return known(machine, file, name);
  }
  const file = '/proc/1/cgroup';
  const groups = await machine.readText(file).catch(() => '');
  return known(machine, file, CONTAINER_GROUPS.find(([pattern]) => pattern.test(groups))?.[1] ?? null);
}

const VARIABLES = [
  'CUDA_VISIBLE_DEVICES',
  'CUDA_DEVICE_ORDER',
  'NVIDIA_VISIBLE_DEVICES',
  'NVIDIA_DRIVER_CAPABILITIES',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  'CUDA_HOME',
  'CUDA_PATH',
  'CUDA_LAUNCH_BLOCKING',
  'CUDA_MODULE_LOADING',
  'PYTORCH_CUDA_ALLOC_CONF',
  'PYTORCH_ALLOC_CONF',
  'PYTORCH_NVML_BASED_CUDA_CHECK',
  'PYTORCH_ENABLE_MPS_FALLBACK',
  'TORCH_FORCE_WEIGHTS_ONLY_LOAD',
  'TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD',
  'TF_FORCE_GPU_ALLOW_GROWTH',
  'TF_USE_LEGACY_KERAS',
  'KERAS_BACKEND',
  'KERAS_HOME',
  'JAX_PLATFORMS',
  'XLA_FLAGS',
  'HIP_VISIBLE_DEVICES',
  'ROCR_VISIBLE_DEVICES',
  'HSA_OVERRIDE_GFX_VERSION',
  'PYTHONPATH',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
];

/** The variables that matter, as this process sees them; a terminal or a kernel may see others. */
export function readVariables(machine: Machine): Promise<Known<Record<string, string>> | Unknown> {
  return readFact(machine, 'environment of this process', async () => {
    const found: Record<string, string> = {};
    for (const name of VARIABLES) {
      const value = environmentVariable(machine, name);
      if (value !== undefined) found[name] = value;
    }
    return found;
  });
}

export function readOtherAccelerators(machine: Machine): Promise<Known<OtherAccelerator[]> | Unknown> {
  return readFact(machine, 'platform, /dev/kfd', async () => {
    if (machine.platform === 'darwin' && machine.architecture === 'arm64') {
      return [{ vendor: 'apple', api: 'mps', sign: 'macOS on arm64' }];
    }
    // ROCm's kernel interface exists wherever the amdgpu driver has a GPU that can compute.
    if (machine.platform === 'linux' && (await listIfThere(machine, '/dev')).includes('kfd')) {
      return [{ vendor: 'amd', api: 'rocm', sign: '/dev/kfd' }];
    }
    return [];
  });
}
