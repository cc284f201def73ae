/**
 * No diagnosis is made on the neighbor of its machine: the same machine with one fact changed so that it is healthy.
 * Unknown facts cause no diagnosis either.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { judgeStack, judges } from '../../server/src/diagnosis/judgeStack.ts';
import type { Fact, StackFacts } from '../../server/src/stack/facts/facts.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { hasAnswers, loadRecording, recordedMachine } from '../stack/recordedMachine.ts';
import { runtimeSeeing } from '../stack/runtimeSeeing.ts';

const MACHINES = fileURLToPath(new URL('../stack/machines/', import.meta.url));

/** The dotted path of a fact and its value on the neighbor; without a value, the fact is known to be nothing. */
type Neighbor = [machine: string, fact: string, value?: unknown];

const KERNEL_MODULE = { version: '570.124.06', open: true };
const NAMED_BY_PATH = { version: '12.4.1', root: '/usr/local/cuda', namedBy: 'nvcc on PATH' };
const SYSTEM_CUDNN = { version: '9.1.0', path: '/usr/lib/libcudnn.so.9', origin: 'system', package: null };
const LIBCUDA_OF_WSL = { version: '1', path: '/usr/lib/wsl/lib/libcuda.so.1', origin: 'system', package: null };
const ANOTHER_TF_KERAS = { name: 'tf-keras', version: '2.19.0', folder: '/site', alsoInstalled: [] };

const COMPAT = {
  version: '580.65.06',
  path: '/usr/local/cuda-13.0/compat/libcuda.so.1',
  origin: 'system',
  package: null,
};
const SEES_A_GPU = runtimeSeeing('2.7.1', { name: 'A GPU', api: 'cuda' });

