/** The machine and the selected Python, as far as it decides whether a checkpoint loads. */
import { isAtLeast } from '../published/versions.ts';
import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { type DeviceCount, type TorchDevices, torchDevices } from '../stack/readers/torchDevices.ts';
import { type GpuSize, gpuSizesIn, type Memory } from './memoryHere.ts';

/** What is known of the machine and of the selected Python, as far as checkpoints are concerned. */
export interface Here {
  readonly devices: TorchDevices;
  /** The installed version; null where it is known not to be installed, undefined where nothing is known. */
  readonly torch?: string | null;
  readonly keras?: string | null;
  /** Keras 2 under its own name, beside a Keras 3. */
  readonly tfKeras?: string | null;
  /** True where the environment asks TensorFlow to take that for `tf.keras`. */
  readonly takesTfKeras?: boolean;
  readonly tensorflow?: string | null;
  readonly h5py?: string;
  readonly onnxruntime?: string | null;
  readonly numpy?: string;
  readonly python?: string;
  readonly system?: 'windows' | 'other';
  /** Names of further packages that are installed, as far as any matter; undefined where nothing is known. */
  readonly packages?: readonly string[];
  /** Those that programs see, by number. */
  readonly gpus?: readonly GpuSize[];
  /** Undefined where nobody asked for it. */
  readonly memory?: Memory;
}

/** What the rules and the editor want to know of the stack. */
export function hereFrom(facts: StackFacts): Here {
  const { torch, onnxruntime, tensorflow, tfKeras } = facts.frameworks;
  const versionIn = (wanted: string) => knownValue(facts.packages)?.find(({ name }) => name === wanted)?.version;
  return {
    devices: torchDevices(facts),
    torch: versionOf(torch),
    keras: kerasIn(facts),
    tfKeras: versionOf(tfKeras),
    takesTfKeras: /^(1|[Tt]rue)$/.test(knownValue(facts.variables)?.TF_USE_LEGACY_KERAS ?? ''),
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

/** Keras was a part of TensorFlow until then: https://github.com/tensorflow/tensorflow/releases/tag/v2.6.0 */
const KERAS_APART_SINCE = '2.6';
/** From here on it has TensorFlow's version; before, versions of its own that the installation does not tell. */
const KERAS_NAMED_SINCE = '2.4';

function kerasIn({ frameworks: { keras, tensorflow } }: StackFacts): string | null | undefined {
  const version = versionOf(keras);
  if (version !== null) return version;
  const within = versionOf(tensorflow);
  if (within === null || (within && isAtLeast(within, KERAS_APART_SINCE))) return null;
  return within && isAtLeast(within, KERAS_NAMED_SINCE) ? within : undefined;
}

function versionOf(
  fact: StackFacts['frameworks']['torch' | 'keras' | 'tfKeras' | 'tensorflow' | 'onnxruntime'],
): string | null | undefined {
  const build = knownValue<{ version: string } | null>(fact);
  return build === null ? null : build?.version;
}

/** A kind of device that a file needs and the machine lacks. */
export interface Missing extends DeviceCount {
  /** As the file names them: `cuda:1`, `cuda:3`. */
  readonly devices: readonly string[];
}

/** The devices among these that torch certainly does not find here. */
export function missingDevices(devices: readonly string[], here: Here): Missing[] {
  const missing = new Map<DeviceCount, string[]>();
  for (const device of devices) {
    const found = countOf(device, here);
    const index = Number(/:(\d+)$/.exec(device)?.[1] ?? 0);
    if (found && index >= found.count) missing.set(found, [...(missing.get(found) ?? []), device]);
  }
  return [...missing].map(([found, those]) => ({ ...found, devices: those }));
}

/** How many devices of this one's kind torch finds here; undefined where that is not known. */
export function countOf(device: string, { devices, packages }: Here): DeviceCount | undefined {
  const kind = kindOf(device);
  if (kind === 'cuda' || kind === 'mps' || kind === 'xpu') return devices[kind];
  const backend = BACKENDS[kind];
  if (backend === undefined || !packages || packages.includes(backend)) return undefined;
  return { count: 0, because: `the selected Python has no ${backend}, which brings that kind of device` };
}

/** The package that a program has to import before torch knows devices of this one's kind; undefined for torch's own. */
export function backendOf(device: string): string | undefined {
  return BACKENDS[kindOf(device)];
}

const kindOf = (device: string) => device.replace(/:\d+$/, '');

/**
 * Packages that teach torch a kind of device, by the name with which it tags tensors. Without the package `torch.load` fails
 * on each of them: tried with torch 1.13 and 2.9.
 */
const BACKENDS: Readonly<Record<string, string>> = {
  xla: 'torch-xla',
  hpu: 'habana-torch-plugin',
  // DirectML's, which has no name of its own in torch.
  privateuseone: 'torch-directml',
  npu: 'torch-npu',
  mlu: 'torch-mlu',
  musa: 'torch-musa',
  ipu: 'poptorch',
};
