import { type VisibleDevice, visibleDevices } from './cudaVisibleDevices.ts';
import { type Gpu, knownValue, type StackFacts } from './facts.ts';

/** The GPUs, where CUDA_VISIBLE_DEVICES leaves any of them to be seen; undefined where they are unknown. */
export function usableGpus({ gpus, variables }: StackFacts): Gpu[] | undefined {
  const list = knownValue(gpus);
  if (list === undefined) return undefined;
  return visibleDevices(knownValue(variables)?.CUDA_VISIBLE_DEVICES, list)?.devices.length === 0 ? [] : list;
}

/** The GPUs that a CUDA program sees; none where that is not certain. */
export function visibleGpus(facts: StackFacts): Gpu[] {
  return (visibleParts(facts) ?? []).map(({ gpu }) => gpu);
}

/**
 * The GPUs that a CUDA program sees, each with the part of it that is meant; undefined where that is not certain. A number
 * names a place in CUDA's own order, the fastest first, unless CUDA_DEVICE_ORDER says otherwise: among different models it
 * is not known which one is meant.
 */
export function visibleParts({ gpus, variables }: StackFacts): VisibleDevice[] | undefined {
  const list = knownValue(gpus) ?? [];
  const { CUDA_VISIBLE_DEVICES: value, CUDA_DEVICE_ORDER: order } = knownValue(variables) ?? {};
  const seen = visibleDevices(value, list)?.devices ?? list.map((gpu) => ({ gpu, instance: null }));
  if (value === undefined || seen.length === list.length) return seen;
  const byNumber = /^\s*\+?\d/.test(value) && order !== 'PCI_BUS_ID';
  return byNumber && differ(list) ? undefined : seen;
}

/** Whether there are GPUs of different models. */
export function differ(gpus: Gpu[]): boolean {
  return new Set(gpus.map(({ name }) => name)).size > 1;
}

/** A system on a chip (Jetson): its driver has numbers of its own, and its nvidia-smi tells little, if there is one. */
export function onChip({ board, os, gpus }: StackFacts): boolean {
  const found = knownValue(board);
  if (found !== undefined) return found !== null;
  // A text that tells of no board may show it by its kernel or by how the driver calls the GPU: "Orin (nvgpu)".
  const isNamed = knownValue(gpus)?.some(({ name }) =>
    /nvgpu|tegra|^(NVIDIA )?(Jetson|Thor|Orin|Xavier)\b/i.test(name),
  );
  return Boolean(isNamed) || /tegra/.test(knownValue(os)?.kernel ?? '');
}
