import { isNameIn } from '../../../published/releases/libraryNames.ts';

/** Domains of ONNX's own operators, all of which only compute. */
const ONNX_DOMAIN = /^(ai\.onnx(\.(ml|training|preview(\.training)?))?)?$/;
/** Domains of ONNX Runtime's own operators; any other domain belongs to the program or to the model's own functions. */
const RUNTIME_DOMAIN = /^com\.(microsoft|ms)(\.|$)/;

/** True for one of ONNX Runtime's own operators that may do more than compute, such as load files or other programs. */
export function isUnsafe(domain: string, type: string): boolean {
  return (
    !ONNX_DOMAIN.test(domain) &&
    RUNTIME_DOMAIN.test(domain) &&
    !isNameIn('onnxruntime', type) &&
    !/^(Conv|MaxPool|AveragePool|Global\w+Pool)$/.test(type)
  );
}
