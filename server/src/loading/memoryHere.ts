import { type Gpu, knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { visibleParts } from '../stack/facts/usableGpus.ts';
import type { MainMemory } from '../stack/machine/mainMemory.ts';

/** Where weights can be put. */
export interface Memory {
  readonly gpus: readonly GpuMemory[];
  readonly main?: MainMemory;
}

/** In bytes. */
export interface GpuMemory {
  /** `GPU 0 (NVIDIA H200)` */
  readonly name: string;
  readonly total: number;
  /** Null where it is not known. */
  readonly free: number | null;
  /** The shares into which MIG has split it, as `3g.20gb`, where it has: a program gets one, and what that has is not known. */
  readonly parts?: readonly string[];
}

/** The memory of each GPU that programs see here and that has one of its own, and the main memory as it was read. */
export function memoryIn(facts: StackFacts, main: Memory['main']): Memory {
  return { gpus: [...nvidiaGpus(facts), ...otherGpus(facts)], main };
}

function nvidiaGpus(facts: StackFacts): GpuMemory[] {
  // What a list means that cannot be told hides nothing.
  const shown = visibleParts(facts) ?? (knownValue(facts.gpus) ?? []).map((gpu) => ({ gpu, instance: null }));
  return shown.flatMap(({ gpu, instance }) => memoryOf(gpu, instance ? [instance] : gpu.migInstances));
}

function memoryOf(gpu: Gpu, instances: Gpu['migInstances']): GpuMemory[] {
  const { index, memoryTotal, memoryUsed, mig } = gpu;
  if (memoryTotal === null) return [];
  const free = memoryUsed === null ? null : (memoryTotal - memoryUsed) * MEBIBYTE;
  const parts = mig ? { parts: instances.map(({ profile }) => profile) } : {};
  return [{ name: `GPU ${index} (${gpu.name})`, total: memoryTotal * MEBIBYTE, free, ...parts }];
}

/** Apple's take main memory. */
function otherGpus({ otherAccelerators }: StackFacts): GpuMemory[] {
  const devices = (knownValue(otherAccelerators) ?? []).flatMap((each) => (each.api === 'mps' ? [] : each.devices));
  return devices.flatMap(({ name, memoryTotal }, index) =>
    memoryTotal === null ? [] : [{ name: `GPU ${index} (${name})`, total: memoryTotal * MEBIBYTE, free: null }],
  );
}

/** A GPU's memory, which stays what it is while programs come and go. */
export interface GpuSize {
  readonly name: string;
  /** In bytes. */
  readonly total: number;
  /** True where MIG has split it. */
  readonly isSplit: boolean;
}

/** The GPUs that programs see here, by the numbers that they have there. */
export function gpuSizesIn(facts: StackFacts): GpuSize[] {
  return nvidiaGpus(facts).map(({ name, total, parts }) => ({ name, total, isSplit: parts !== undefined }));
}

const MEBIBYTE = 1024 * 1024;