/** For the first path of each, an unknown fact also prevents the diagnosis. */
const NEIGHBORS: Readonly<Record<string, Neighbor[]>> = {
  'driver-library-mismatch': [['driver-library-mismatch', 'gpus', []]],
  'driver-not-running': [
    ['kernel-updated', 'pciGpus.0.vendor', 'amd'],
    // Assigned to a virtual machine on purpose.
    ['kernel-updated', 'pciGpus.0.driver', 'vfio-pci'],
    ['kernel-updated', 'kernelModule', KERNEL_MODULE],
    ['nouveau', 'container', 'Docker'],
    ['nouveau', 'wsl', 2],
  ],
  'gpu-not-started': [
    ['blackwell-with-closed-module', 'pciGpus', []],
    ['blackwell-with-closed-module', 'pciGpus.0.driver', 'vfio-pci'],
    ['blackwell-with-closed-module', 'container', 'Docker'],
    // A scheduler job that requested no GPU.
    ['blackwell-with-closed-module', 'deviceFiles', [{ path: '/dev/nvidia0', usable: false }]],
  ],
  'nvidia-smi-failing': [['nvidia-smi-dies', 'gpus', []]],
  'nvidia-smi-not-permitted': [
    ['nvidia-smi-not-permitted', 'gpus', []],
    ['wsl2-blocked', 'driverLibraries', [{ ...LIBCUDA_OF_WSL, version: '510.108.03', path: '/usr/lib/libcuda.so.1' }]],
  ],
  'container-lost-gpus': [
    ['container-lost-gpus', 'gpus', []],
    ['container-lost-gpus', 'container'],
  ],
  'docker-desktop-without-gpu': [
    ['docker-desktop', 'os.kernel', '6.8.0-85-generic'],
    ['docker-desktop', 'container'],
    ['docker-desktop', 'gpus', [{ index: 0, name: 'NVIDIA A100', computeCapability: '8.0', migInstances: [] }]],
    ['docker-desktop', 'frameworks.torch.target', 'cpu'],
  ],
  'container-without-gpu': [
    ['docker-without-gpus', 'container'],
    ['docker-without-gpus', 'frameworks.torch.target', 'cpu'],
    ['colab-without-gpu', 'gpus', []],
    ['kaggle-without-gpu', 'container'],
    ['rocm-container-without-kfd', 'container'],
    ['rocm-container-without-kfd', 'deviceFiles', [{ path: '/dev/kfd', usable: true }]],
    ['rocm-container-without-kfd', 'frameworks.torch.target', 'cpu'],
    ['rocm-container-without-kfd', 'runtime.torch', SEES_A_GPU],
  ],
  'container-toolkit-too-old': [
    ['container-toolkit-before-cgroup2', 'containerToolkit.version', '1.8.0'],
    ['container-toolkit-before-cgroup2', 'containerToolkit.setsDeviceRules', false],
    ['container-toolkit-before-cgroup2', 'cgroup2', false],
  ],
  'fabric-manager-not-running': [
    ['h100-without-fabric-manager', 'fabric.managerRuns', true],
    ['h100-without-fabric-manager', 'fabric'],
    ['h100-without-fabric-manager', 'runtime.torch', SEES_A_GPU],
  ],
  'nvidia-uvm-missing': [
    ['unified-memory-file-missing', 'deviceFiles', [{ path: '/dev/nvidia-uvm', usable: true }]],
    // CUDA creates the file when it first starts, as on a desktop that was just booted.
    ['unified-memory-file-missing', 'kernelModule.modprobe', true],
    ['unified-memory-file-missing', 'board', { model: 'NVIDIA Jetson AGX Orin', l4t: '36.4' }],
    ['unified-memory-file-missing', 'wsl', 2],
    ['unified-memory-file-missing', 'runtime.torch', SEES_A_GPU],
  ],
  'amd-gpu-not-permitted': [
    ['rocm-not-in-render-group', 'deviceFiles.1.usable', true],
    ['rocm-not-in-render-group', 'frameworks.torch.target', 'cpu'],
  ],
  'cuda-library-missing': [
    ['container-with-utility-only', 'driverCuda', '12.8'],
    ['container-with-utility-only', 'runtime.torch', SEES_A_GPU],
    ['container-with-utility-only', 'board', { model: 'NVIDIA Jetson AGX Orin', l4t: '36.4' }],
  ],
  'forward-compatibility-on-geforce': [
    ['compat-on-geforce', 'gpus.0.name', 'Tesla T4'],
    ['compat-on-geforce', 'driverLibraries.0.version', '535.183.06'],
    ['compat-older-than-the-driver', 'kernelModule.version', '470.57.02'],
    ['compat-for-newer-than-the-gpu', 'gpus.0.computeCapability', '8.0'],
    ['compat-mounted-by-runtime', 'gpus.0.name', 'Tesla T4'],
    ['compat-mounted-by-runtime', 'container'],
    ['compat-mounted-by-runtime', 'driverLibraries.0.version', '535.183.06'],
  ],
  'wsl-linux-driver': [
    ['wsl2-with-linux-driver', 'driverLibraries', [LIBCUDA_OF_WSL]],
    ['wsl2-with-linux-driver', 'wsl'],
    ['wsl2-with-linux-driver', 'container', 'Docker'],
  ],
  'wsl-without-driver': [
    ['wsl2-without-driver', 'driverLibraries', [LIBCUDA_OF_WSL]],
    ['wsl2-without-driver', 'frameworks.torch.target', 'cpu'],
  ],
  'wsl-1': [
    ['wsl1', 'wsl', 2],
    ['wsl1', 'frameworks.torch.target', 'cpu'],
  ],
  'wsl-without-libcuda-link': [
    ['wsl2-without-libcuda-link', 'driverLibraries.0.hasPlainName', true],
    ['wsl2-without-libcuda-link', 'container', 'Docker'],
    ['wsl2-without-libcuda-link', 'frameworks.torch.target', 'cpu'],
  ],
  'driver-too-old': [
    // The driver's version and its supported CUDA are alternatives: either decides.
    ['driver-too-old', 'frameworks.torch'],
    ['driver-too-old', 'driver', '580.95.05'],
    // The package cuda-compat, which NVIDIA's data center GPUs allow.
    ['driver-too-old', 'variables', { LD_LIBRARY_PATH: '/usr/local/cuda/compat' }],
    ['driver-too-old', 'driverLibraries', [COMPAT]],
    ['driver-too-old-in-container', 'driverLibraries.0.version', '535.183.06'],
    ['driver-too-old', 'runtime.torch', SEES_A_GPU],
    ['driver-too-old', 'driverCuda', '13.0'],
    ['driver-too-old', 'board', { model: 'NVIDIA Jetson AGX Orin', l4t: '36.4' }],
  ],
  'build-for-other-board': [
    ['jetson-wheel-of-other-jetpack', 'board'],
    ['jetson-wheel-of-other-jetpack', 'frameworks.torch.cuda', '10.2'],
    // Installed next to JetPack's, or provided by a container.
    [
      'jetson-wheel-of-other-jetpack',
      'cudaRuntimes',
      [{ version: '10.0', path: '/usr/local/cuda-10.0/lib64/libcudart.so', origin: 'toolkit', package: null }],
    ],
  ],
  'hidden-installation': [['user-site-hides-torch', 'frameworks.torch.hides']],
  'gpu-older-than-build': [
    ['gtx1080-with-cuda13', 'gpus.0.computeCapability', '8.6'],
    ['gtx1080-with-cuda13', 'variables', { CUDA_VISIBLE_DEVICES: '-1' }],
  ],
  'gpu-newer-than-build': [
    ['blackwell-with-old-wheel', 'gpus.0.computeCapability', '8.9'],
    ['own-build-for-ampere', 'gpus.0.computeCapability', '8.6'],
  ],
  'gpu-without-rocm-code': [
    ['rocm-without-code-for-the-gpu', 'otherAccelerators.0.devices.0.architecture', 'gfx1100'],
    ['rocm-without-code-for-the-gpu', 'variables', { HSA_OVERRIDE_GFX_VERSION: '11.0.0' }],
    // AMD's own wheels and builds from source.
    ['rocm-without-code-for-the-gpu', 'frameworks.torch.version', '2.6.0'],
  ],
  'gpus-hidden': [
    ['gpus-hidden', 'variables', {}],
    ['gpus-hidden', 'frameworks.torch.target', 'cpu'],
  ],
  'visible-device-missing': [
    ['visible-devices-missing', 'variables', { CUDA_VISIBLE_DEVICES: '0,1' }],
    ['visible-devices-missing', 'variables', { CUDA_VISIBLE_DEVICES: '0,-1' }],
  ],
  'mig-shows-one-instance': [
    ['mig-named-by-number', 'gpus', []],
    ['mig-named-by-number', 'variables', { CUDA_VISIBLE_DEVICES: '0' }],
    ['mig-named-by-number', 'variables', { CUDA_VISIBLE_DEVICES: 'MIG-c7384736-a75d-5afc-978f-d2f1294409fd' }],
  ],
  'gpu-in-exclusive-mode': [['exclusive-mode', 'gpus', []]],
  'cpu-only-torch': [
    ['rtx3090-cpu-torch', 'frameworks.torch.target', 'cuda'],
    ['rtx3090-cpu-torch', 'gpus', []],
    ['rtx3090-cpu-torch', 'variables', { CUDA_VISIBLE_DEVICES: '-1' }],
  ],
  'cpu-only-tensorflow': [
    ['tensorflow-cpu', 'frameworks.tensorflow.target', 'cuda'],
    ['tensorflow-cpu', 'gpus', []],
  ],
  'cpu-only-jax': [
    ['jax-for-the-cpu', 'frameworks.jax.target', 'cuda'],
    ['jax-for-the-cpu', 'gpus', []],
    ['jax-for-the-cpu', 'variables', { JAX_PLATFORMS: 'cpu' }],
    ['jax-for-the-cpu', 'os.family', 'windows'],
  ],
  'build-for-other-gpu': [
    ['cuda-torch-on-radeon', 'otherAccelerators', []],
    ['cuda-torch-on-radeon', 'otherAccelerators.0.devices.0.memoryTotal', 512],
    ['cuda-torch-on-radeon', 'frameworks.torch.target', 'rocm'],
    ['rocm-torch-on-nvidia', 'gpus', []],
    ['rocm-with-cpu-torch', 'otherAccelerators', []],
    ['intel-arc-with-cpu-torch', 'otherAccelerators', []],
  ],
  'python-under-rosetta': [
    ['mac-with-intel-python', 'interpreter.architecture', 'arm64'],
    ['mac-with-intel-python', 'os', { family: 'macos', architecture: 'x64', processor: 'Intel Core i7', kernel: '' }],
  ],
  'tensorflow-on-windows': [
    ['windows-tensorflow', 'frameworks.tensorflow.version', '2.10.1'],
    ['windows-tensorflow', 'os.family', 'linux'],
    ['windows-tensorflow', 'gpus', []],
  ],
  'tensorflow-without-cuda': [
    ['tensorflow-without-cuda-libraries', 'gpus', []],
    // A Nix build knows the location of its libraries.
    ['tensorflow-without-cuda-libraries', 'frameworks.tensorflow.folder', '/nix/store/x/lib/python3.12/site-packages'],
    ['conda-libraries-off-the-path', 'variables', { LD_LIBRARY_PATH: '/home/ada/miniconda3/envs/ml/lib' }],
  ],
  'onnxruntime-overwritten': [
    ['onnxruntime-over-gpu-build', 'frameworks.onnxruntime.alsoInstalled', []],
    ['onnxruntime-over-gpu-build', 'frameworks.onnxruntime.target', 'cuda'],
    ['onnxruntime-over-gpu-build', 'gpus', []],
  ],
  'onnxruntime-without-cuda': [
    ['onnxruntime-without-cuda', 'gpus', []],
    ['onnxruntime-without-cuda', 'os.family', 'windows'],
  ],
  'cudnn-of-other-major': [['cudnn-upgraded-beyond-torch', 'loadedCudnn.torch.version', '8.9.2']],
  'cudnn-older-than-build': [
    ['tensorflow-beside-older-torch', 'loadedCudnn.tensorflow.version', '9.10.2'],
    ['torch-loads-older-cudnn', 'runtime.torch.cudnn', '9.10.2'],
  ],
  'cudnn-without-gpu': [
    ['volta-with-new-cudnn', 'loadedCudnn.torch.version', '9.10.2'],
    ['volta-with-new-cudnn', 'gpus.0.computeCapability', '7.5'],
  ],
  'cudnn-shadowed': [
    ['cudnn-on-library-path', 'cudnns.1.version', '9.10.2'],
    ['cudnn-on-library-path', 'cudnns.1.origin', 'system'],
  ],
  'library-path-shadows': [
    ['older-toolkit-on-library-path', 'libraryPath.0.libraries', ['libcublas.so.12']],
    ['older-toolkit-on-library-path', 'toolkits', [{ ...NAMED_BY_PATH, root: '/usr/local/cuda-12.1' }]],
    ['older-toolkit-on-library-path', 'frameworks.torch.version', '2.6.0+cu124'],
    ['jax-beside-older-nvjitlink', 'frameworks.jax.version', '0.9.0'],
    ['jax-beside-older-nvjitlink', 'libraryPath.0.libraries', ['libcublas.so.12']],
    ['jax-beside-older-nvjitlink', 'nvidiaWheels', []],
  ],
  'library-link-broken': [
    ['cudnn-link-broken', 'brokenLinks', []],
    ['cudnn-link-broken', 'frameworks.torch.target', 'cpu'],
  ],
  'nvidia-wheels-overwrite': [['torch-cu13-beside-jax-cu12', 'nvidiaWheels', []]],
  'nvidia-wheels-older': [['tensorflow-pinned-older-wheels', 'frameworks.torch.pinned', []]],
  'installed-twice': [
    ['torch-upgraded-halfway', 'frameworks.torch.alsoInstalled', []],
    ['pip-over-conda', 'condaPackages', []],
  ],
  'keras-backend-missing': [
    ['keras-told-to-use-jax', 'frameworks.keras.installedBackends', ['jax']],
    ['keras-told-to-use-jax', 'frameworks.keras.backend', 'numpy'],
  ],
  'keras-too-old': [['keras2-under-new-tensorflow', 'frameworks.keras.version', '3.12.0']],
  'keras-of-other-release': [
    ['two-kerases', 'frameworks.tensorflow.version', '2.16.1'],
    ['two-kerases', 'frameworks.keras'],
  ],
  'tf-keras-missing': [
    ['legacy-keras-missing', 'variables', {}],
    ['legacy-keras-missing', 'frameworks.tfKeras', ANOTHER_TF_KERAS],
  ],
  'torchvision-of-other-build': [
    ['torchvision-of-cpu-index', 'frameworks.torchvision.cuda', '12.8'],
    // Without a tag, the CUDA version of the build is unknown.
    ['torchvision-of-cpu-index', 'frameworks.torchvision.target'],
  ],
  'torchvision-of-other-release': [
    ['torchvision-of-older-release', 'frameworks.torchvision'],
    // A build from source follows no table.
    ['torchvision-of-older-release', 'frameworks.torch.version', '2.9.0a0+git123'],
  ],
  'jax-plugin-of-other-release': [['jax-plugin-of-newer-release', 'packages', []]],
  'packages-clash': [
    ['vllm-of-other-torch', 'frameworks.torch.version', '2.1.2+cu121'],
    ['vllm-of-other-torch', 'packages', []],
    ['h5py-3-with-old-keras', 'frameworks.tensorflow.version', '2.4.0'],
  ],
  'requirement-not-met': [['vllm-of-other-torch', 'distributions.2.requires', []]],
  'built-for-other-torch': [['flash-attn-before-torch', 'packages', []]],
  'packages-overwrite': [
    ['two-cupys', 'packages.1.name', 'numpy'],
    ['two-cupys', 'packages.1.folder', '/elsewhere'],
  ],
  'files-lost': [['onnxruntime-lost-its-files', 'distributions', []]],
  'wheel-of-other-python': [
    ['packages-of-older-python', 'interpreter.version', '3.11.4'],
    ['packages-of-older-python', 'distributions.0.tags', ['cp39-abi3-manylinux_2_28_x86_64']],
    ['packages-of-older-python', 'distributions.0.tags', ['py3-none-manylinux_2_28_x86_64']],
  ],
  'package-without-gpu-code': [
    ['llama-cpp-for-the-cpu', 'packages.0.gpuCode.files', ['libggml-cuda.so']],
    ['llama-cpp-for-the-cpu', 'gpus', []],
  ],
  'package-without-this-gpu': [
    ['flash-attn-on-turing', 'gpus.0.computeCapability', '8.0'],
    ['bitsandbytes-on-a-mac', 'packages', []],
  ],
  'package-without-library': [
    ['ctranslate2-without-cudnn', 'cudnns', [SYSTEM_CUDNN]],
    ['ctranslate2-without-cudnn', 'gpus', []],
  ],
  'known-fault': [['tensorflow-2.1-on-turing', 'gpus.0.computeCapability', '7.0']],
  'framework-does-not-import': [['torch-does-not-import', 'runtime.torch']],
  'framework-sees-no-gpu': [['unified-memory-module-broken', 'gpus', []]],
  'framework-reports-trouble': [['torch-warns-of-something', 'runtime.torch.failure']],
  'nvidia-smi-missing': [
    ['container-without-nvidia-smi', 'driverCuda', '12.8'],
    ['container-without-nvidia-smi', 'driverLibraries', []],
  ],
  'device-order': [
    ['two-models-by-number', 'variables', {}],
    ['two-models-by-number', 'variables', { CUDA_VISIBLE_DEVICES: '0', CUDA_DEVICE_ORDER: 'PCI_BUS_ID' }],
  ],
  'toolkit-of-other-cuda': [
    ['toolkit-of-cuda-11', 'toolkits', [NAMED_BY_PATH]],
    ['toolkit-of-cuda-11', 'frameworks.torch.cuda', '11.8'],
  ],
  'toolkit-missing': [
    ['deepspeed-without-toolkit', 'toolkits', [NAMED_BY_PATH]],
    ['deepspeed-without-toolkit', 'gpus', []],
    ['deepspeed-without-toolkit', 'frameworks.torch.cuda'],
  ],
  'cuda-home-missing': [
    ['cuda-home-gone', 'variables', {}],
    ['cuda-home-gone', 'frameworks.torch.target', 'cpu'],
  ],
  'toolkit-older-than-gpu': [
    ['toolkit-older-than-gpu', 'toolkits', [{ ...NAMED_BY_PATH, version: '13.1.0' }]],
    ['toolkit-older-than-gpu', 'gpus.0.computeCapability', '7.5'],
    ['toolkit-older-than-gpu', 'frameworks.torch.cuda'],
  ],
  'ptx-newer-than-driver': [
    ['jax-with-newer-toolkit-than-driver', 'frameworks.jax.version', '0.4.1'],
    ['jax-with-newer-toolkit-than-driver', 'driverCuda', '11.6'],
    ['jax-with-newer-toolkit-than-driver', 'board', { model: 'NVIDIA Jetson AGX Orin', l4t: '36.4' }],
  ],
  'xla-without-libdevice': [
    ['conda-without-libdevice', 'toolkits', [NAMED_BY_PATH]],
    ['conda-without-libdevice', 'variables', { XLA_FLAGS: '--xla_gpu_cuda_data_dir=/opt/cuda' }],
    ['conda-without-libdevice', 'frameworks.tensorflow.installer', 'conda'],
  ],
  'gpu-memory-nearly-full': [
    ['memory-full', 'gpus', []],
    ['memory-full', 'variables', { CUDA_VISIBLE_DEVICES: '-1' }],
  ],
  'persistence-mode-off': [
    ['h100-without-fabric-manager', 'gpus.0.persistence', true],
    ['h100-without-fabric-manager', 'variables', { CUDA_VISIBLE_DEVICES: '0' }],
    ['h100-without-fabric-manager', 'container', 'Docker'],
  ],
  'python-too-new': [
    ['python-too-new', 'interpreter.version', '3.13.1'],
    ['python-too-new', 'frameworks.torch', { name: 'torch', version: '2.99', alsoInstalled: [], pinned: [] }],
    ['python-too-new', 'gpus', []],
  ],
};

