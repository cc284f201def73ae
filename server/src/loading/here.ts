/** The machine and the selected Python, to the extent that they decide whether a checkpoint loads. */
import { packageOfTorchDevice } from '../published/knownPackages.ts';
import { kerasHas } from '../published/releases/kerasReleases.ts';
import { tensorflowHas } from '../published/releases/tensorflowReleases.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { type DeviceCount, type TorchDevices, torchDevices } from '../stack/readers/torchDevices.ts';
import { type GpuSize, gpuSizesIn, type Memory } from './memoryHere.ts';

/** Facts about the machine and the selected Python that matter for checkpoints. */
export interface Here {
  readonly devices: TorchDevices;
  /** The installed version; null if it is not installed, undefined if unknown. */
  readonly torch?: string | null;
  readonly keras?: string | null;
  /** Keras 2 under its own name, installed in addition to Keras 3. */
  readonly tfKeras?: string | null;
  /** True if the environment makes TensorFlow use it as `tf.keras`. */
  readonly usesTfKeras?: boolean;
  readonly tensorflow?: string | null;
  readonly h5py?: string;
  readonly onnxruntime?: string | null;
  readonly numpy?: string;
  readonly python?: string;
  readonly system?: 'windows' | 'other';
  /** Names of all installed packages; undefined if unknown. */
  readonly packages?: readonly string[];
  /** The GPUs visible to programs, by index. */
  readonly gpus?: readonly GpuSize[];
  /** Undefined if the caller did not request it. */
  readonly memory?: Memory;
}

/** Extracts the information that rules and the editor need from the stack. */
export function hereFrom(facts: StackFacts): Here {
  const { torch, onnxruntime, tensorflow, tfKeras } = facts.frameworks;
  const versionIn = (wanted: string) => knownValue(facts.packages)?.find(({ name }) => name === wanted)?.version;
  return {
    devices: torchDevices(facts),
    torch: versionOf(torch),
    keras: kerasIn(facts),
    tfKeras: versionOf(tfKeras),
    usesTfKeras: /^(1|[Tt]rue)$/.test(knownValue(facts.variables)?.TF_USE_LEGACY_KERAS ?? ''),
    tensorflow: versionOf(tensorflow),
    h5py: versionIn('h5py'),
    onnxruntime: versionOf(onnxruntime),
    numpy: versionIn('numpy'),
    python: knownValue(facts.interpreter)?.version ?? undefined,
    system: systemIn(facts),
    packages: knownValue(facts.packages)?.map(({ name }) => name),
    gpus: gpuSizesIn(facts),
  };
}

function systemIn({ os }: StackFacts): Here['system'] {
  const family = knownValue(os)?.family;
  return family && (family === 'windows' ? 'windows' : 'other');
}

/** In old releases, Keras within TensorFlow has its own version, which the installation does not record. */
function kerasIn({ frameworks: { keras, tensorflow } }: StackFacts): string | null | undefined {
  const version = versionOf(keras);
  if (version !== null) return version;
  const within = versionOf(tensorflow);
  if (within === null || (within && tensorflowHas('separate_keras', within))) return null;
  return within && kerasHas('tensorflow_number', within) ? within : undefined;
}

function versionOf(
  fact: StackFacts['frameworks']['torch' | 'keras' | 'tfKeras' | 'tensorflow' | 'onnxruntime'],
): string | null | undefined {
  const build = knownValue<{ version: string } | null>(fact);
  return build === null ? null : build?.version;
}

/** A kind of device that a file needs and the machine lacks. */
interface MissingDevices extends DeviceCount {
  /** Devices under the names used in the file: `cuda:1`, `cuda:3`. */
  readonly devices: readonly string[];
}

/** Returns the devices among these that torch certainly does not find here. */
export function missingDevices(devices: readonly string[], here: Here): MissingDevices[] {
  const missing = new Map<DeviceCount, string[]>();
  for (const device of devices) {
    const found = countOf(device, here);
    const index = Number(/:(\d+)$/.exec(device)?.[1] ?? 0);
    if (found && index >= found.count) missing.set(found, [...(missing.get(found) ?? []), device]);
  }
  return [...missing].map(([found, those]) => ({ ...found, devices: those }));
}

/** Returns how many devices of this kind torch finds here; undefined if unknown. */
export function countOf(device: string, { devices, packages }: Here): DeviceCount | undefined {
  const kind = kindOf(device);
  if (kind === 'cuda' || kind === 'mps' || kind === 'xpu') return devices[kind];
  const backend = packageOfTorchDevice(kind);
  if (backend === undefined || !packages || packages.includes(backend)) return undefined;
  return { count: 0, because: `the selected Python has no ${backend}, which provides support for that kind of device` };
}

/**
 * Returns the package that a program must import before torch knows this kind of device; undefined for torch's own
 * kinds. Without the package, `torch.load` fails for each of them. Tested with torch 1.13 and 2.9.
 */
export function backendOf(device: string): string | undefined {
  return packageOfTorchDevice(kindOf(device));
}

const kindOf = (device: string) => device.replace(/:\d+$/, '');
