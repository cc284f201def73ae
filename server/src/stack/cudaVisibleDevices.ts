import type { Gpu } from './facts.ts';

/**
 * How many GPUs a CUDA program sees under a value of `CUDA_VISIBLE_DEVICES`, or undefined where the list of GPUs does
 * not tell (parts of a GPU made by MIG).
 *
 * The list counts up to its first entry that names nothing; a GPU named twice voids it. Source: CUDA programming guide,
 * and how torch's own reader of the variable reproduces it.
 */
export function countVisibleGpus(value: string | undefined, gpus: Gpu[]): number | undefined {
  if (value === undefined) return gpus.length;
  const entries = value.split(',').map((entry) => entry.trim());
  if (entries[0]?.startsWith('MIG-')) return undefined;
  const find = entries[0]?.startsWith('GPU-') ? indexByUuid : indexByNumber;
  const seen = new Set<number>();
  for (const entry of entries) {
    const index = find(entry, gpus);
    if (index === undefined) break;
    if (seen.has(index)) return 0;
    seen.add(index);
  }
  return seen.size;
}

/** Leading digits count, as C's `strtoul` reads them. The number is a place in CUDA's own order. */
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