/**
 * Facts that a text does not report and that are assumed to be as usual, because the diagnosis is true in either case.
 */
const AS_USUAL: Readonly<Record<string, string[]>> = {
  // No variable hides the GPUs.
  'cpu-only-torch': ['gpus', 'variables'],
  'gpu-memory-nearly-full': ['variables'],
  'mig-shows-one-instance': ['variables'],
  // Nothing else uses the GPU, and the system is not Windows, which has its own diagnosis for this.
  'cpu-only-jax': ['frameworks'],
  'cpu-only-tensorflow': ['os'],
  // nvidia-smi fails for any reason; if the reason is known, another diagnosis names it.
  'nvidia-smi-failing': ['container'],
  'nvidia-smi-not-permitted': ['wsl', 'driverLibraries'],
};

const machines = new Map<string, StackFacts>();

before(async () => {
  for (const name of readdirSync(MACHINES)) machines.set(name, await factsOf(name));
});

async function factsOf(name: string): Promise<StackFacts> {
  const folder = path.join(MACHINES, name);
  const recording = await loadRecording(folder);
  const { interpreter, folders = [] } = recording;
  const runtime = hasAnswers(recording) ? { refusal: () => undefined } : undefined;
  return readStack({ machine: recordedMachine(folder, recording), interpreter, folders, runtime });
}

