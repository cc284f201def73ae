import { codeFits } from '../../published/codeFits.ts';
import { visibleDevices } from '../../stack/facts/cudaVisibleDevices.ts';
import { type Gpu, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { listOf, shortGpuName } from '../../stack/facts/gpuName.ts';

type Meaning = (value: string, facts: StackFacts) => string | undefined;

const isOn = (value: string): boolean => /^(1|y|yes|true|on)$/i.test(value);

/** The meaning of a switch that is on; if it is off, it has none. */
const switchedOn =
  (meaning: string): Meaning =>
  (value) =>
    isOn(value) ? meaning : 'switched off';

const always =
  (meaning: string): Meaning =>
  () =>
    meaning;

/**
 * Sources: CUDA programming guide (environment variables), NVIDIA Container Toolkit, PyTorch's "CUDA environment
 * variables" and "MPS environment variables", TensorFlow's and JAX's GPU guides, Keras 3's "Configuring your backend",
 * ROCm's "GPU isolation techniques", Intel's oneAPI documentation.
 */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  CUDA_VISIBLE_DEVICES: ofVisibleDevices,
  CUDA_DEVICE_ORDER: (value) =>
    value === 'PCI_BUS_ID'
      ? 'CUDA numbers the GPUs as nvidia-smi does'
      : "CUDA's GPU 0 is the fastest one, which may differ from nvidia-smi's GPU 0",
  NVIDIA_VISIBLE_DEVICES: ofContainerDevices,
  NVIDIA_DRIVER_CAPABILITIES: ofDriverCapabilities,
  NVIDIA_DISABLE_REQUIRE: switchedOn('the container starts even with drivers that its image considers too old'),
  LD_LIBRARY_PATH: ofLibraryPath,
  LD_PRELOAD: always('loaded into every program before its own libraries'),
  CUDA_HOME: ofToolkit,
  CUDA_PATH: ofToolkit,
  CUDA_LAUNCH_BLOCKING: switchedOn(
    'every GPU call is synchronous: errors are reported at their line, and everything is slower',
  ),
  CUDA_MODULE_LOADING: (value) =>
    value === 'EAGER'
      ? 'all GPU code is loaded at startup, which uses more memory'
      : 'GPU code is loaded when first used',
  CUDA_FORCE_PTX_JIT: switchedOn('the driver compiles all GPU code again, and builds without PTX fail'),
  CUDA_DISABLE_PTX_JIT: switchedOn('the driver compiles no GPU code, so GPUs newer than a build fail'),
  TORCH_CUDA_ARCH_LIST: ofArchitectureList,
  PYTORCH_ALLOC_CONF: always("settings of torch's memory allocator"),
  PYTORCH_CUDA_ALLOC_CONF: always("settings of torch's memory allocator for CUDA"),
  PYTORCH_NVML_BASED_CUDA_CHECK: switchedOn(
    'torch.cuda.is_available() asks only the driver, and may be true even if CUDA cannot start',
  ),
  PYTORCH_NO_CUDA_MEMORY_CACHING: switchedOn('torch returns freed GPU memory immediately, which is slow'),
  PYTORCH_SKIP_CUDNN_COMPATIBILITY_CHECK: switchedOn(
    'torch does not check that cuDNN is the one that it was built with',
  ),
  PYTORCH_ENABLE_MPS_FALLBACK: switchedOn('operations that Metal lacks run on the CPU'),
  PYTORCH_MPS_HIGH_WATERMARK_RATIO: always('the share of memory that torch may use for Metal'),
  PYTORCH_ROCM_ARCH: always('the AMD GPUs for which extensions are compiled'),
  TORCH_FORCE_WEIGHTS_ONLY_LOAD: switchedOn('torch.load uses weights_only=True everywhere'),
  TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD: switchedOn('torch.load uses weights_only=False unless the call sets it'),
  TF_FORCE_GPU_ALLOW_GROWTH: (value) =>
    isOn(value)
      ? 'TensorFlow allocates GPU memory as needed'
      : 'TensorFlow allocates almost all GPU memory at the start',
  TF_GPU_ALLOCATOR: always('the memory allocator that TensorFlow uses'),
  TF_USE_LEGACY_KERAS: switchedOn('tf.keras is Keras 2, from the package tf-keras'),
  KERAS_BACKEND: ofKerasBackend,
  KERAS_HOME: always('the folder of keras.json'),
  JAX_PLATFORMS: (value) => `JAX uses ${value || 'what it finds'} and fails if the first one cannot start`,
  JAX_PLATFORM_NAME: (value) => `JAX uses ${value}; JAX_PLATFORMS is the newer name`,
  XLA_FLAGS: always("settings of XLA, JAX's and TensorFlow's compiler"),
  XLA_PYTHON_CLIENT_PREALLOCATE: (value) =>
    /^(0|false)$/i.test(value)
      ? 'JAX allocates GPU memory as needed'
      : 'JAX allocates three quarters of the GPU memory at the start',
  XLA_PYTHON_CLIENT_MEM_FRACTION: always('the share of GPU memory that JAX allocates at the start'),
  HIP_VISIBLE_DEVICES: (value) => ofList(value, 'AMD GPU'),
  ROCR_VISIBLE_DEVICES: (value) => ofList(value, 'AMD GPU'),
  HSA_OVERRIDE_GFX_VERSION: (value) => `ROCm treats the GPU as version ${value}`,
  ZE_AFFINITY_MASK: (value) => ofList(value, 'Intel GPU'),
  ONEAPI_DEVICE_SELECTOR: always('the devices that oneAPI offers to programs'),
};

