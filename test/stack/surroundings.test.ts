/** The surroundings of frameworks: each problem is reported, and a similar healthy machine is not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { type Description, describedMachine, verdictsOn } from './describedMachine.ts';

const RTX3090: Description = { gpus: ['NVIDIA GeForce RTX 3090 8.6'], driverCuda: '12.4', torch: '2.6.0+cu124' };
const H100 = 'NVIDIA H100 80GB HBM3 9.0';
const HGX: Description = { gpus: Array(8).fill(H100), driverCuda: '12.4', torch: '2.6.0+cu124' };
const SWITCHES = { '/dev/nvidia-nvswitch0': null, '/dev/nvidia-nvswitch1': null };
const PID = '/run/nvidia-fabricmanager/nv-fabricmanager.pid';
const USER = '/home/ada/.local/lib/python3.10/site-packages';
const HIP = { '/dev/kfd': null, '/dev/dri/renderD128': null };
const node = (gfx: string, bytes: string) => ({
  '/sys/class/kfd/kfd/topology/nodes/1/properties': `gfx_target_version ${gfx}\n`,
  '/sys/class/kfd/kfd/topology/nodes/1/mem_banks/0/properties': `size_in_bytes ${bytes}\n`,
});
const ARC = {
  '/sys/bus/pci/devices/0000:03:00.0/class': '0x030000',
  '/sys/bus/pci/devices/0000:03:00.0/vendor': '0x8086',
  '/sys/bus/pci/devices/0000:03:00.0/device': '0x56a0',
};
const ARC_DRIVER = { '/sys/bus/pci/devices/0000:03:00.0/driver': '/sys/bus/pci/drivers/i915' };
const I915 = { '/sys/bus/pci/drivers/i915/module': null };

const TENSORFLOW_2_4: Description = {
  gpus: ['NVIDIA GeForce RTX 2080 7.5'],
  driverCuda: '11.4',
  python: '3.8.10',
  packages: ['tensorflow==2.4.1'],
  inPackages: {
    'tensorflow/python/platform/build_info.py':
      "build_info = collections.OrderedDict([('cuda_version', '11.0'), ('cudnn_version', '8'), ('is_cuda_build', True)])\n",
  },
  env: { LD_LIBRARY_PATH: '/usr/local/cuda-11/lib64' },
};
const cuda11 = (runtime?: string) => ({
  '/usr/local/cuda-11/lib64/libcudart.so.11.0': null,
  ...(runtime && { [`/usr/local/cuda-11/lib64/libcudart.so.${runtime}`]: null }),
  '/usr/local/cuda-11/lib64/libcudnn.so.8': null,
});
const MISMATCH: Description = { smi: 'Failed to initialize NVML: Driver/library version mismatch\n' };
const libcuda = (version: string): Description => ({
  files: {
    '/proc/driver/nvidia/version':
      'NVRM version: NVIDIA UNIX x86_64 Kernel Module  384.130  Wed Mar 21 03:37:26 PDT 2018\n',
    [`/usr/lib/x86_64-linux-gnu/libcuda.so.${version}`]: null,
  },
  links: { '/usr/lib/x86_64-linux-gnu/libcuda.so.1': `libcuda.so.${version}` },
});

const ORIN: Description = {
  architecture: 'arm64',
  kernel: '5.15.148-tegra',
  files: {
    '/etc/nv_tegra_release': '# R36 (release), REVISION: 4.3, GCID: 1, BOARD: generic\n',
    '/proc/device-tree/model': 'NVIDIA Jetson AGX Orin Developer Kit\0',
  },
};
const THOR: Description = {
  ...ORIN,
  gpus: ['NVIDIA Thor 11.0'],
  driver: '580.00',
  files: {
    '/etc/nv_tegra_release': '# R38 (release), REVISION: 4.0, GCID: 1, BOARD: generic\n',
    '/proc/device-tree/model': 'NVIDIA Jetson AGX Thor Developer Kit\0',
  },
};
const GTX1650: Description = {
  platform: 'win32',
  python: '3.7.7',
  gpus: ['NVIDIA GeForce GTX 1650 7.5'],
  driver: '442.50',
};
const TENSORFLOW_2_1 = {
  'tensorflow_core/python/platform/build_info.py':
    "is_cuda_build = True\ncuda_version_number = '10.1'\ncudnn_version_number = '7'\n",
};
const WINDOWS_10_2 = {
  env: { CUDA_PATH: 'C:\\CUDA\\v10.2', PATH: 'C:\\CUDA\\v10.2\\bin;C:\\Windows\\System32' },
  files: { 'C:\\CUDA\\v10.2\\bin\\cudart64_102.dll': null, 'C:\\CUDA\\v10.2\\version.txt': 'CUDA Version 10.2.89' },
};

const CASES: readonly [about: string, machine: Description, verdicts: readonly string[]][] = [
  // Keras 2 next to a TensorFlow that requires Keras 3, or its own copy of Keras 2
  ['Keras 2 under TensorFlow 2.16', { packages: ['tensorflow==2.16.1', 'keras==2.15.0'] }, ['keras-too-old']],
  [
    'the same with tf_keras installed',
    {
      packages: ['tensorflow==2.16.1', 'keras==2.15.0', 'tf-keras==2.16.0'],
      env: { TF_USE_LEGACY_KERAS: '1' },
    },
    [],
  ],
  // Colab, which starts a CPU image if no GPU was selected
  ['Colab without a GPU', { torch: '2.9.0+cpu', env: { COLAB_RELEASE_TAG: 'release' } }, ['container-without-gpu']],
  ['Colab without a GPU and frameworks', { env: { COLAB_RELEASE_TAG: 'release' } }, []],
  ['the same torch elsewhere', { torch: '2.9.0+cpu' }, []],
  // Fabric manager
  ['NVSwitches without their service', { ...HGX, files: SWITCHES }, ['fabric-manager-not-running']],
  [
    'NVSwitches with their service',
    { ...HGX, files: { ...SWITCHES, [PID]: '812\n', '/proc/812/comm': 'nv-fabricmanage\n' } },
    [],
  ],
  [
    'a process id of the service that now belongs to another program',
    { ...HGX, files: { ...SWITCHES, [PID]: '812\n', '/proc/812/comm': 'bash\n' } },
    ['fabric-manager-not-running'],
  ],
  ['eight GPUs without switches', HGX, []],
  ['a container on such a host', { ...HGX, files: { ...SWITCHES, '/.dockerenv': null } }, []],
  // Persistence
  ['a server that releases its GPUs', { ...HGX, persistence: false }, ['persistence-mode-off']],
  ['a server that keeps them', { ...HGX, persistence: true }, []],
  ['a job on a server that releases them', { ...HGX, persistence: false, env: { CUDA_VISIBLE_DEVICES: '0,1' } }, []],
  ['a desktop that releases its GPU', { ...RTX3090, persistence: false }, []],
  // Containers
  [
    'a container that lost its GPUs',
    { torch: '2.6.0+cu124', smi: 'Failed to initialize NVML: Unknown Error', files: { '/.dockerenv': null } },
    ['container-lost-gpus'],
  ],
  [
    'the same sentence on the host',
    { torch: '2.6.0+cu124', smi: 'Failed to initialize NVML: Unknown Error' },
    ['nvidia-smi-failing'],
  ],
  [
    'Docker Desktop',
    { torch: '2.6.0+cu124', kernel: '6.6.31-linuxkit', files: { '/.dockerenv': null } },
    ['docker-desktop-without-gpu'],
  ],
  [
    'Docker Desktop with a CPU build of torch',
    { torch: '2.6.0+cpu', kernel: '6.6.31-linuxkit', files: { '/.dockerenv': null } },
    [],
  ],
  [
    'Docker Desktop on Windows',
    { ...RTX3090, kernel: '5.15.167.4-microsoft-standard-WSL2', files: { '/.dockerenv': null, '/dev/dxg': null } },
    [],
  ],
  // GPUs of other vendors
  [
    'a CPU build of torch with an AMD card',
    { torch: '2.6.0+cpu', files: { ...HIP, ...node('110000', '25753026560') } },
    ['build-for-other-gpu'],
  ],
  [
    'a CPU build of torch with integrated graphics',
    { torch: '2.6.0+cpu', files: { ...HIP, ...node('90012', '536870912') } },
    [],
  ],
  [
    'a CPU build of torch with an Intel Arc',
    { torch: '2.6.0+cpu', files: { ...ARC, ...I915 }, links: ARC_DRIVER },
    ['build-for-other-gpu'],
  ],
  [
    'a ROCm build of torch that supports the GPU',
    { torch: '2.6.0+rocm6.2', files: { ...HIP, ...node('110000', '25753026560') } },
    [],
  ],
  [
    'a ROCm build of torch that does not',
    { torch: '2.6.0+rocm6.2', files: { ...HIP, ...node('100301', '12884901888') } },
    ['gpu-without-rocm-code'],
  ],
  [
    'a GPU that is treated as a related one',
    {
      torch: '2.6.0+rocm6.2',
      env: { HSA_OVERRIDE_GFX_VERSION: '10.3.0' },
      files: { ...HIP, ...node('100301', '12884901888') },
    },
    [],
  ],
  // Boards
  ['a nightly wheel for servers on an Orin', { ...ORIN, torch: '2.7.0.dev20250123+cu124' }, ['build-for-other-board']],
  [
    "NVIDIA's own torch on it",
    { ...ORIN, inPackages: { 'torch/version.py': "__version__ = '2.5.0a0+872d972e41.nv24.08'\ncuda = '12.6'\n" } },
    [],
  ],
  ['a wheel for servers without code for Thor', { ...THOR, torch: '2.9.1+cu128' }, ['gpu-newer-than-build']],
  ['a wheel for servers with code for Thor', { ...THOR, torch: '2.9.1+cu130' }, []],
  // Pythons
  [
    'a Python for which nothing is published',
    { ...RTX3090, torch: undefined, python: '3.16.0', packages: ['numpy==2.4.0'] },
    ['python-too-new'],
  ],
  [
    'a Python for which something is published',
    { ...RTX3090, torch: undefined, python: '3.13.1', packages: ['numpy==2.4.0'] },
    [],
  ],
  ['a new Python without a GPU', { python: '3.16.0', packages: ['numpy==2.4.0'] }, []],
  // Variables and files that hide the environment's packages
  [
    'a torch on PYTHONPATH',
    {
      ...RTX3090,
      env: { PYTHONPATH: '/opt/lib' },
      files: {
        '/opt/lib/torch/version.py': "__version__ = '2.1.0+cu121'\ncuda = '12.1'\n",
        '/opt/lib/torch-2.1.0.dist-info/METADATA': null,
      },
    },
    ['hidden-installation'],
  ],
  [
    'a folder without torch on PYTHONPATH',
    { ...RTX3090, env: { PYTHONPATH: '/opt/lib' }, files: { '/opt/lib/mine.py': null } },
    [],
  ],
  [
    "a torch in the user's own folder, which a venv does not see",
    { ...RTX3090, files: { [`${USER}/torch/version.py`]: "__version__ = '2.1.0'\n" } },
    [],
  ],
  // Windows
  [
    'TensorFlow 2.1 with CUDA 10.2 on Windows',
    { ...GTX1650, ...WINDOWS_10_2, packages: ['tensorflow==2.1.0'], inPackages: TENSORFLOW_2_1 },
    ['tensorflow-without-cuda', 'known-fault'],
  ],
  [
    'TensorFlow 2.1 without any CUDA on Windows',
    { ...GTX1650, packages: ['tensorflow==2.1.0'], inPackages: TENSORFLOW_2_1 },
    ['known-fault'],
  ],
  // CUDA 11.0, whose cuSOLVER has another version than that of 11.1
  ['TensorFlow 2.4 with CUDA 11.1', { ...TENSORFLOW_2_4, files: cuda11('11.1.74') }, ['tensorflow-without-cuda']],
  ['TensorFlow 2.4 with CUDA 11.0', { ...TENSORFLOW_2_4, files: cuda11('11.0.221') }, []],
  [
    'TensorFlow 2.4 with CUDA 11.1 and the usual link',
    { ...TENSORFLOW_2_4, files: { ...cuda11('11.1.74'), '/usr/local/cuda-11/lib64/libcusolver.so.10': null } },
    [],
  ],
  [
    'TensorFlow 2.5 with a CUDA 11 that is only known by its name',
    { ...TENSORFLOW_2_4, packages: ['tensorflow==2.5.0'], files: cuda11() },
    [],
  ],
  // Libraries of another driver version than the kernel module
  ['a libcuda older than the module', { ...MISMATCH, ...libcuda('375.66') }, ['driver-library-mismatch']],
  // Keras versions
  ['a Keras of another release', { packages: ['tensorflow==2.10.1', 'keras==2.12.0'] }, ['keras-of-other-release']],
  ['the Keras of the release', { packages: ['tensorflow==2.10.1', 'keras==2.10.0'] }, []],
  ['Keras 3 with TensorFlow 2.15', { packages: ['tensorflow==2.15.0', 'keras==3.3.3'] }, ['packages-clash']],
  [
    'h5py 3 with TensorFlow 2.3',
    { packages: ['tensorflow==2.3.4', 'h5py==3.1.0', 'numpy==1.18.5'] },
    ['packages-clash'],
  ],
  ['h5py 2 with it', { packages: ['tensorflow==2.3.4', 'h5py==2.10.0', 'numpy==1.18.5'] }, []],
];

for (const [about, description, verdicts] of CASES) {
  test(about, async () => assert.deepEqual(await verdictsOn(description), verdicts));
}

test('a CPU build of torch causes a warning only if another build could use the GPU', async () => {
  const severityOn = (gpu: string, driver: string) =>
    severitiesOn({ gpus: [gpu], driver, python: '3.12.3', torch: '2.9.1+cpu' });
  assert.deepEqual(await severityOn('NVIDIA GeForce GT 710 3.5', '470.256.02'), [['cpu-only-torch', 'information']]);
  assert.deepEqual(await severityOn('NVIDIA GeForce RTX 3090 8.6', '550.54.15'), [['cpu-only-torch', 'warning']]);
  // Another driver would work.
  assert.deepEqual(await severityOn('NVIDIA GeForce RTX 3090 8.6', '418.39'), [['cpu-only-torch', 'warning']]);
});

test('for a driver that is too old for a family, a package that it supports is shown', async () => {
  const described = describedMachine({ ...RTX3090, packages: ['tensorrt-cu13==11.4.0.106'] });
  const verdict = judgeStack(await readStack(described)).find(({ id }) => id === 'driver-too-old');
  assert.deepEqual(
    verdict?.remedies.map(({ title }) => title),
    [
      'Update the NVIDIA driver to 580.65.06 or newer',
      'Remove tensorrt-cu13',
      'Install tensorrt-cu12, which this driver supports, with pip',
    ],
  );
});

/** Returns the diagnoses of a machine with their severity. */
async function severitiesOn(description: Description): Promise<[id: string, severity: string][]> {
  return judgeStack(await readStack(describedMachine(description))).map(({ id, severity }) => [id, severity]);
}