function isDiagnosed(facts: StackFacts, id: string): boolean {
  return judgeStack(facts).some((verdict) => verdict.id === id);
}

test('every diagnosis has a quiet neighbor', () => {
  assert.deepEqual(Object.keys(NEIGHBORS).sort(), judges.map(({ id }) => id).sort());
  assert.ok(Object.values(NEIGHBORS).every((rows) => rows.length > 0));
});

for (const [id, rows] of Object.entries(NEIGHBORS)) {
  test(`${id} is not reported on its neighbors`, () => {
    for (const [at, [name, fact, value = null]] of rows.entries()) {
      const facts = machines.get(name);
      assert.ok(facts, name);
      assert.ok(isDiagnosed(facts, id), `given on ${name}`);
      assert.ok(!isDiagnosed(withFact(facts, fact.split('.'), value), id), `quiet on ${name} with another ${fact}`);
      if (at === 0)
        assert.ok(!isDiagnosed(withoutFact(facts, fact.split('.')), id), `quiet on ${name} without ${fact}`);
    }
  });
}

test('an unknown fact causes no diagnosis', () => {
  for (const [name, facts] of machines) {
    for (const judge of judges) {
      const read = new Set<string>();
      const get = (all: StackFacts, key: string) => {
        read.add(key);
        return Reflect.get(all, key);
      };
      const watched = new Proxy(facts, { get } as ProxyHandler<StackFacts>);
      if (judge.judge(watched).length > 0) continue;
      for (const fact of pathsBelow(facts, read)) {
        const verdicts = judge.judge(withoutFact(facts, fact));
        if (AS_USUAL[judge.id]?.includes(fact[0] ?? '')) continue;
        assert.deepEqual(verdicts, [], `${judge.id} on ${name} without ${fact.join('.')}`);
      }
    }
  }
});

