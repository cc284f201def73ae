import { codeFits } from '../../published/codeFits.ts';
import { generalMeaning } from '../../published/variables.ts';
import { visibleDevices } from '../../stack/facts/cudaVisibleDevices.ts';
import { type Gpu, knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { listOf, shortGpuName } from '../../stack/facts/gpuName.ts';

type Meaning = (value: string, facts: StackFacts) => string | undefined;

/** The variables whose meaning depends on the machine. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  CUDA_VISIBLE_DEVICES: ofVisibleDevices,
  NVIDIA_VISIBLE_DEVICES: ofContainerDevices,
  NVIDIA_DRIVER_CAPABILITIES: ofDriverCapabilities,
  LD_LIBRARY_PATH: ofLibraryPath,
  CUDA_HOME: ofToolkit,
  CUDA_PATH: ofToolkit,
  TORCH_CUDA_ARCH_LIST: ofArchitectureList,
  KERAS_BACKEND: ofKerasBackend,
  JAX_PLATFORMS: (value) => `JAX uses ${value || 'what it finds'} and fails if the first one cannot start`,
  HIP_VISIBLE_DEVICES: (value) => ofList(value, 'AMD GPU'),
  ROCR_VISIBLE_DEVICES: (value) => ofList(value, 'AMD GPU'),
  ZE_AFFINITY_MASK: (value) => ofList(value, 'Intel GPU'),
};

/**
 * Returns the meaning of a variable's value on this machine, as a clause without a period; undefined if there is none.
 */
export function meaningOfVariable(name: string, value: string, facts: StackFacts): string | undefined {
  const ofMachine = MEANINGS[name];
  return ofMachine ? ofMachine(value, facts) : generalMeaning(name, value);
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
