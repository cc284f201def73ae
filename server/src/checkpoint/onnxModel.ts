/** Properties of an ONNX model that decide which versions of ONNX Runtime load it, and its inputs and outputs. */
export interface OnnxModel {
  readonly irVersion: number;
  /** Of ONNX's own operators; undefined for a model that uses none. */
  readonly opset?: number;
  /** What a program has to give; weights are none of these. */
  readonly inputs?: readonly OnnxValue[];
  readonly outputs?: readonly OnnxValue[];
}

export interface OnnxValue {
  readonly name: string;
  /** The type of a tensor's elements, in PyTorch's words; `sequence`, `map` or `optional` for other values. */
  readonly dtype: string;
  /** Sizes, names of sizes that a program chooses (`batch`), and null for a size without a name. Undefined where the number of dimensions is not fixed. */
  readonly shape?: readonly (number | string | null)[];
}
