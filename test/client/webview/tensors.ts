import type { Tensor } from '../../../server/src/checkpoint/checkpoint.ts';

/** A tensor as a reader gives it; what is left out is that of a small one on the CPU. */
export function tensor(name: string, changes: Partial<Tensor> = {}): Tensor {
  return { name, dtype: 'float32', shape: [2], device: 'cpu', bytes: 8, ...changes };
}
