import { type VisibleDevice, visibleDevices } from './cudaVisibleDevices.ts';
import { type Gpu, knownValue, type StackFacts } from './facts.ts';

/** The GPUs, if CUDA_VISIBLE_DEVICES leaves any visible; undefined if unknown. */
export function usableGpus({ gpus, variables }: StackFacts): Gpu[] | undefined {
  const list = knownValue(gpus);
  if (list === undefined) return undefined;
  return visibleDevices(knownValue(variables)?.CUDA_VISIBLE_DEVICES, list)?.devices.length === 0 ? [] : list;
}

/** The GPUs that a CUDA program sees; empty if uncertain. */
export function visibleGpus(facts: StackFacts): Gpu[] {
  return (visibleParts(facts) ?? []).map(({ gpu }) => gpu);
}

/**
 * The GPUs that a CUDA program sees, each with its MIG instance; undefined if uncertain. A number is a position in
 * CUDA's order, the fastest first, unless CUDA_DEVICE_ORDER changes it, so with different models the GPU of a number is
 * unknown.
 */
export function visibleParts({ gpus, variables }: StackFacts): VisibleDevice[] | undefined {
  const list = knownValue(gpus) ?? [];
  const { CUDA_VISIBLE_DEVICES: value, CUDA_DEVICE_ORDER: order } = knownValue(variables) ?? {};
  const seen = visibleDevices(value, list)?.devices ?? list.map((gpu) => ({ gpu, instance: null }));
  if (value === undefined || seen.length === list.length) return seen;
  const byNumber = /^\s*\+?\d/.test(value) && order !== 'PCI_BUS_ID';
  return byNumber && differ(list) ? undefined : seen;
}

/** True if there are GPUs of different models. */
export function differ(gpus: Gpu[]): boolean {
  return new Set(gpus.map(({ name }) => name)).size > 1;
}

/**
 * True for a system on a chip (Jetson), whose driver has its own version numbers and whose nvidia-smi shows little, if
 * it exists.
 */
export function onChip({ board, os, gpus }: StackFacts): boolean {
  const found = knownValue(board);
  if (found !== undefined) return found !== null;
  // A text without a board may identify it by its kernel or by the driver's name for the GPU: "Orin (nvgpu)".
  const isNamed = knownValue(gpus)?.some(({ name }) =>
    /nvgpu|tegra|^(NVIDIA )?(Jetson|Thor|Orin|Xavier)\b/i.test(name),
  );
  return Boolean(isNamed) || /tegra/.test(knownValue(os)?.kernel ?? '');
}