/** Returns the facts by path, including those in groups. */
function pathsBelow(facts: StackFacts, names: ReadonlySet<string>): string[][] {
  return [...names].flatMap((name) => {
    const value = Reflect.get(facts, name);
    if (typeof value !== 'object') return [];
    return 'source' in value ? [[name]] : Object.keys(value).map((each) => [name, each]);
  });
}

/** Returns the facts with another value at a path, which leads into the values of facts. */
function withFact(facts: StackFacts, steps: string[], value: unknown): StackFacts {
  const copy = structuredClone(facts);
  const last = steps.at(-1) ?? '';
  let at: object = copy;
  for (const step of steps.slice(0, -1)) at = opened(Reflect.get(at, step));
  const old = Reflect.get(at, last);
  const isFact = typeof old === 'object' && old !== null && 'readAt' in old;
  Reflect.set(at, last, isFact ? { source: old.source, readAt: old.readAt, value } : value);
  return copy;
}

function opened(at: object): object {
  return 'value' in at && 'readAt' in at ? (at.value as object) : at;
}

/** Returns the facts without the fact at the beginning of a path. */
function withoutFact(facts: StackFacts, steps: string[]): StackFacts {
  const copy = { ...facts };
  const [first = '', second = ''] = steps;
  const fact = Reflect.get(facts, first);
  const unknown = (of: Fact<unknown>) => ({ source: of.source, readAt: '', unknown: '', cause: 'notAsked' });
  if ('source' in fact) Reflect.set(copy, first, unknown(fact));
  else Reflect.set(copy, first, { ...fact, [second]: unknown(fact[second]) });
  return copy;
}