test('if some GPUs are supported, problems with the others are not errors', async () => {
  const installed: Description = {
    driver: '580.95.05',
    driverCuda: '13.0',
    torch: '2.9.1+cu128',
    packages: ['nvidia-cudnn-cu12==9.13.0.50'],
  };
  const v100 = 'Tesla V100-SXM2-32GB 7.0';
  assert.deepEqual(await severitiesOn({ ...installed, gpus: [v100] }), [['cudnn-without-gpu', 'error']]);
  const both = { ...installed, gpus: [v100, 'NVIDIA A100-SXM4-40GB 8.0'] };
  assert.deepEqual(await severitiesOn(both), [['cudnn-without-gpu', 'information']]);
});

test('a pinned release causes a note about architectures that nobody compiles for', async () => {
  const beside = (...packages: string[]) => severitiesOn({ ...RTX3090, packages });
  const loose = await beside('sentence-transformers==3.0.0 transformers==4.45.2', 'transformers==4.46.0');
  assert.deepEqual(loose, [['requirement-not-met', 'information']]);
  const bound = await beside('vllm==0.6.3 xformers==0.0.27.post2', 'xformers==0.0.28');
  assert.ok(bound.some(([id, severity]) => id === 'packages-clash' && severity === 'warning'));
});

test("code for TensorFlow 1 on a newer GPU is sent to NVIDIA's own build, newer code is not", async () => {
  const titlesFor = async (version: string) => {
    const described = describedMachine({
      ...TENSORFLOW_2_4,
      gpus: ['NVIDIA GeForce RTX 3090 8.6'],
      packages: [`tensorflow==${version}`],
      inPackages: {
        'tensorflow/python/platform/build_info.py':
          "build_info = collections.OrderedDict([('cuda_version', '10.1'), ('cudnn_version', '7'), ('is_cuda_build', True)])\n",
      },
    });
    const verdict = judgeStack(await readStack(described)).find(({ id }) => id === 'gpu-newer-than-build');
    return verdict?.remedies.map(({ title }) => title) ?? [];
  };
  const ofNvidia = "For TensorFlow 1 code, use NVIDIA's own build";
  assert.ok((await titlesFor('1.15.2')).includes(ofNvidia));
  const newer = await titlesFor('2.3.1');
  assert.ok(newer.length > 0 && !newer.includes(ofNvidia));
});
