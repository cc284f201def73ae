/** Judges which ONNX models a version of ONNX Runtime accepts. */
import type { OnnxModel } from '../checkpoint/onnxModel.ts';
import { isAtLeast } from '../published/versions.ts';

/**
 * Newest versions that releases of ONNX Runtime accept. Each was tested, because the project's table lacks the IR
 * version: https://onnxruntime.ai/docs/reference/compatibility.html
 */
const RUNTIMES: readonly (readonly [since: string, irVersion: number, opset: number])[] = [
  ['1.15', 9, 19],
  ['1.17', 9, 20],
  ['1.18', 10, 21],
  ['1.21', 10, 22],
  ['1.23', 11, 23],
  ['1.24', 13, 25],
  ['1.25', 13, 26],
  ['1.32', 14, 28],
];

/** The newest tested release; newer ones may accept more. */
const NEWEST = '1.33';

/** Returns why a version of ONNX Runtime certainly refuses a model, as a clause; undefined if it may load it. */
export function onnxRefusal({ irVersion, opset }: OnnxModel, runtime: string): string | undefined {
  if (isAtLeast(runtime, NEWEST)) return undefined;
  const [, newestIr, newestOpset] = RUNTIMES.findLast(([since]) => isAtLeast(runtime, since)) ?? [];
  if (newestIr === undefined || newestOpset === undefined) return undefined;
  if (irVersion > newestIr)
    return `its IR version is ${irVersion}, but ONNX Runtime ${runtime} reads at most ${newestIr}`;
  if (opset !== undefined && opset > newestOpset)
    return `it uses opset ${opset}, but ONNX Runtime ${runtime} supports at most ${newestOpset}`;
  return undefined;
}
