/** Determines which ONNX models a version of ONNX Runtime accepts. */
import type { OnnxModel } from '../checkpoint/onnxModel.ts';
import { modelsOfOnnxruntime } from '../published/releases/onnxruntimeReleases.ts';

/** Returns why a version of ONNX Runtime certainly rejects a model, as a clause; undefined if it may load it. */
export function onnxRefusal({ irVersion, opset }: OnnxModel, runtime: string): string | undefined {
  const newest = modelsOfOnnxruntime(runtime);
  if (newest === undefined) return undefined;
  if (irVersion > newest.ir)
    return `its IR version is ${irVersion}, but ONNX Runtime ${runtime} reads at most ${newest.ir}`;
  if (opset !== undefined && opset > newest.opset)
    return `it uses opset ${opset}, but ONNX Runtime ${runtime} supports at most ${newest.opset}`;
  return undefined;
}