/**
 * Returns the meaning of a variable's value on this machine, as a clause without a period; undefined if there is none.
 */
export function meaningOfVariable(name: string, value: string, facts: StackFacts): string | undefined {
  return MEANINGS[name]?.(value, facts);
}

function ofVisibleDevices(value: string, { gpus, variables }: StackFacts): string | undefined {
  const list = knownValue(gpus);
  if (!list?.length) return undefined;
  const visible = visibleDevices(value, list);
  if (visible === undefined) return undefined;
  const { devices, missing, repeated } = visible;
  if (repeated !== null) return `names ${repeated} twice, which hides every GPU`;
  if (devices.length === 0) return 'hides every GPU';
  const ended = missing === null ? '' : `; "${missing}" names no GPU, and entries after it are ignored`;
  const [first] = devices;
  if (first?.instance) return `shows one part of GPU ${first.gpu.index}, ${first.instance.profile}${ended}`;
  const count = `shows ${devices.length} of ${list.length} ${list.length === 1 ? 'GPU' : 'GPUs'}`;
  const inListOrder = value.startsWith('GPU-') || knownValue(variables)?.CUDA_DEVICE_ORDER === 'PCI_BUS_ID';
  if (alike(list)) return count + ended;
  return inListOrder
    ? `${count}: ${nameAll(devices.map(({ gpu }) => gpu))}${ended}`
    : `${count}, the fastest being 0${ended}`;
}

function alike(gpus: Gpu[]): boolean {
  return new Set(gpus.map(({ name }) => name)).size === 1;
}

function nameAll(gpus: Gpu[]): string {
  return gpus.map(({ name }, at) => `${shortGpuName(name)} as ${at}`).join(', ');
}

function ofContainerDevices(value: string, { container }: StackFacts): string {
  if (!knownValue(container)) return 'has no effect outside a container';
  if (value === '' || value === 'void') return "NVIDIA's container runtime passes no GPU to this container";
  if (value === 'none') return 'the container gets the driver but no GPU';
  return `the container gets ${value === 'all' ? 'every GPU' : `GPU ${value}`} if it is started with GPUs`;
}

function ofDriverCapabilities(value: string, { container }: StackFacts): string {
  if (!knownValue(container)) return 'has no effect outside a container';
  const named = value.split(',').map((each) => each.trim());
  const lacks = (name: string) => !named.includes('all') && !named.includes(name);
  if (lacks('compute')) return 'leaves out compute, so no CUDA program runs in this container';
  return lacks('utility')
    ? 'leaves out utility, so there is no nvidia-smi in this container'
    : 'the container gets CUDA and nvidia-smi';
}

function ofLibraryPath(_value: string, { libraryPath }: StackFacts): string | undefined {
  const folders = knownValue(libraryPath);
  if (folders === undefined) return undefined;
  if (folders.length === 0) return 'has no NVIDIA libraries';
  return `has NVIDIA libraries in ${listOf(folders.map(({ folder }) => folder))}`;
}

function ofToolkit(value: string, { toolkits }: StackFacts): string | undefined {
  const list = knownValue(toolkits);
  if (list === undefined) return undefined;
  const toolkit = list.find(({ root }) => root === value);
  if (toolkit === undefined) {
    // Several names may lead to one toolkit, which is listed once.
    return list.length > 0 ? 'for compiling extensions' : 'this folder has no CUDA toolkit';
  }
  return `for compiling extensions${toolkit.version === null ? '' : ` with CUDA ${toolkit.version}`}`;
}

/** Converts the first letter to lower case, except in names such as "Ampere". */
function ofArchitectureList(value: string, { gpus }: StackFacts): string {
  const targets = value.split(/[;\s]+/).flatMap((entry) => {
    const [, digits, ptx] = entry.match(/^(\d+\.\d[af]?)(\+PTX)?$/) ?? [];
    if (digits === undefined) return [];
    const code = digits.replace('.', '');
    return ptx === undefined ? [`sm_${code}`] : [`sm_${code}`, `compute_${code}`];
  });
  const missed = (knownValue(gpus) ?? []).find(
    ({ computeCapability }) => computeCapability !== null && codeFits(targets, computeCapability) === 'none',
  );
  const only = 'the GPUs for which extensions are compiled; installed wheels do not change';
  return targets.length > 0 && missed ? `${only}; ${missed.computeCapability}, this GPU's own, is missing` : only;
}

function ofKerasBackend(value: string, { frameworks }: StackFacts): string | undefined {
  const keras = knownValue(frameworks.keras);
  if (!keras) return keras === null ? 'Keras is not installed' : undefined;
  if (keras.backend === null) return `Keras ${keras.version} has no choice of backends`;
  return keras.installedBackends.includes(value) || value === 'numpy'
    ? `Keras uses ${value}`
    : `${value} is not installed`;
}

function ofList(value: string, what: string): string {
  if (value === '' || value === '-1') return `hides every ${what}`;
  const count = value.split(',').length;
  return count === 1 ? `shows only ${what} ${value}` : `shows ${count} ${what}s in this order`;
}
