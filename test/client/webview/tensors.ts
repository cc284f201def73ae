import type { Tensor } from '../../../server/src/checkpoint/checkpoint.ts';

/** A tensor as a reader returns it; fields default to those of a small tensor on the CPU. */
export function tensor(name: string, changes: Partial<Tensor> = {}): Tensor {
  return { name, dtype: 'float32', shape: [2], device: 'cpu', bytes: 8, ...changes };
}
