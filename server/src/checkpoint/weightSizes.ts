import type { Tensor } from './checkpoint.ts';
import { elementsOf } from './dtypes.ts';
import { partsIn } from './modelParts.ts';

/**
 * Sizes of a model's weights in bytes: as stored, and after a loader converts all floating-point weights to another
 * type. They exclude an optimizer's state and an averaged copy; elements shared by two names are counted for both.
 */
export interface WeightSizes {
  readonly stored: number;
  readonly float32: number;
  /** Both `float16` and `bfloat16`. */
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

/** Floating-point types of PyTorch and Keras, and the quantized types of GGUF. */
const FRACTION = /^(b?float\d|I?Q\d|TQ\d|MXFP)/i;
