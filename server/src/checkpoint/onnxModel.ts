/** Properties of an ONNX model that decide which versions of ONNX Runtime load it, and its inputs and outputs. */
export interface OnnxModel {
  readonly irVersion: number;
  /** Version of ONNX's own operators; undefined if the model uses none. */
  readonly opset?: number;
  /** Inputs that a program must provide, excluding weights. */
  readonly inputs?: readonly OnnxValue[];
  readonly outputs?: readonly OnnxValue[];
}

export interface OnnxValue {
  readonly name: string;
  /** The element type of a tensor, under PyTorch's name; `sequence`, `map` or `optional` for other values. */
  readonly dtype: string;
  /**
   * Sizes, names of sizes that a program chooses (`batch`), and null for an unnamed size. Undefined if the number of
   * dimensions is not fixed.
   */
  readonly shape?: readonly (number | string | null)[];
}
