import { bytesText } from '../checkpoint/byteSizes.ts';
import { enumerated } from '../checkpoint/enumerated.ts';
import type { WeightSizes } from '../checkpoint/weightSizes.ts';
import type { GpuMemory, Memory } from '../loading/memoryHere.ts';

/**
 * Returns sentences about the size of a model's weights and the memory of this machine; none for a file without
 * weights. How much additional memory the model needs when it runs is unknown.
 */
export function fitOf({ stored, float32, half }: WeightSizes, memory: Memory | undefined): string[] {
  if (stored === 0) return [];
  const others = [
    ...(float32 === stored ? [] : [`${bytesText(float32)} as float32`]),
    ...(half === stored ? [] : [`${bytesText(half)} as float16 or bfloat16`]),
  ];
  const sentences = [`Weights: ${[`${bytesText(stored)} stored`, ...others].join(', ')}.`];
  if (!memory) return sentences;
  const places: GpuMemory[] = [...memory.gpus, ...(memory.main ? [{ name: 'RAM', ...memory.main }] : [])];
  for (const { name, total, free, parts } of places) {
    if (parts) {
      const into = parts.length > 0 ? ` into ${enumerated(parts)}` : '';
      sentences.push(`${name} is partitioned by MIG${into}; the free memory of an instance is unknown.`);
      continue;
    }
    const room = free ?? total;
    const lack = room >= stored ? '' : `, too little for the weights${half <= room ? ' as stored' : ''}`;
    sentences.push(`${name}: ${free === null ? '' : `${bytesText(free)} free of `}${bytesText(total)}${lack}.`);
  }
  return sentences;
}
