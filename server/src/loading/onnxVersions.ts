/** Which models of ONNX a version of ONNX Runtime takes. */
import type { OnnxModel } from '../checkpoint/onnxModel.ts';
import { isAtLeast } from '../published/versions.ts';

/**
 * What releases of ONNX Runtime take at most: tried with each; the table of the project leaves out the IR version.
 * https://onnxruntime.ai/docs/reference/compatibility.html
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

/** Up to here they were tried; a newer one may take more. */
const NEWEST = '1.33';

/** Why that version of ONNX Runtime certainly refuses a model, as a clause; undefined where it may load it. */
export function onnxRefusal({ irVersion, opset }: OnnxModel, runtime: string): string | undefined {
  if (isAtLeast(runtime, NEWEST)) return undefined;
  const [, newestIr, newestOpset] = RUNTIMES.findLast(([since]) => isAtLeast(runtime, since)) ?? [];
  if (newestIr === undefined || newestOpset === undefined) return undefined;
  if (irVersion > newestIr)
    return `its IR version is ${irVersion}, and ONNX Runtime ${runtime} reads none above ${newestIr}`;
  if (opset !== undefined && opset > newestOpset)
    return `its operators are of opset ${opset}, and ONNX Runtime ${runtime} has none above ${newestOpset}`;
  return undefined;
}
