import type { Tensor } from './checkpoint.ts';
import { elementsOf } from './dtypes.ts';
import { partsIn } from './modelParts.ts';

/**
 * Bytes of a model's weights: as the file has them, and when a loader turns all of its fractions into another type. An optimizer's
 * state and an averaged copy are none; what two names share counts for each.
 */
export interface WeightSizes {
  readonly stored: number;
  readonly float32: number;
  /** `float16` and `bfloat16` alike. */
  readonly half: number;
}

export function weightSizesOf(tensors: readonly Tensor[]): WeightSizes {
  let [stored, float32, half] = [0, 0, 0];
  for (const { dtype, shape, bytes } of partsIn(tensors).model) {
    const elements = elementsOf(shape);
    const isFraction = FRACTION.test(dtype);
    stored += bytes;
    float32 += isFraction ? elements * 4 : bytes;
    half += isFraction ? elements * 2 : bytes;
  }
  return { stored, float32, half };
}

/** Those of PyTorch and Keras, and the packed ones of GGUF. */
const FRACTION = /^(b?float\d|I?Q\d|TQ\d|MXFP)/i;
