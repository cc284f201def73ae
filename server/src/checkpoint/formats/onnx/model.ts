/** What of an ONNX model decides which versions of ONNX Runtime load it. */
export interface OnnxModel {
  readonly irVersion: number;
  /** Of ONNX's own operators; undefined for a model that uses none. */
  readonly opset?: number;
}
