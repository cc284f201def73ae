import type { Gpu, MigInstance } from './facts.ts';

/** The GPUs that a CUDA program sees for a given value of `CUDA_VISIBLE_DEVICES`. */
interface Visibility {
  /** In the order of the program's indexes: the first one is "cuda:0". */
  devices: VisibleDevice[];
  /** The first entry without a device, at which the list ends; null if every entry names a device. */
  missing: string | null;
  /** The entry that repeats a device, which invalidates the whole list; null if none does. */
  repeated: string | null;
}

export interface VisibleDevice {
  gpu: Gpu;
  /** The selected MIG instance; null for the whole GPU. */
  instance: MigInstance | null;
}

/**
 * Returns the GPUs that a CUDA program sees, or undefined if the list of GPUs is not sufficient (unlisted MIG
 * instances). Numbers are positions in CUDA's order, which is the order of the list only with
 * CUDA_DEVICE_ORDER=PCI_BUS_ID or if all GPUs are equal.
 *
 * The list ends before its first entry without a device; a repeated GPU invalidates it; only the first MIG instance
 * counts. Source: CUDA programming guide, and torch's own parser of the variable.
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

/** The number of devices; undefined if the list of GPUs is not sufficient. */
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

/** Parses leading digits, like C's `strtoul`. */
function indexByNumber(entry: string, gpus: Gpu[]): number | undefined {
  const digits = entry.match(/^\+?(\d+)/)?.[1];
  return digits !== undefined && Number(digits) < gpus.length ? Number(digits) : undefined;
}

/** A prefix of the UUID is sufficient if only one GPU has it. */
function indexByUuid(entry: string, gpus: Gpu[]): number | undefined {
  if (!entry.startsWith('GPU-')) return undefined;
  const matches = gpus.flatMap(({ uuid }, at) => (uuid?.toLowerCase().startsWith(entry.toLowerCase()) ? [at] : []));
  return matches.length === 1 ? matches[0] : undefined;
}
