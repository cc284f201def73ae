import { type Gpu, knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { visibleParts } from '../stack/facts/usableGpus.ts';
import type { MainMemory } from '../stack/machine/mainMemory.ts';

/** Memory in which weights can be stored. */
export interface Memory {
  readonly gpus: readonly GpuMemory[];
  readonly main?: MainMemory;
}

/** In bytes. */
export interface GpuMemory {
  /** `GPU 0 (NVIDIA H200)` */
  readonly name: string;
  readonly total: number;
  /** Null if unknown. */
  readonly free: number | null;
  /**
   * MIG instances of the GPU by profile, such as `3g.20gb`, if it is partitioned. A program gets one of them, and the
   * amount of free memory in it is unknown.
   */
  readonly parts?: readonly string[];
}

/** Returns the memory of each visible GPU that has its own memory, and the main memory as given. */
export function memoryIn(facts: StackFacts, main: Memory['main']): Memory {
  return { gpus: [...nvidiaGpus(facts), ...otherGpus(facts)], main };
}

function nvidiaGpus(facts: StackFacts): GpuMemory[] {
  // A device list that cannot be interpreted does not hide anything.
  const visible = visibleParts(facts) ?? (knownValue(facts.gpus) ?? []).map((gpu) => ({ gpu, instance: null }));
  return visible.flatMap(({ gpu, instance }) => memoryOf(gpu, instance ? [instance] : gpu.migInstances));
}

function memoryOf(gpu: Gpu, instances: Gpu['migInstances']): GpuMemory[] {
  const { index, memoryTotal, memoryUsed, mig } = gpu;
  if (memoryTotal === null) return [];
  const free = memoryUsed === null ? null : (memoryTotal - memoryUsed) * MEBIBYTE;
  const parts = mig ? { parts: instances.map(({ profile }) => profile) } : {};
  return [{ name: `GPU ${index} (${gpu.name})`, total: memoryTotal * MEBIBYTE, free, ...parts }];
}

/** Apple's GPUs share main memory. */
function otherGpus({ otherAccelerators }: StackFacts): GpuMemory[] {
  const devices = (knownValue(otherAccelerators) ?? []).flatMap((each) => (each.api === 'mps' ? [] : each.devices));
  return devices.flatMap(({ name, memoryTotal }, index) =>
    memoryTotal === null ? [] : [{ name: `GPU ${index} (${name})`, total: memoryTotal * MEBIBYTE, free: null }],
  );
}

/** A GPU's total memory, which does not depend on running programs. */
export interface GpuSize {
  readonly name: string;
  /** In bytes. */
  readonly total: number;
  /** True if MIG has partitioned it. */
  readonly isSplit: boolean;
}

/** Returns the visible GPUs in the order of their indexes. */
export function gpuSizesIn(facts: StackFacts): GpuSize[] {
  return nvidiaGpus(facts).map(({ name, total, parts }) => ({ name, total, isSplit: parts !== undefined }));
}

const MEBIBYTE = 1024 * 1024;
