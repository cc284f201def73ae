import type { Gpu, MigInstance } from './facts.ts';

/** What a CUDA program sees under a value of `CUDA_VISIBLE_DEVICES`. */
export interface Visibility {
  /** In the order of the program's own indexes: the first one is "cuda:0". */
  devices: VisibleDevice[];
  /** The entry that names nothing, at which the list ends; null where every entry names a device. */
  missing: string | null;
  /** The device's entry that comes a second time, which voids the whole list; null: none does. */
  repeated: string | null;
}

export interface VisibleDevice {
  gpu: Gpu;
  /** The part of the GPU that is meant; null: the whole GPU. */
  instance: MigInstance | null;
}

/**
 * What a CUDA program sees, or undefined where the list of GPUs does not tell (instances of MIG that are not listed).
 * Numbers are places in CUDA's own order, which is that of the list only under CUDA_DEVICE_ORDER=PCI_BUS_ID or where
 * all GPUs are alike.
 *
 * The list counts up to its first entry that names nothing; a GPU named twice voids it; of instances of MIG only the
 * first counts. Source: CUDA programming guide, and how torch's own reader of the variable reproduces it.
 */
export function visibleDevices(value: string | undefined, gpus: Gpu[]): Visibility | undefined {
  if (value === undefined)
    return { devices: gpus.map((gpu) => ({ gpu, instance: null })), missing: null, repeated: null };
  const entries = value.split(',').map((entry) => entry.trim());
  if (entries[0]?.startsWith('MIG-')) return visibleInstance(entries[0], gpus);
  const find = entries[0]?.startsWith('GPU-') ? indexByUuid : indexByNumber;
  const seen = new Set<number>();
  let missing: string | null = null;
  for (const entry of entries) {
    const index = find(entry, gpus);
    if (index === undefined) {
      missing = entry;
      break;
    }
    if (seen.has(index)) return { devices: [], missing: null, repeated: entry };
    seen.add(index);
  }
  const devices = [...seen].flatMap((index) => {
    const gpu = gpus[index];
    return gpu === undefined ? [] : [{ gpu, instance: null }];
  });
  return { devices, missing, repeated: null };
}

/** How many devices that are; undefined where the list of GPUs does not tell. */
export function countVisibleGpus(value: string | undefined, gpus: Gpu[]): number | undefined {
  return visibleDevices(value, gpus)?.devices.length;
}

function visibleInstance(entry: string, gpus: Gpu[]): Visibility | undefined {
  const all = gpus.flatMap((gpu) => gpu.migInstances.map((instance) => ({ gpu, instance })));
  // Drivers before R470 name instances by their GPU: "MIG-GPU-…/1/0".
  if (all.length === 0 || entry.startsWith('MIG-GPU-')) return undefined;
  const device = all.find(({ instance }) => instance.uuid.toLowerCase() === entry.toLowerCase());
  return device === undefined
    ? { devices: [], missing: entry, repeated: null }
    : { devices: [device], missing: null, repeated: null };
}

/** Leading digits count, as C's `strtoul` reads them. */
function indexByNumber(entry: string, gpus: Gpu[]): number | undefined {
  const digits = entry.match(/^\+?(\d+)/)?.[1];
  return digits !== undefined && Number(digits) < gpus.length ? Number(digits) : undefined;
}

/** A beginning of the UUID is enough where only one GPU has it. */
function indexByUuid(entry: string, gpus: Gpu[]): number | undefined {
  if (!entry.startsWith('GPU-')) return undefined;
  const matches = gpus.flatMap(({ uuid }, at) => (uuid?.toLowerCase().startsWith(entry.toLowerCase()) ? [at] : []));
  return matches.length === 1 ? matches[0] : undefined;
}
