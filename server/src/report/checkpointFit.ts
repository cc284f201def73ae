import { bytesText } from '../checkpoint/byteSizes.ts';
import { enumerated } from '../checkpoint/enumerated.ts';
import type { WeightSizes } from '../checkpoint/weightSizes.ts';
import type { GpuMemory, Memory } from '../loading/memoryHere.ts';

/**
 * What the weights of a model take, beside the memory that is here, as sentences; none for a file without weights. Of what
 * running the model takes beside them nothing is known.
 */
export function fitOf({ stored, float32, half }: WeightSizes, memory: Memory | undefined): string[] {
  if (stored === 0) return [];
  const others = [
    ...(float32 === stored ? [] : [`${bytesText(float32)} as float32`]),
    ...(half === stored ? [] : [`${bytesText(half)} as float16 or bfloat16`]),
  ];
  const sentences = [`The weights take ${[`${bytesText(stored)} as they are stored`, ...others].join(', ')}.`];
  if (!memory) return sentences;
  const places: GpuMemory[] = [...memory.gpus, ...(memory.main ? [{ name: 'Main memory', ...memory.main }] : [])];
  for (const { name, total, free, parts } of places) {
    if (parts) {
      const into = parts.length > 0 ? ` into ${enumerated(parts)}` : '';
      sentences.push(`${name} is split by MIG${into}: what is free in a part is not known.`);
      continue;
    }
    const room = free ?? total;
    const lack = room >= stored ? '' : half <= room ? ': too little for them as stored' : ': too little for them';
    sentences.push(`${name} has ${bytesText(total)}${free === null ? '' : `, ${bytesText(free)} of it free`}${lack}.`);
  }
  return sentences;
}
